// SPDX-License-Identifier: Apache-2.0
// A part of an experiment: some of its cases, some of its methods.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fedstein/config/document.h"

namespace fedstein {

// Whether the pattern fits the whole text; * stands for any text, also none.
bool fits(std::string_view pattern, std::string_view text);

// Leaves only the cases and methods (by label) that one of the patterns fits; no patterns: all of them. A case is known
// by the name of its [[case]] and by its dataset, where the experiment lists several. A pattern that fits nothing is a
// mistake.
void select_cases(const std::vector<std::string>& patterns, Document& document, Mistakes& mistakes);
void select_algorithms(const std::vector<std::string>& patterns, Document& document, Mistakes& mistakes);

}  // namespace fedstein
