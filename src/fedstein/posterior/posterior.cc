// SPDX-License-Identifier: Apache-2.0
#include "fedstein/posterior/posterior.h"

#include <cmath>

#include "fedstein/base/counted.h"
#include "fedstein/model/posterior_covariance.h"
#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

constexpr const char* kWho = "posterior";

bool has_classes(const ModelShape& shape) {
  return shape.labels == LabelKind::kBinary || shape.labels == LabelKind::kMulticlass;
}

void check_scaling(const Scaling& scaling, Index features) {
  check_argument(scaling.shift.size() == features && scaling.spread.size() == features, kWho, [&] {
    return "the scaling is of " + counted(scaling.shift.size(), "feature") + ", the model of " +
           std::to_string(features);
  });
  const bool sound = scaling.shift.allFinite() && scaling.spread.allFinite() && (scaling.spread.array() != 0).all() &&
                     std::isfinite(scaling.target_shift) && std::isfinite(scaling.target_spread) &&
                     scaling.target_spread > 0;
  check_argument(sound, kWho, "the scaling holds a number that is not finite, or a spread of 0");
}

void check_table(const Posterior& posterior) {
  if (!posterior.table) return;
  const TableSchema& table = *posterior.table;
  check_argument(!posterior.layout, kWho, "it holds both a table's columns and a file's layout; one is allowed");
  check_schema(table);
  check_argument(feature_count(table) == posterior.shape.features, kWho, [&] {
    return "the table's columns make " + counted(feature_count(table), "feature") + "; the model has " +
           std::to_string(posterior.shape.features);
  });
  check_argument(table.labels == posterior.shape.labels && table.classes == posterior.class_names,
                 kWho,
                 "the table's labels are others than the model's");
}

void check_layout(const Posterior& posterior) {
  if (!posterior.layout) return;
  const FileLayout& layout = *posterior.layout;
  check_argument(layout.format != FileFormat::kLibsvm || layout.features == posterior.shape.features, kWho, [&] {
    return "its files have " + counted(layout.features, "feature") + "; the model has " +
           std::to_string(posterior.shape.features);
  });
  check_argument(layout.label_column >= kLastColumn && layout.group_column >= kNoColumn &&
                     layout.group_column != kLastColumn && layout.label_column != layout.group_column,
                 kWho,
                 "its layout has columns that no file can have");
}

void check_ranges(const Posterior& posterior) {
  const Ranges& ranges = posterior.ranges;
  if (!ranges.are_known() && ranges.high.size() == 0) return;
  check_argument(ranges.low.size() == posterior.shape.features && ranges.high.size() == posterior.shape.features,
                 kWho,
                 "the ranges are of other features than the model's");
  const bool sound = ranges.low.allFinite() && ranges.high.allFinite() &&
                     (ranges.low.array() <= ranges.high.array()).all() && std::isfinite(ranges.target_low) &&
                     std::isfinite(ranges.target_high) && ranges.target_low <= ranges.target_high;
  check_argument(sound, kWho, "the ranges hold a number that is not finite, or end before they begin");
}

void check_covariance(const Posterior& posterior) {
  const DoubleMatrix& covariance = posterior.covariance;
  if (covariance.size() == 0) return;
  const Index d = posterior.particles.cols();
  check_argument(covariance.rows() == d && covariance.cols() == d && d <= kMostCovarianceParameters, kWho, [&] {
    return "the covariance is of " + counted(covariance.rows(), "parameter") + ", the particles of " +
           std::to_string(d);
  });
  check_argument(is_covariance(covariance), kWho, "the covariance is not that of any parameters");
}

}  // namespace

void check_posterior(const Posterior& posterior, const Registry& registry) {
  check_argument(!registry.model_type(posterior.type).is_toy(), kWho, [&] {
    return "the model '" + posterior.type + "' predicts nothing from rows";
  });
  const ModelShape& shape = posterior.shape;
  check_argument(shape.features >= 1, kWho, [&] {
    return "the model has " + counted(shape.features, "feature") + "; at least 1 is needed";
  });
  const Index classes = has_classes(shape) ? shape.classes : 0;
  check_argument(static_cast<Index>(posterior.class_names.size()) == classes, kWho, [&] {
    return "it names " + counted(posterior.class_names.size(), "class") + "; there are " + std::to_string(classes);
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
  check_table(posterior);
  check_layout(posterior);
  check_ranges(posterior);
  check_covariance(posterior);
}

std::vector<std::string> feature_names(const Posterior& posterior) {
  if (posterior.table) return feature_names(*posterior.table);
  std::vector<std::string> names;
  for (Index k = 1; k <= posterior.shape.features; ++k) names.push_back("x" + std::to_string(k));
  return names;
}

TableSchema without_groups(TableSchema schema) {
  if (!schema.group.empty()) schema.ignored.push_back(std::move(schema.group));
  schema.group.clear();
  schema.groups.clear();
  return schema;
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
