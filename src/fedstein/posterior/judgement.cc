// SPDX-License-Identifier: Apache-2.0
#include "fedstein/posterior/judgement.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "fedstein/metrics/ranking.h"
#include "fedstein/metrics/regression.h"
#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

constexpr const char* kWho = "judge";
constexpr double kLevels[] = {0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99};
// Of shares of rows, which are quotients of whole numbers: rounding must not cost a row.
constexpr double kSlack = 1e-12;

// One point per share asked for: the first of the curve that keeps enough rows. The last one keeps all.
void add_answers(const DoubleVector& doubt,
                 const DoubleVector& losses,
                 const JudgementOptions& options,
                 bool is_accuracy,
                 Judgement& out) {
  const RiskCoverage curve = risk_coverage(-doubt, losses);
  out.risk_area = curve.area;
  for (const double share : options.abstained) {
    check_argument(share >= 0 && share < 1, kWho, [&] {
      return "a share of " + to_text(share) + " is to be left out; allowed: from 0 to below 1";
    });
    const auto point = std::find_if(curve.points.begin(), curve.points.end(), [&](const RiskCoveragePoint& one) {
      return one.coverage >= 1 - share - kSlack;
    });
    out.answered.push_back({.asked = share,
                            .abstained = 1 - point->coverage,
                            .threshold = -point->threshold,
                            .figure = is_accuracy ? 1 - point->risk : std::sqrt(point->risk)});
  }
}

void judge_classes(const Predictor& predictor,
                   const Dataset& rows,
                   const RowPredictions& found,
                   const JudgementOptions& options,
                   Judgement& out) {
  const ModelShape& shape = predictor.posterior().shape;
  const std::vector<Index> labels =
      shape.labels == LabelKind::kBinary ? binary_class_indices(rows.y) : class_indices(rows.y, shape.classes);
  const Matrix& p = found.probabilities;
  out.reliability.emplace(p, labels, options.bins);
  ConfusionMatrix confusion(shape.classes);
  confusion.add(p, labels);
  for (Index index = 0; index < shape.classes; ++index) {
    std::int64_t count = 0;
    for (Index predicted = 0; predicted < shape.classes; ++predicted) count += confusion.count(index, predicted);
    out.classes.push_back(
        {predictor.posterior().class_names[static_cast<std::size_t>(index)], count, confusion.score(index)});
  }
  out.figures = {{"accuracy", accuracy(p, labels)},
                 {"log_likelihood", mean_log_likelihood(predictor.log_predictive(rows.x, rows.y))}};
  if (shape.labels == LabelKind::kBinary) {
    out.figures.emplace_back("f1", out.classes.back().score.f1);
    const bool both = out.classes.front().rows > 0 && out.classes.back().rows > 0;
    if (both) out.figures.emplace_back("auroc", auroc(p.col(1).cast<double>(), labels));
  }
  out.figures.insert(out.figures.end(),
                     {{"ece", out.reliability->expected_error()},
                      {"mce", out.reliability->maximum_error()},
                      {"ace", adaptive_calibration_error(p, labels, options.bins)},
                      {"brier", brier(p, labels)}});
  add_answers(doubt_of(found, options.by), zero_one_loss(p, labels), options, true, out);
}

void judge_targets(const Predictor& predictor,
                   const Dataset& rows,
                   const RowPredictions& found,
                   const JudgementOptions& options,
                   Judgement& out) {
  const Vector mean = found.mean.cast<Real>();
  out.figures = {{"rmse", rmse(mean, rows.y)},
                 {"mae", mae(mean, rows.y)},
                 {"log_likelihood", mean_log_likelihood(predictor.log_predictive(rows.x, rows.y))}};
  DoubleVector masses = predictor.central_mass(rows.x, rows.y);
  if (predictor.can_be_tempered()) {
    const Predictor::Mixture mixture = predictor.mixture(rows.x);
    masses = central_mass(mixture.means, mixture.variances, rows.y);
  }
  if (masses.size() > 0) {
    for (const double level : kLevels) out.intervals.push_back({level, coverage(masses, level)});
  }
  const DoubleVector losses = (found.mean - rows.y.cast<double>()).cwiseAbs2();
  add_answers(doubt_of(found, options.by), losses, options, false, out);
}

}  // namespace

Doubt doubt_named(std::string_view name) {
  const auto* found = std::find(std::begin(kDoubtNames), std::end(kDoubtNames), name);
  check_argument(found != std::end(kDoubtNames), "doubt", [&] {
    return "there is no doubt '" + std::string(name) + "'; allowed: total, aleatoric, epistemic, error";
  });
  return static_cast<Doubt>(found - std::begin(kDoubtNames));
}

DoubleVector doubt_of(const RowPredictions& predictions, Doubt by) {
  if (by == Doubt::kTotal) return predictions.total;
  if (by == Doubt::kAleatoric) return predictions.aleatoric;
  if (by == Doubt::kEpistemic) return predictions.epistemic;
  check_argument(predictions.mean.size() == 0, "doubt", "a regression has no probability of error; total is its doubt");
  return 1 - predictions.probabilities.rowwise().maxCoeff().cast<double>().array();
}

Judgement judge(const Predictor& predictor, const Dataset& rows, const JudgementOptions& options) {
  check_argument(rows.x.rows() >= 1, kWho, "there are no rows; at least 1 is needed");
  check_argument(rows.y.size() == rows.x.rows(), kWho, "there must be one label a row");
  Judgement out;
  out.rows = rows.x.rows();
  const RowPredictions found = predictor.predict(rows.x);
  if (predictor.classifies()) {
    judge_classes(predictor, rows, found, options, out);
  } else {
    judge_targets(predictor, rows, found, options, out);
  }
  return out;
}

}  // namespace fedstein
