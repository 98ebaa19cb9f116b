// SPDX-License-Identifier: Apache-2.0
#include "fedstein/evaluation/diagnostics.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "fedstein/numeric/check.h"
#include "fedstein/stein/collapse.h"
#include "fedstein/stein/ksd.h"

namespace fedstein {
namespace {

// No agent has this number, so the draw shares its stream with nobody's minibatches.
constexpr std::uint64_t kNobody = std::numeric_limits<std::uint64_t>::max();

std::vector<Index> drawn_rows(Index rows, Index count, std::uint64_t seed) {
  Rng rng({.seed = seed, .agent = kNobody, .round = 0, .purpose = Purpose::kMinibatch});
  std::vector<Index> order = rng.permutation(rows);
  order.resize(static_cast<std::size_t>(count));
  std::sort(order.begin(), order.end());
  return order;
}

}  // namespace

PosteriorFit::PosteriorFit(const Model& model, const Batch& data, const Options& options)
    : model_(&model), data_(data), weight_(1 / options.temperature) {
  check_positive("PosteriorFit", "temperature", options.temperature);
  check_argument(options.most_rows >= 1, "PosteriorFit", [&] {
    return "most_rows is " + std::to_string(options.most_rows) + "; it must be at least 1";
  });
  check_argument(data.rows() >= 1, "PosteriorFit", "data has no rows; at least 1 is needed");
  model.check_data(data);
  if (data.rows() <= options.most_rows) return;
  const std::vector<Index> chosen = drawn_rows(data.rows(), options.most_rows, options.seed);
  x_ = data.x(chosen, Eigen::all);
  y_ = data.y(chosen);
  weight_ *= static_cast<double>(data.rows()) / static_cast<double>(options.most_rows);
}

Matrix PosteriorFit::scores(const Particles& particles) const {
  Matrix scores = Matrix::Zero(particles.rows(), particles.cols());
  model_->add_prior_score(particles, 1, scores);
  model_->add_likelihood_score(particles, rows(), weight_, scores);
  return scores;
}

Next PosteriorFit::on_round(RoundRecord& record, const Particles& particles) {
  const Matrix scores = this->scores(particles);
  const CollapseReport report = diagnose_collapse(particles, scores);
  record.figures["ksd"] = ksd(kernel_, particles, scores);
  record.figures["spread_ratio"] = report.median_ratio;
  record.figures["collapsed"] = report.collapsed ? 1 : 0;
  return Next::kContinue;
}

}  // namespace fedstein
