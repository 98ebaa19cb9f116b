// SPDX-License-Identifier: Apache-2.0
// What models of counts say about rows. Everything in double; the mixture over particles is summed exactly, so that
// intervals are those of the predictive distribution itself and no Gaussian's.
#include <algorithm>
#include <cmath>

#include "fedstein/model/checks.h"
#include "fedstein/model/count_regression.h"
#include "fedstein/model/row_blocks.h"
#include "fedstein/numeric/check.h"
#include "fedstein/numeric/scratch.h"

namespace fedstein {
namespace {

// Mean and spread of the particles' rates, and the mean of their counts' variances, of a block of rows.
struct BlockMoments {
  explicit BlockMoments(Index rows)
      : mean(DoubleVector::Zero(rows)), squares(DoubleVector::Zero(rows)), noise(DoubleVector::Zero(rows)) {}

  // The n-th particle, from 0 (Welford): exact even when all agree closely.
  void add(Index n, Index row, double rate, double variance) {
    const double gap = rate - mean(row);
    mean(row) += gap / static_cast<double>(n + 1);
    squares(row) += gap * (rate - mean(row));
    noise(row) += variance;
  }

  DoubleVector mean;
  DoubleVector squares;
  DoubleVector noise;
};

}  // namespace

Prediction CountRegression::predict(const ConstMatrixRef& theta, const ConstMatrixRef& x) const {
  check_particles(name_, theta, dimension());
  check_columns(name_, "x", x, inputs());
  Prediction result;
  for (DoubleVector* part : {&result.mean, &result.aleatoric_variance, &result.epistemic_variance}) {
    part->resize(x.rows());
  }
  for_row_blocks(x.rows(), [&](Index begin, Index count) {
    Scratch scratch(count, 1);
    Eigen::Map<Vector> values(scratch->data(), count);
    BlockMoments moments(count);
    for (Index n = 0; n < theta.rows(); ++n) {
      outputs(theta.row(n), x.middleRows(begin, count), values);
      const double b = offset(theta.row(n));
      const double psi = log_dispersion(theta.row(n));
      for (Index i = 0; i < count; ++i) {
        const double rate = std::exp(std::min(static_cast<double>(values(i)) + b, kMostLogRate));
        moments.add(n, i, rate, variance(psi, rate));
      }
    }
    const auto particles = static_cast<double>(theta.rows());
    result.mean.segment(begin, count) = moments.mean;
    result.aleatoric_variance.segment(begin, count) = moments.noise / particles;
    result.epistemic_variance.segment(begin, count) = moments.squares / particles;
  });
  return result;
}

Forecast CountRegression::forecast(const ConstMatrixRef& theta, const Batch& batch) const {
  Prediction moments = predict(theta, batch.x);
  return {.probabilities = {},
          .mean = std::move(moments.mean),
          .log_density = log_predictive(theta, batch),
          .variance = moments.aleatoric_variance + moments.epistemic_variance};
}

DoubleVector CountRegression::log_predictive(const ConstMatrixRef& theta, const Batch& batch) const {
  check_particles(name_, theta, dimension());
  check_counts(batch);
  return log_mean_over_particles(theta.rows(), batch.rows(), [&](Index begin, Index count, Index n, auto out) {
    Scratch scratch(count, 1);
    Eigen::Map<Vector> values(scratch->data(), count);
    outputs(theta.row(n), batch.x.middleRows(begin, count), values);
    const double b = offset(theta.row(n));
    const double psi = log_dispersion(theta.row(n));
    for (Index i = 0; i < count; ++i) {
      out(i) = log_likelihood_of(psi, static_cast<double>(batch.y(begin + i)), static_cast<double>(values(i)) + b);
    }
  });
}

// The central interval of probability L is from the first count k with F(k) >= (1 - L)/2 to the first with F(k) >=
// (1 + L)/2. A count y is in it when L >= 1 - 2 F(y) and L > 2 F(y - 1) - 1.
DoubleVector CountRegression::central_mass(const ConstMatrixRef& theta, const Batch& batch) const {
  check_particles(name_, theta, dimension());
  check_counts(batch);
  DoubleVector result(batch.rows());
  for_row_blocks(batch.rows(), [&](Index begin, Index count) {
    Scratch scratch(count, 1);
    Eigen::Map<Vector> values(scratch->data(), count);
    DoubleVector up_to = DoubleVector::Zero(count);
    DoubleVector below = DoubleVector::Zero(count);
    for (Index n = 0; n < theta.rows(); ++n) {
      outputs(theta.row(n), batch.x.middleRows(begin, count), values);
      const double b = offset(theta.row(n));
      const double psi = log_dispersion(theta.row(n));
      for (Index i = 0; i < count; ++i) {
        const double log_rate = std::min(static_cast<double>(values(i)) + b, kMostLogRate);
        const auto y = static_cast<double>(batch.y(begin + i));
        const double f = probability_up_to(psi, y, log_rate);
        up_to(i) += f;
        below(i) += std::max(0.0, f - std::exp(log_probability(psi, y, log_rate)));
      }
    }
    const auto particles = static_cast<double>(theta.rows());
    result.segment(begin, count) =
        (1 - 2 * up_to.array() / particles).max(2 * below.array() / particles - 1).max(0.0).matrix();
  });
  return result;
}

DoubleVector CountRegression::quantile(const ConstMatrixRef& theta, const ConstMatrixRef& x, double level) const {
  check_particles(name_, theta, dimension());
  check_columns(name_, "x", x, inputs());
  check_argument(level > 0 && level < 1, name_, [&] {
    return "the level of a quantile is " + to_text(level) + "; it must be above 0 and below 1";
  });
  DoubleVector result(x.rows());
  for_row_blocks(x.rows(), [&](Index begin, Index count) {
    Scratch scratch(theta.rows(), count);
    for (Index n = 0; n < theta.rows(); ++n) {
      outputs(theta.row(n), x.middleRows(begin, count), Eigen::Map<Vector>(scratch->row(n).data(), count));
    }
    for (Index i = 0; i < count; ++i) {
      const auto reaches = [&](double y) {
        double sum = 0;
        for (Index n = 0; n < theta.rows(); ++n) {
          const double log_rate = static_cast<double>((*scratch)(n, i)) + offset(theta.row(n));
          sum += probability_up_to(log_dispersion(theta.row(n)), y, std::min(log_rate, kMostLogRate));
        }
        return sum >= level * static_cast<double>(theta.rows());
      };
      double high = 0;
      double low = -1;
      while (!reaches(high) && high < 1e15) {
        low = high;
        high = 2 * high + 1;
      }
      while (high - low > 1) {
        const double middle = std::floor((low + high) / 2);
        (reaches(middle) ? high : low) = middle;
      }
      result(begin + i) = high;
    }
  });
  return result;
}

bool CountRegression::cumulative(const ConstMatrixRef& theta,
                                 const ConstMatrixRef& x,
                                 const DoubleVector& at,
                                 DoubleVector& probability) const {
  check_argument(at.size() == x.rows(), name_, "one number must be given for each row");
  probability = DoubleVector::Zero(x.rows());
  for_row_blocks(x.rows(), [&](Index begin, Index count) {
    Scratch scratch(count, 1);
    Eigen::Map<Vector> values(scratch->data(), count);
    for (Index n = 0; n < theta.rows(); ++n) {
      outputs(theta.row(n), x.middleRows(begin, count), values);
      for (Index i = 0; i < count; ++i) {
        if (at(begin + i) < 0) continue;
        const double log_rate = std::min(static_cast<double>(values(i)) + offset(theta.row(n)), kMostLogRate);
        probability(begin + i) += probability_up_to(log_dispersion(theta.row(n)), std::floor(at(begin + i)), log_rate);
      }
    }
  });
  probability /= static_cast<double>(theta.rows());
  return true;
}

}  // namespace fedstein
