// SPDX-License-Identifier: Apache-2.0
// What holds for every input: rapidcheck draws shapes and seeds, samples.h makes the tables.
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "fedstein/metrics/calibration.h"
#include "fedstein/metrics/classification.h"
#include "fedstein/metrics/divergence.h"
#include "fedstein/metrics/ranking.h"
#include "fedstein/metrics/uncertainty.h"
#include "metrics/samples.h"
#include "support/close.h"

namespace fedstein {
namespace {

Index any_from(Index low, Index high) {
  return *rc::gen::inRange<Index>(low, high + 1);
}

std::uint64_t any_seed() {
  return *rc::gen::arbitrary<std::uint64_t>();
}

Sample any_sample(Index most_rows = 40) {
  const Index rows = any_from(1, most_rows);
  const Index classes = any_from(1, 5);
  return *rc::gen::arbitrary<bool>() ? smooth_sample(rows, classes, any_seed())
                                     : coarse_sample(rows, classes, any_seed());
}

RC_GTEST_PROP(MetricsProperty, BinsAreAdditive, ()) {
  const Sample sample = any_sample();
  const Index count = any_from(1, 20);
  const ReliabilityBins whole(sample.probabilities, sample.labels, count);
  ReliabilityBins sum(count);
  const Index rows = sample.probabilities.rows();
  const Index cut = any_from(0, rows);
  for (const auto& [begin, end] : {std::pair{Index{0}, cut}, std::pair{cut, rows}}) {
    if (begin == end) continue;
    ReliabilityBins part(count);
    part.add(sample.probabilities.middleRows(begin, end - begin),
             std::span<const Index>(sample.labels)
                 .subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)));
    sum += part;
  }
  RC_ASSERT(sum.rows() == rows);
  for (std::size_t j = 0; j < whole.bins().size(); ++j) {
    RC_ASSERT(sum.bins()[j].count == whole.bins()[j].count);
    RC_ASSERT(sum.bins()[j].correct == whole.bins()[j].correct);
    RC_ASSERT(compare(sum.bins()[j].confidence_sum, whole.bins()[j].confidence_sum, 1e-12).close);
  }
}

RC_GTEST_PROP(MetricsProperty, ExpectedErrorIsAtMostTheMaximumError, ()) {
  const Sample sample = any_sample();
  const ReliabilityBins bins(sample.probabilities, sample.labels, any_from(1, 20));
  RC_ASSERT(bins.expected_error() >= 0);
  RC_ASSERT(bins.expected_error() <= bins.maximum_error() + 1e-12);
  RC_ASSERT(bins.maximum_error() <= 1 + 1e-6);
}

RC_GTEST_PROP(MetricsProperty, EveryRowLiesBetweenTheEdgesOfItsBin, ()) {
  ReliabilityBins bins(any_from(1, 1000));
  const auto value = static_cast<double>(static_cast<Real>(test_rng(any_seed()).uniform()));
  bins.add(value, false);
  for (Index j = 0; j < bins.size(); ++j) {
    const bool inside = bins.lower_edge(j) < value && value <= bins.upper_edge(j);
    RC_ASSERT(bins.bins()[static_cast<std::size_t>(j)].count == (inside ? 1 : 0));
  }
}

RC_GTEST_PROP(MetricsProperty, OrderOfTheRowsDoesNotMatter, ()) {
  const Sample a = any_sample();
  const Sample b = permuted(a, any_seed());
  const Index bins = any_from(1, 12);
  const auto same = [](double left, double right) { return compare(left, right, 1e-10).close; };
  RC_ASSERT(accuracy(a.probabilities, a.labels) == accuracy(b.probabilities, b.labels));
  RC_ASSERT(same(brier(a.probabilities, a.labels), brier(b.probabilities, b.labels)));
  RC_ASSERT(same(mean_log_likelihood(a.probabilities, a.labels), mean_log_likelihood(b.probabilities, b.labels)));
  RC_ASSERT(std::abs(adaptive_calibration_error(a.probabilities, a.labels, bins) -
                     adaptive_calibration_error(b.probabilities, b.labels, bins)) < 1e-12);
  const RiskCoverage left = risk_coverage(confidence(a.probabilities), zero_one_loss(a.probabilities, a.labels));
  const RiskCoverage right = risk_coverage(confidence(b.probabilities), zero_one_loss(b.probabilities, b.labels));
  RC_ASSERT(left.area == right.area);
  RC_ASSERT(left.points.size() == right.points.size());
  RC_ASSERT(compare(left.points.back().risk, 1 - accuracy(a.probabilities, a.labels), 1e-12, 1.0).close);
}

RC_GTEST_PROP(MetricsProperty, EntropySplitSumsToTheTotal, ()) {
  const Index rows = any_from(1, 20);
  const Index classes = any_from(1, 6);
  std::vector<Matrix> particles(static_cast<std::size_t>(any_from(1, 8)));
  for (Matrix& particle : particles) {
    particle = *rc::gen::arbitrary<bool>() ? smooth_sample(rows, classes, any_seed()).probabilities
                                           : coarse_sample(rows, classes, any_seed()).probabilities;
  }
  const EntropySplit split = entropy_split(particles);
  RC_ASSERT(split.epistemic.minCoeff() >= 0);
  RC_ASSERT(split.aleatoric.minCoeff() >= 0);
  RC_ASSERT(split.total.maxCoeff() <= std::log(static_cast<double>(classes)) + 1e-12);
  RC_ASSERT((split.aleatoric + split.epistemic - split.total).cwiseAbs().maxCoeff() < 1e-12);
}

RC_GTEST_PROP(MetricsProperty, AurocTurnsWithTheSignAndIgnoresMonotoneMaps, ()) {
  Sample sample = coarse_sample(any_from(2, 40), 2, any_seed());
  sample.labels[0] = 0;
  sample.labels[1] = 1;
  const DoubleVector scores = sample.probabilities.col(1).cast<double>();
  const double area = auroc(scores, sample.labels);
  RC_ASSERT(area >= 0 && area <= 1);
  RC_ASSERT(std::abs(area + auroc(-scores, sample.labels) - 1) < 1e-12);
  RC_ASSERT(auroc(scores.array().exp(), sample.labels) == area);
}

RC_GTEST_PROP(MetricsProperty, DivergenceIsNotNegativeAndIgnoresConstants, ()) {
  const Index cells = any_from(1, 50);
  DoubleVector q(cells);
  DoubleVector p(cells);
  Rng rng = test_rng(any_seed());
  for (Index i = 0; i < cells; ++i) {
    q(i) = 10 * rng.normal();
    p(i) = 10 * rng.normal();
  }
  const KlPair kl = kl_on_grid(q, p);
  RC_ASSERT(kl.forward >= 0 && kl.reverse >= 0);
  RC_ASSERT(kl_on_grid(p, q).forward == kl.reverse);
  const double shifted = kl_on_grid(q.array() + 100, p).forward;
  RC_ASSERT(std::abs(shifted - kl.forward) < 1e-9 * std::max(1.0, kl.forward));
}

}  // namespace
}  // namespace fedstein
