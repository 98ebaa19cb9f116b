// SPDX-License-Identifier: Apache-2.0
#include "fedstein/evaluation/unseen.h"

#include <limits>
#include <optional>

#include "fedstein/metrics/ranking.h"
#include "fedstein/metrics/uncertainty.h"
#include "fedstein/numeric/check.h"
#include "fedstein/numeric/parallel.h"

namespace fedstein {
namespace {

constexpr Index kUnseenBlock = 512;  // rows that one thread takes at a time
constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

// Entropies are sums of doubles. What two of them differ by below this is how they were rounded, and must not put rows
// in an order: particles that agree are to have ties.
constexpr double kRoundedNats = 1e-12;

// Nothing where a score is not a number.
std::optional<double> told_apart(const DoubleVector& known, const DoubleVector& foreign) {
  if (known.hasNaN() || foreign.hasNaN()) return std::nullopt;
  DoubleVector scores(known.size() + foreign.size());
  scores << known, foreign;
  std::vector<Index> labels(static_cast<std::size_t>(scores.size()), 1);
  std::fill_n(labels.begin(), known.size(), Index{0});
  return auroc(scores, labels);
}

}  // namespace

UnseenDetection::UnseenDetection(const Model& model, const Batch& known) : model_(model.predictive()), known_(known) {
  check_argument(known.rows() >= 1, "UnseenDetection", "there are no known rows; at least 1 is needed");
  check_argument(
      model_ != nullptr, "UnseenDetection", "the model predicts nothing; a classifier or a regression is needed");
  const Prediction sample = model_->predict(Matrix::Zero(1, model.dimension()), known.x.topRows(1));
  classes_ = sample.probabilities.cols();
  check_argument(classes_ > 0 || sample.aleatoric_variance.size() > 0,
                 "UnseenDetection",
                 "the model's predictions say no variance, so that there is no uncertainty to judge");
}

void UnseenDetection::add(const std::string& name, const Matrix& foreign) {
  check_argument(foreign.rows() >= 1 && foreign.cols() == known_.x.cols(), "UnseenDetection", [&] {
    return "'" + name + "' has " + std::to_string(foreign.rows()) + " rows of " + std::to_string(foreign.cols()) +
           " columns; at least 1 of " + std::to_string(known_.x.cols()) + " is needed";
  });
  foreign_.emplace_back(name, &foreign);
}

UnseenDetection::Doubt UnseenDetection::doubt_about_classes(const Particles& particles,
                                                            const ConstMatrixRef& rows) const {
  EntropyAccumulator entropies(rows.rows(), classes_);
  for (Index n = 0; n < particles.rows(); ++n) {
    const Matrix probabilities = model_->predict(particles.middleRows(n, 1), rows).probabilities;
    if (!probabilities.allFinite()) {
      const DoubleVector none = DoubleVector::Constant(rows.rows(), kNotANumber);
      return {none, none};
    }
    entropies.add(probabilities);
  }
  EntropySplit split = entropies.split();
  return {(split.epistemic.array() > kRoundedNats).select(split.epistemic, 0), std::move(split.total)};
}

UnseenDetection::Doubt UnseenDetection::doubt_about_targets(const Particles& particles,
                                                            const ConstMatrixRef& rows) const {
  VarianceAccumulator variances(rows.rows());
  for (Index n = 0; n < particles.rows(); ++n) {
    const Prediction one = model_->predict(particles.middleRows(n, 1), rows);
    const Vector mean = one.mean.cast<Real>();
    const Vector noise = one.aleatoric_variance.cast<Real>();
    if (!mean.allFinite() || !noise.allFinite()) {
      const DoubleVector none = DoubleVector::Constant(rows.rows(), kNotANumber);
      return {none, none};
    }
    variances.add(mean, noise);
  }
  VarianceSplit split = variances.split();
  return {std::move(split.epistemic), std::move(split.total)};
}

UnseenDetection::Doubt UnseenDetection::doubt(const Particles& particles, const ConstMatrixRef& rows) const {
  Doubt all{DoubleVector(rows.rows()), DoubleVector(rows.rows())};
  parallel_for(rows.rows(), kUnseenBlock, [&](Index begin, Index end) {
    const auto block = rows.middleRows(begin, end - begin);
    const Doubt one = classes_ > 0 ? doubt_about_classes(particles, block) : doubt_about_targets(particles, block);
    all.epistemic.segment(begin, end - begin) = one.epistemic;
    all.total.segment(begin, end - begin) = one.total;
  });
  return all;
}

std::map<std::string, double> UnseenDetection::figures(const Particles& particles) const {
  std::map<std::string, double> out;
  if (foreign_.empty()) return out;
  const Doubt known = doubt(particles, known_.x);
  for (const auto& [name, rows] : foreign_) {
    const Doubt foreign = doubt(particles, *rows);
    if (const auto area = told_apart(known.epistemic, foreign.epistemic)) out[kUnseenFigure + name] = *area;
    if (const auto area = told_apart(known.total, foreign.total)) out[kUnseenTotalFigure + name] = *area;
  }
  return out;
}

Next UnseenDetection::on_round(RoundRecord& record, const Particles& particles) {
  for (const auto& [name, value] : figures(particles)) record.figures[name] = value;
  return Next::kContinue;
}

}  // namespace fedstein
