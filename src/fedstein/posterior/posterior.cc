// SPDX-License-Identifier: Apache-2.0
#include "fedstein/posterior/posterior.h"

#include <cmath>

#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

constexpr const char* kWho = "posterior";

bool has_classes(const ModelShape& shape) {
  return shape.labels == LabelKind::kBinary || shape.labels == LabelKind::kMulticlass;
}

void check_scaling(const Scaling& scaling, Index features) {
  check_argument(scaling.shift.size() == features && scaling.spread.size() == features, kWho, [&] {
    return "the scaling is of " + std::to_string(scaling.shift.size()) + " features, the model of " +
           std::to_string(features);
  });
  const bool sound = scaling.shift.allFinite() && scaling.spread.allFinite() && (scaling.spread.array() != 0).all() &&
                     std::isfinite(scaling.target_shift) && std::isfinite(scaling.target_spread) &&
                     scaling.target_spread > 0;
  check_argument(sound, kWho, "the scaling holds a number that is not finite, or a spread of 0");
}

}  // namespace

void check_posterior(const Posterior& posterior, const Registry& registry) {
  check_argument(!registry.model_type(posterior.type).is_toy(), kWho, [&] {
    return "the model '" + posterior.type + "' predicts nothing from rows";
  });
  const ModelShape& shape = posterior.shape;
  check_argument(shape.features >= 1, kWho, [&] {
    return "the model has " + std::to_string(shape.features) + " features; at least 1 is needed";
  });
  const Index classes = has_classes(shape) ? shape.classes : 0;
  check_argument(static_cast<Index>(posterior.class_names.size()) == classes, kWho, [&] {
    return std::to_string(posterior.class_names.size()) + " classes are named; there are " + std::to_string(classes);
  });
  check_scaling(posterior.scaling, shape.features);
  check_argument(shape.labels != LabelKind::kCounts ||
                     (posterior.scaling.target_shift == 0 && posterior.scaling.target_spread == 1),
                 kWho,
                 "the scaling is of the target too; counts are never scaled");
  check_positive(kWho, "temperature", posterior.temperature);
  check_not_empty(kWho, "particles", posterior.particles);
  check_finite(kWho, "particles", posterior.particles);
  check_columns(kWho, "particles", posterior.particles, make_model(posterior, registry)->dimension());
}

std::unique_ptr<Model> make_model(const Posterior& posterior, const Registry& registry) {
  return registry.model_type(posterior.type).make(posterior.settings, posterior.shape);
}

std::vector<std::string> plain_class_names(const ModelShape& shape) {
  if (shape.labels == LabelKind::kBinary) return {"-1", "1"};
  std::vector<std::string> names;
  if (shape.labels != LabelKind::kMulticlass) return names;
  for (Index index = 0; index < shape.classes; ++index) names.push_back(std::to_string(index));
  return names;
}

}  // namespace fedstein
