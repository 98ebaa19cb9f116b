// SPDX-License-Identifier: Apache-2.0
// What the paper's tables say for a model and a dataset: with the preset "paper", between the methods' own defaults and
// the file's values.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fedstein/algorithm/algorithm.h"

namespace fedstein {

// One line of the tables. An empty list holds for everything; later lines win over earlier ones.
struct PaperDefault {
  std::string key;
  SettingValue value;
  bool of_model = false;  // a setting of the model, not of a method
  std::vector<std::string> models = {};
  std::vector<std::string> datasets = {};
  std::vector<std::string> methods = {};
  bool adagrad_only = false;  // goes with AdaGrad: not for a method whose own default is another step rule
  std::string source;         // where it stands
};
const std::vector<PaperDefault>& paper_defaults();

// Sets what the tables say: settings of the method (batch: the registry's for a known dataset) or, with a null method,
// of the model.
void apply_paper_defaults(std::string_view model,
                          std::string_view dataset,
                          const Algorithm* method,
                          Settings& settings);

}  // namespace fedstein
