// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <string_view>

#include "fedstein/algorithm/algorithm.h"
#include "fedstein/base/check.h"
#include "fedstein/registry/model_type.h"

namespace fedstein {

// A method or model type that a registry does not hold; what() has the names that it holds.
class UnknownName : public InvalidArgument {
 public:
  using InvalidArgument::InvalidArgument;
};

// The methods and models that can be named: in configurations, in posterior files, by servers and agents. standard()
// holds ours. To have one of your own named as well, add it to a copy and give that copy to whoever reads names:
//
//   Registry registry = Registry::standard();
//   registry.add(my_model_type);
//   Plan plan = load_plan("experiment.toml", {.registry = &registry});
//   ... load_posterior("result.fedstein", registry)
//
// Whatever was read with a registry points into it: the registry must live longer. add() moves nothing.
class Registry {
 public:
  Registry() = default;  // without any
  static const Registry& standard();

  // Throw InvalidArgument for a name that is taken, a name that a configuration could not hold, a missing function, and
  // settings that contradict themselves. Nothing is added then.
  Registry& add(Algorithm algorithm);
  Registry& add(ModelType type);

  // In the order in which they were added.
  const std::deque<Algorithm>& algorithms() const { return algorithms_; }
  const std::deque<ModelType>& model_types() const { return model_types_; }

  // Null when there is none of that name.
  const Algorithm* find_algorithm(std::string_view name) const&;
  const ModelType* find_model_type(std::string_view name) const&;
  // Throw UnknownName.
  const Algorithm& algorithm(std::string_view name) const&;
  const ModelType& model_type(std::string_view name) const&;
  // What is found lives in the registry: not in one that is a temporary.
  const Algorithm* find_algorithm(std::string_view name) const&& = delete;
  const ModelType* find_model_type(std::string_view name) const&& = delete;
  const Algorithm& algorithm(std::string_view name) const&& = delete;
  const ModelType& model_type(std::string_view name) const&& = delete;

  // The type that a dataset of this kind gets unless told otherwise; null when this registry does not hold it.
  const ModelType* usual_model_type(LabelKind labels) const;

 private:
  std::deque<Algorithm> algorithms_;  // a deque: plans keep pointers to what was there before an add()
  std::deque<ModelType> model_types_;
};

}  // namespace fedstein
