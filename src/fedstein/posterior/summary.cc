// SPDX-License-Identifier: Apache-2.0
#include "fedstein/posterior/summary.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "fedstein/numeric/check.h"
#include "fedstein/posterior/normal_quantile.h"
#include "fedstein/stein/kernel.h"
#include "fedstein/stein/ksd.h"

namespace fedstein {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
// Eigenvalues of an N x N matrix: chains may keep many thousand.
constexpr Index kMostCompared = 1000;

// mean and covariance of the parameters as the particles have them.
struct ParameterGaussian {
  DoubleVector mean;
  DoubleMatrix covariance;  // empty: unknown
};

ParameterGaussian gaussian_of(const Posterior& posterior) {
  const DoubleMatrix particles = posterior.particles.cast<double>();
  ParameterGaussian out{particles.colwise().mean().transpose(), posterior.covariance};
  const Index count = particles.rows();
  if (out.covariance.size() > 0 || count < 2) return out;
  const DoubleMatrix centred = particles.rowwise() - out.mean.transpose();
  out.covariance = centred.transpose() * centred / static_cast<double>(count - 1);
  return out;
}

// A number that people read is offset + weights . theta.
struct LinearReading {
  DoubleVector weights;
  double offset = 0;
};

class Readings {
 public:
  Readings(const Posterior& posterior, const Coefficients& coefficients)
      : posterior_(posterior), coefficients_(coefficients), facts_(feature_facts(posterior)) {}

  // eta = b + sum_k w_k (x_k - origin_k - shift_k) / spread_k, times the target's spread and plus its shift.
  LinearReading weight(Index predictor, Index feature) const {
    LinearReading out{zero()};
    out.weights(coefficients_.weight(predictor, feature)) = unit() / spread(feature);
    return out;
  }
  LinearReading intercept(Index predictor) const {
    LinearReading out{zero(), scales_target() ? posterior_.scaling.target_shift : 0};
    if (const auto place = coefficients_.intercept(predictor)) out.weights(*place) = unit();
    for (Index k = 0; k < posterior_.shape.features; ++k) {
      out.weights(coefficients_.weight(predictor, k)) -= unit() * centre(k) / spread(k);
    }
    return out;
  }
  double unit() const { return scales_target() ? posterior_.scaling.target_spread : 1; }

 private:
  DoubleVector zero() const { return DoubleVector::Zero(posterior_.particles.cols()); }
  bool scales_target() const { return coefficients_.link() == Coefficients::Link::kIdentity; }
  bool is_scaled() const { return posterior_.scaling.rule != ScalingRule::kNone; }
  double spread(Index k) const { return is_scaled() ? posterior_.scaling.spread(k) : 1; }
  double centre(Index k) const {
    return facts_[static_cast<std::size_t>(k)].origin + (is_scaled() ? posterior_.scaling.shift(k) : 0);
  }

