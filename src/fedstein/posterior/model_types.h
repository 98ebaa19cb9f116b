// SPDX-License-Identifier: Apache-2.0
// The models that a configuration can name.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fedstein/base/settings.h"
#include "fedstein/data/dataset.h"
#include "fedstein/model/model.h"

namespace fedstein {

// What a model learns from, as far as its making depends on it.
struct ModelShape {
  Index features = 0;
  Index classes = 0;
  LabelKind labels = LabelKind::kBinary;
};

struct ModelType {
  std::string name;
  std::string summary;
  std::vector<LabelKind> labels = {};  // what it can learn from; kDensity: it brings its own factors, no dataset
  std::vector<Setting> settings = {};
  Index factors = 0;  // kDensity
  std::function<std::unique_ptr<Model>(const Settings&, const ModelShape&)> make = {};

  bool is_toy() const { return factors > 0; }
};

const std::vector<ModelType>& model_types();
// Null when there is no such type.
const ModelType* find_model_type(std::string_view name);
// The type that a dataset of this kind gets unless told otherwise.
const ModelType& standard_model_type(LabelKind labels);

}  // namespace fedstein
