// SPDX-License-Identifier: Apache-2.0
// The keys of the tables whose keys are fixed; read them through definitions.h.
#pragma once

#include <vector>

#include "fedstein/base/settings.h"

namespace fedstein {

std::vector<Setting> experiment_keys();
std::vector<Setting> data_keys();
std::vector<Setting> federation_keys();
// Of [federation] alone: all methods of a case see the same rows.
std::vector<Setting> validation_keys();
std::vector<Setting> evaluation_keys();
std::vector<Setting> figure_keys();

}  // namespace fedstein
