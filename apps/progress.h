// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fedstein/experiment/execute.h"

namespace fedstein {

// How far a run is, on stderr: one line that is redrawn on a terminal; a plain line now and then where it is piped.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();  // leaves the terminal on a fresh line
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const Progress& progress);

 private:
  void redraw(const Progress& progress);
  void report(const Progress& progress);

  bool terminal_;
  bool drawn_ = false;
  double shown_at_ = -1e9;
  Index tenths_ = 0;  // of the run that plain lines have told of
};

// "round 120 of 400, 31.5 a second, 0:09 left": shared by both forms.
std::string progress_text(const Progress& progress);

}  // namespace fedstein
