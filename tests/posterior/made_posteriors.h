// SPDX-License-Identifier: Apache-2.0
// Small posteriors that nobody trained, and rows for them.
#pragma once

#include <cmath>

#include "fedstein/posterior/posterior.h"
#include "support/random_matrix.h"

namespace fedstein {

inline constexpr Index kMadeFeatures = 3;

inline Posterior made_posterior(const std::string& type, LabelKind labels, Index classes) {
  Posterior out;
  out.type = type;
  out.settings = Settings(Registry::standard().find_model_type(type)->settings);
  if (out.settings.has("hidden")) out.settings.set("hidden", Index{4});
  out.shape = {.features = kMadeFeatures, .classes = classes, .labels = labels};
  out.class_names = plain_class_names(out.shape);
  out.scaling = {ScalingRule::kStandardise, DoubleVector(kMadeFeatures), DoubleVector(kMadeFeatures)};
  out.scaling.shift << 0.1, -20, 3.3333333333333335;
  out.scaling.spread << 2, 7.7, 0.01;
  if (labels == LabelKind::kRegression) {
    out.scaling.target_shift = 100;
    out.scaling.target_spread = 5;
  }
  const Index dimension = make_model(out)->dimension();
  out.particles = random_matrix(4, dimension, 11);
  out.facts = {.experiment = "made",
               .dataset = "rows.csv",
               .algorithm = "dsvgd, \"ours\"",
               .method = "dsvgd",
               .rounds = 7,
               .agents = 3,
               .rows = 900,
               .trial = 2,
               .seed = 18446744073709551615U,
               .version = "1.2.3",
               .precision = kRealName};
  return out;
}

inline Posterior made_binary() {
  return made_posterior("logistic-regression", LabelKind::kBinary, 2);
}
inline Posterior made_classes() {
  return made_posterior("bnn-classification", LabelKind::kMulticlass, 3);
}
inline Posterior made_regression() {
  return made_posterior("bnn-regression", LabelKind::kRegression, 0);
}
inline Posterior made_counts() {
  return made_posterior("negative-binomial-regression", LabelKind::kCounts, 0);
}

// With everything that a file can remember: a table's columns, ranges, a covariance.
inline Posterior made_remembering() {
  Posterior out = made_binary();
  TableSchema table;
  table.columns = {{.name = "age, in years"}, {.name = "Größe", .fill = 3.5}};
  table.columns[0].origin = 1.7e9;
  table.label = "ill";
  table.classes = {"no", "yes"};
  table.class_values = {{"no"}, {"yes", "perhaps"}};
  table.ignored = {"id", "hospital"};
  table.missing = MissingRule::kImpute;
  out.table = table;
  out.class_names = table.classes;
  out.ranges.low = DoubleVector(kMadeFeatures);
  out.ranges.high = DoubleVector(kMadeFeatures);
  out.ranges.low << -5.25, -100, 0;
  out.ranges.high << 12.1, 1e9 / 3, 1;
  const Index d = out.particles.cols();
  const DoubleMatrix noise = random_matrix(3 * d, d, 77).cast<double>();
  const DoubleMatrix product = noise.transpose() * noise;
  out.covariance = (product + product.transpose()) / 70;
  return out;
}

// A text whose columns have no names: read by places.
inline Posterior made_laid_out() {
  Posterior out = made_regression();
  out.layout = FileLayout{};
  out.layout->text.separator = ';';
  out.layout->text.ignored_columns = {0, 2};
  out.layout->label_column = 4;
  out.layout->labels = {{0.5, -1}, {1e300, 7}};
  out.ranges.low = DoubleVector::Constant(kMadeFeatures, -1.5);
  out.ranges.high = DoubleVector::Constant(kMadeFeatures, 2.5);
  out.ranges.target_low = 20;
  out.ranges.target_high = 180;
  return out;
}

// Rows as a user has them: scaling brings them to order one.
inline Matrix raw_rows(const Posterior& posterior, Index rows, std::uint64_t seed) {
  Matrix x = random_matrix(rows, posterior.shape.features, seed);
  for (Index j = 0; j < x.cols(); ++j) {
    x.col(j) =
        (x.col(j).cast<double>().array() * posterior.scaling.spread(j) + posterior.scaling.shift(j)).cast<Real>();
  }
  return x;
}

inline Matrix scaled_rows(const Posterior& posterior, Matrix x) {
  apply_scaling(posterior.scaling, x);
  return x;
}

// Labels that have nothing to do with the rows, as data writes them.
inline Vector random_labels(const Posterior& posterior, Index rows, std::uint64_t seed) {
  const Matrix noise = random_matrix(rows, 1, seed);
  Vector y(rows);
  for (Index i = 0; i < rows; ++i) {
    const Real z = noise(i, 0);
    if (posterior.shape.labels == LabelKind::kBinary) {
      y(i) = z > 0 ? 1.0_r : -1.0_r;
    } else if (posterior.shape.labels == LabelKind::kMulticlass) {
      y(i) = z < -0.4_r ? 0.0_r : z < 0.4_r ? 1.0_r : 2.0_r;
    } else if (posterior.shape.labels == LabelKind::kCounts) {
      y(i) = std::floor(std::exp(1.5_r * z));
    } else {
      y(i) = 100.0_r + 5.0_r * z;
    }
  }
  return y;
}

inline Dataset random_dataset(const Posterior& posterior, Index rows, std::uint64_t seed) {
  Dataset out;
  out.name = "rows";
  out.labels = posterior.shape.labels;
  out.classes = posterior.shape.classes;
  out.x = raw_rows(posterior, rows, seed);
  out.y = random_labels(posterior, rows, seed + 1);
  return out;
}

}  // namespace fedstein
