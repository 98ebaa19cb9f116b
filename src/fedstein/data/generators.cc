// SPDX-License-Identifier: Apache-2.0
#include "fedstein/data/generators.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "fedstein/data/scaling.h"
#include "fedstein/numeric/check.h"
#include "fedstein/numeric/rng.h"

namespace fedstein {
namespace {

constexpr Index kNormFeatures = 20;
constexpr Index kNormRows = 7400;
constexpr Index kWaveFeatures = 21;
constexpr Index kWaveRows = 5000;

Dataset empty_set(std::string name, Index row_count, Index features) {
  return {std::move(name), LabelKind::kBinary, Matrix::Zero(row_count, features), Vector::Zero(row_count), 2, {}};
}

Index rows_wanted(const char* function, const GeneratorOptions& options, Index published) {
  check_argument(
      options.rows >= 0,
      function,
      "rows is " + std::to_string(options.rows) + "; it must be positive, or 0 for " + std::to_string(published));
  return options.rows == 0 ? published : options.rows;
}

Dataset finished(Dataset dataset, bool standardise) {
  if (!standardise) return dataset;
  const Scaling scaling = fit_scaling(ScalingRule::kStandardise, dataset, all_rows(dataset.x.rows()));
  apply_scaling(scaling, dataset);
  return dataset;
}

// N((mean, ..., mean), deviation^2 I)
struct Ball {
  double mean;
  double deviation;
};

Dataset make_two_balls(const char* name, const Ball& positive, const Ball& negative, const GeneratorOptions& options) {
  Dataset out = empty_set(name, rows_wanted("make_dataset", options, kNormRows), kNormFeatures);
  Rng rng({.seed = options.seed, .purpose = Purpose::kGenerator});
  for (Index row = 0; row < out.x.rows(); ++row) {
    const bool is_positive = rng.below(2) == 1;
    const Ball& ball = is_positive ? positive : negative;
    out.y(row) = is_positive ? Real{1} : Real{-1};
    rng.fill_normal(out.x.row(row), ball.mean, ball.deviation);
  }
  return finished(std::move(out), options.standardise);
}

// i counts from 1, as in the definition.
double wave(Index peak, Index i) {
  return static_cast<double>(std::max(6 - std::abs(i - peak), Index{0}));
}

constexpr Index kArcAgents = 5;
constexpr std::array<std::array<double, 2>, kArcAgents> kArcCentres = {
    {{0, 0}, {-1.3, 0}, {-0.5, 0.8}, {0.5, -0.8}, {1.3, 0}}};

Index nearest_centre(double x, double y) {
  const auto distance = [&](Index agent) {
    const auto& centre = kArcCentres[static_cast<std::size_t>(agent)];
    return (x - centre[0]) * (x - centre[0]) + (y - centre[1]) * (y - centre[1]);
  };
  Index nearest = 0;
  for (Index agent = 1; agent < kArcAgents; ++agent) {
    if (distance(agent) < distance(nearest)) nearest = agent;
  }
  return nearest;
}

void check_at_least_one(const char* function, const char* what, Index value) {
  check_argument(value >= 1, function, std::string(what) + " is " + std::to_string(value) + "; it must be at least 1");
}

double sigmoid(double value) {
  return 1 / (1 + std::exp(-value));
}

}  // namespace

Dataset make_twonorm(const GeneratorOptions& options) {
  const double a = 2 / std::sqrt(static_cast<double>(kNormFeatures));
  return make_two_balls("twonorm", {a, 1}, {-a, 1}, options);
}

Dataset make_ringnorm(const GeneratorOptions& options) {
  const double a = 2 / std::sqrt(static_cast<double>(kNormFeatures));
  return make_two_balls("ringnorm", {0, 2}, {a, 1}, options);
}

Dataset make_waveform(const GeneratorOptions& options) {
  constexpr Index kPeak1 = 11;
  constexpr Index kPeak2 = 15;
  constexpr Index kPeak3 = 7;
  constexpr std::array<std::pair<Index, Index>, 3> kPairs = {{{kPeak1, kPeak3}, {kPeak1, kPeak2}, {kPeak2, kPeak3}}};
  Dataset out = empty_set("waveform", rows_wanted("make_waveform", options, kWaveRows), kWaveFeatures);
  Rng rng({.seed = options.seed, .purpose = Purpose::kGenerator});
  for (Index row = 0; row < out.x.rows(); ++row) {
    const std::size_t pair = rng.below(kPairs.size());
    const double u = rng.uniform();
    out.y(row) = pair == 0 ? Real{1} : Real{-1};
    for (Index i = 1; i <= kWaveFeatures; ++i) {
      const double mixed = u * wave(kPairs[pair].first, i) + (1 - u) * wave(kPairs[pair].second, i);
      out.x(row, i - 1) = static_cast<Real>(mixed + rng.normal());
    }
  }
  return finished(std::move(out), options.standardise);
}

Dataset make_feature_skew(const FeatureSkewOptions& options) {
  const auto at_least_one = [](const char* what, Index value) { check_at_least_one("make_feature_skew", what, value); };
  at_least_one("agents", options.agents);
  at_least_one("features_per_agent", options.features_per_agent);
  at_least_one("rows_per_agent", options.rows_per_agent);
  at_least_one("test_rows", options.test_rows);
  check_positive("make_feature_skew", "weight", options.weight);

  const Index features = options.agents * options.features_per_agent;
  const Index train_rows = options.agents * options.rows_per_agent;
  Dataset out = empty_set("feature-skew", train_rows + options.test_rows, features);
  out.group.assign(static_cast<std::size_t>(out.x.rows()), kNoGroup);

  const Rng rng({.seed = options.seed, .purpose = Purpose::kGenerator});
  // The weights and the rows come from streams of their own: other row counts leave the weights as they are.
  Rng weight_stream = rng.at_step(0);
  Rng row_stream = rng.at_step(1);
  DoubleVector weights(features);
  for (double& weight : weights) weight = weight_stream.below(2) == 1 ? options.weight : -options.weight;

  for (Index row = 0; row < out.x.rows(); ++row) {
    Index begin = 0;
    Index count = features;
    if (row < train_rows) {
      const Index agent = row / options.rows_per_agent;
      out.group[static_cast<std::size_t>(row)] = agent;
      begin = agent * options.features_per_agent;
      count = options.features_per_agent;
    }
    row_stream.fill_normal(out.x.row(row).segment(begin, count));
    const double logit = out.x.row(row).cast<double>().dot(weights);
    out.y(row) = row_stream.uniform() < sigmoid(logit) ? Real{1} : Real{-1};
  }
  return out;
}

Dataset make_two_arcs(const TwoArcsOptions& options) {
  check_at_least_one("make_two_arcs", "train_rows", options.train_rows);
  check_at_least_one("make_two_arcs", "test_rows", options.test_rows);
  check_positive("make_two_arcs", "noise", options.noise);
  Dataset out = empty_set("two-arcs", options.train_rows + options.test_rows, 2);
  Rng rng({.seed = options.seed, .purpose = Purpose::kGenerator});
  for (Index row = 0; row < out.x.rows(); ++row) {
    const double sign = rng.below(2) == 1 ? 1 : -1;
    const double t = std::numbers::pi * rng.uniform();
    const double x = sign * (std::cos(t) - 0.5) + options.noise * rng.normal();
    const double y = sign * (std::sin(t) - 0.25) + options.noise * rng.normal();
    out.x(row, 0) = static_cast<Real>(x);
    out.x(row, 1) = static_cast<Real>(y);
    out.y(row) = static_cast<Real>(sign);
    out.group.push_back(nearest_centre(x, y));
  }
  return out;
}

Dataset make_dataset(std::string_view name, const GeneratorOptions& options) {
  if (name == "twonorm") return make_twonorm(options);
  if (name == "ringnorm") return make_ringnorm(options);
  if (name == "waveform") return make_waveform(options);
  if (name == "feature-skew") {
    check_argument(
        options.rows == 0, "make_dataset", "rows is given for feature-skew; its shape is set by FeatureSkewOptions");
    return make_feature_skew({.seed = options.seed});
  }
  if (name == "two-arcs") {
    check_argument(options.rows == 0, "make_dataset", "rows is given for two-arcs; its shape is set by TwoArcsOptions");
    return make_two_arcs({.seed = options.seed});
  }
  throw InvalidArgument("make_dataset: there is no generator for '" + std::string(name) +
                        "'; known: twonorm, ringnorm, waveform, feature-skew, two-arcs");
}

}  // namespace fedstein
