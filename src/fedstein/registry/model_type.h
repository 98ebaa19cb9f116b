// SPDX-License-Identifier: Apache-2.0
// A model as configurations and posterior files name it: its name, its settings, and how to make it.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
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
  // What a posterior file means that was written before the type had these keys.
  std::map<std::string, SettingValue> before = {};
  // Why a key has no effect beside these settings; empty when it has one. Unset: every key has.
  std::function<std::string(const Settings&, const std::string& key)> idle = {};

  bool is_toy() const { return factors > 0; }
};

// Ours: logistic regression, the networks, the paper's mixtures.
std::vector<ModelType> standard_model_types();

}  // namespace fedstein
