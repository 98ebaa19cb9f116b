// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

namespace fedstein {

// Lines for the standard error, written by a thread of their own: whoever has something to say never waits for a pipe
// that nobody empties. When too many lines wait, further ones are dropped, and their number is said.
class LogWriter {
 public:
  LogWriter();
  ~LogWriter();  // waits a moment for what is left
  LogWriter(const LogWriter&) = delete;
  LogWriter& operator=(const LogWriter&) = delete;

  void write(const std::string& line);

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace fedstein
