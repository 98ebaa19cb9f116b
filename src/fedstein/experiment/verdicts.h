// SPDX-License-Identifier: Apache-2.0
// What became of a method: the verdict on that of its trials of which there is most to say.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "fedstein/evaluation/run_verdict.h"
#include "fedstein/experiment/results.h"

namespace fedstein {

struct MethodVerdict {
  RunVerdict worst = {};
  Index trial = 0;   // whose verdict it is; 0: there is none
  Index alike = 0;   // trials with a verdict of its kind
  Index trials = 0;  // of the method

  // The verdict's sentence, and of several trials how many it is true of.
  std::string text() const;
};

MethodVerdict verdict_of(const MethodResult& method);

// Under a table: a line for every method that needs one, or one for all of them. Empty where there is no method.
std::string verdicts_text(const std::vector<std::pair<std::string, MethodVerdict>>& methods);

}  // namespace fedstein