  const Posterior& posterior_;
  const Coefficients& coefficients_;
  std::vector<FeatureFacts> facts_;
};

LinearReading difference(const LinearReading& a, const LinearReading& b) {
  return {a.weights - b.weights, a.offset - b.offset};
}

CoefficientRow row_of(const LinearReading& reading, const ParameterGaussian& at, double width) {
  CoefficientRow out;
  out.mean = reading.offset + reading.weights.dot(at.mean);
  out.deviation =
      at.covariance.size() == 0 ? kUnknown : std::sqrt(reading.weights.dot(at.covariance * reading.weights));
  out.low = out.mean - width * out.deviation;
  out.high = out.mean + width * out.deviation;
  out.above_zero = std::isnan(out.deviation) ? kUnknown
                   : out.deviation > 0       ? std::erfc(-out.mean / out.deviation / std::numbers::sqrt2) / 2
                                             : (out.mean > 0 ? 1.0 : 0.0);
  return out;
}

OtherRow other_row(const Coefficients::Other& other, const ParameterGaussian& at, double unit, double width) {
  const double mean = at.mean(other.parameter);
  const double deviation =
      at.covariance.size() == 0 ? kUnknown : std::sqrt(at.covariance(other.parameter, other.parameter));
  if (other.factor == 0) return {other.name, mean, deviation, mean - width * deviation, mean + width * deviation};
  const double scale = other.has_target_unit ? unit : 1;
  const auto value = [&](double theta) { return scale * std::exp(other.factor * theta); };
  const double step = other.factor > 0 ? width * deviation : -width * deviation;
  return {other.name,
          value(mean),
          value(mean) * std::abs(other.factor) * deviation,
          value(mean - step),
          value(mean + step)};
}

// Where the Gaussian is the standard one: N x d.
DoubleMatrix in_unit_coordinates(const Posterior& posterior, const ParameterGaussian& at) {
  const Eigen::LLT<Eigen::MatrixXd> factor{Eigen::MatrixXd(at.covariance)};
  const Eigen::MatrixXd centred = (posterior.particles.cast<double>().rowwise() - at.mean.transpose()).transpose();
  return factor.matrixL().solve(centred).transpose();
}

// Two draws of the standard Gaussian are 2 d apart, squared and in the mean; the kernel is 1 / (N + 1) there.
double bandwidth_of_draws(const DoubleMatrix& places) {
  return 2 * static_cast<double>(places.cols()) / std::log(static_cast<double>(places.rows() + 1));
}

double distinct_particles(const DoubleMatrix& places) {
  const Index count = places.rows();
  const double sharpness = 1 / bandwidth_of_draws(places);
  Eigen::MatrixXd similarity(count, count);
  for (Index i = 0; i < count; ++i) {
    for (Index j = 0; j < count; ++j) {
      similarity(i, j) =
          std::exp(-sharpness * (places.row(i) - places.row(j)).squaredNorm()) / static_cast<double>(count);
    }
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(similarity, Eigen::EigenvaluesOnly);
  double entropy = 0;
  for (const double value : solver.eigenvalues()) {
    if (value > 0) entropy -= value * std::log(value);
  }
  return std::exp(entropy);
}

void compare_with_gaussian(const Posterior& posterior, const ParameterGaussian& at, PosteriorSummary& out) {
  const Index count = posterior.particles.rows();
  if (!out.from_covariance || count < 2 || count > kMostCompared) return;
  const DoubleMatrix places = in_unit_coordinates(posterior, at);
  if (!places.allFinite()) return;
  const Matrix x = places.cast<Real>();
  const double found = ksd(RbfKernel(Bandwidth::fixed(bandwidth_of_draws(places))), x, -x);
  if (std::isfinite(found)) out.ksd = found;
  out.distinct = distinct_particles(places);
}

}  // namespace

std::vector<FeatureFacts> feature_facts(const Posterior& posterior) {
  std::vector<FeatureFacts> out;
  for (std::string& name : feature_names(posterior)) out.push_back({.name = std::move(name)});
  if (posterior.table) {
    std::size_t at = 0;
    for (const TableColumn& column : posterior.table->columns) {
      if (column.is_number()) out[at].origin = column.origin;
      at += static_cast<std::size_t>(feature_count(column));
    }
  }
  if (!posterior.ranges.are_known()) return out;
  for (std::size_t k = 0; k < out.size(); ++k) {
    out[k].low = posterior.ranges.low(static_cast<Index>(k)) + out[k].origin;
    out[k].high = posterior.ranges.high(static_cast<Index>(k)) + out[k].origin;
  }
  return out;
}

std::optional<PosteriorSummary> summarise(const Posterior& posterior, const Registry& registry, double level) {
  check_posterior(posterior, registry);
  check_argument(level > 0 && level < 1, "summarise", [&] {
    return "level is " + to_text(level) + "; it must be above 0 and below 1";
  });
  const std::unique_ptr<Model> model = make_model(posterior, registry);
  const Coefficients* coefficients = model->coefficients();
  if (coefficients == nullptr) return {};
  const double width = normal_quantile((1 + level) / 2);
  const ParameterGaussian at = gaussian_of(posterior);
  const Readings readings(posterior, *coefficients);
  const std::vector<std::string> names = feature_names(posterior);

  PosteriorSummary out;
  out.link = coefficients->link();
  out.level = level;
  out.from_covariance = posterior.covariance.size() > 0;
  out.particles = posterior.particles.rows();
  // Classes are compared with the first: only differences between predictors mean anything.
  const Index predictors = coefficients->predictors();
  const bool is_relative = out.link == Coefficients::Link::kSoftmax && predictors == posterior.shape.classes;
  for (Index o = is_relative ? 1 : 0; o < predictors; ++o) {
    const auto add = [&](const std::string& name, const auto& reading_of) {
      const LinearReading reading = is_relative ? difference(reading_of(o), reading_of(0)) : reading_of(o);
      out.coefficients.push_back(row_of(reading, at, width));
      out.coefficients.back().name = name;
      if (out.link != Coefficients::Link::kSoftmax) return;
      out.coefficients.back().outcome = posterior.class_names[static_cast<std::size_t>(is_relative ? o : o + 1)];
    };
    add("(intercept)", [&](Index predictor) { return readings.intercept(predictor); });
    for (Index k = 0; k < posterior.shape.features; ++k) {
      add(names[static_cast<std::size_t>(k)], [&](Index predictor) { return readings.weight(predictor, k); });
    }
  }
  for (const Coefficients::Other& other : coefficients->others()) {
    out.others.push_back(other_row(other, at, readings.unit(), width));
  }
  compare_with_gaussian(posterior, at, out);
  return out;
}

}  // namespace fedstein
