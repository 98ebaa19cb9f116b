// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace fedstein {

// "accuracy is never 2; allowed: 0 to 1", for a value that no run's figure can have; empty for others. Of classes: the
// run predicts them, and their log-likelihood is never above 0.
std::string why_out_of_reach(const std::string& figure, double value, bool of_classes);

}  // namespace fedstein
