// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/points/point_method.h"

#include <algorithm>

#include "fedstein/federated/state.h"
#include "fedstein/numeric/check.h"

namespace fedstein {
std::vector<Setting> point_settings() {
  std::vector<Setting> settings =
      shared_settings({"local_steps", "batch", "temperature", "step_rule", "learning_rate", "epsilon", "momentum"});
  setting_named("local_steps", settings).help = "gradient steps in a round, L";
  setting_named("temperature", settings).help =
      "temperature alpha: with prior = true the log prior is multiplied by it";
  settings.push_back(
      {.key = "start",
       .standard = std::string("usual"),
       .help = "first weights; usual: 0, for networks their usual initialisation; zero: always 0; prior: a prior draw",
       .choices = {"usual", "zero", "prior"}});
  settings.push_back({.key = "prior",
                      .standard = false,
                      .help = "whether the prior is added: maximum a posteriori instead of minimum loss"});
  return settings;
}

PointOptions point_options(const Settings& settings) {
  PointOptions options;
  options.particles = 1;
  if (settings.has("local_steps")) options.local_steps = settings.integer("local_steps");
  if (settings.has("batch")) options.batch = settings.integer("batch");
  options.temperature = settings.number("temperature");
  if (settings.has("step_rule")) options.step_rule = settings.text("step_rule");
  options.learning_rate = settings.number("learning_rate");
  if (settings.has("epsilon")) options.epsilon = settings.number("epsilon");
  options.momentum = settings.number("momentum");
  options.start = settings.text("start");
  options.prior = settings.flag("prior");
  return options;
}

Matrix initial_point(const Model& model, const PointOptions& options, std::uint64_t seed) {
  check_argument(options.given_start.rows() <= 1, "start", [&] {
    return "given_start has " + std::to_string(options.given_start.rows()) + " rows; a point method takes 1";
  });
  const bool zero = options.start == "zero" || (options.start == "usual" && model.starts_at_zero());
  if (zero && options.given_start.size() == 0) return Matrix::Zero(1, model.dimension());
  return initial_particles(model, options, seed);  // one draw
}

LocalLoss::LocalLoss(const AgentContext& context, const PointOptions& options, Index round)
    : loglik_(likelihood_of(context, options, round)), prior_(*context.model) {
  const auto at_least_one = [](Index rows) { return static_cast<double>(std::max<Index>(1, rows)); };
  terms_.emplace_back(1 / at_least_one(context.data.rows()), *loglik_);
  if (options.prior) terms_.emplace_back(options.temperature / at_least_one(context.total_rows), prior_);
}

PointServer::PointServer(const char* owner, const ServerContext& context, Belief start)
    : owner_(owner), rows_(context.rows), belief_(std::move(start)) {
  check_argument(!rows_.empty(), owner, "rows is empty; the server must know the rows of each agent");
}

std::string PointServer::objection(const Update& update) const {
  return objection_like(update, belief_.parts());
}

std::string PointServer::objection_like(const Update& update, const Belief& expected) const {
  const auto agents = static_cast<Index>(rows_.size());
  if (update.agent < 0 || update.agent >= agents) {
    return "agent " + std::to_string(update.agent) + " is not one of the " + std::to_string(agents);
  }
  return objection_to(update, expected);
}

std::vector<double> PointServer::shares(const std::vector<Update>& updates) const {
  check_argument(!updates.empty(), "fold", "no updates; at least 1 is needed");
  std::vector<double> weights;
  double total = 0;
  for (const Update& update : updates) {
    weights.push_back(static_cast<double>(rows_.at(static_cast<std::size_t>(update.agent))));
    total += weights.back();
  }
  for (double& weight : weights) weight = total > 0 ? weight / total : 1 / static_cast<double>(weights.size());
  return weights;
}

std::vector<double> PointServer::total_shares(const std::vector<Update>& updates) const {
  check_argument(!updates.empty(), "fold", "no updates; at least 1 is needed");
  double total = 0;
  for (const Index rows : rows_) total += static_cast<double>(rows);
  std::vector<double> weights;
  for (const Update& update : updates) {
    const auto rows = static_cast<double>(rows_.at(static_cast<std::size_t>(update.agent)));
    weights.push_back(total > 0 ? rows / total : 1 / static_cast<double>(rows_.size()));
  }
  return weights;
}

double PointServer::weight_of(Index agent) const {
  check_argument(agent >= 0 && agent < static_cast<Index>(rows_.size()), "fold_sum", [&] {
    return "agent " + std::to_string(agent) + " is not one of the " + std::to_string(rows_.size());
  });
  const bool nobody = std::all_of(rows_.begin(), rows_.end(), [](Index rows) { return rows == 0; });
  return nobody ? 1 : static_cast<double>(rows_[static_cast<std::size_t>(agent)]);
}

double PointServer::weight_of(const std::vector<Index>& agents) const {
  double total = 0;
  for (const Index agent : agents) total += weight_of(agent);
  if (!(total > 0)) throw Divergence("fold_sum: none of the round's agents has rows, so their sum carries no weight");
  return total;
}

std::vector<double> PointServer::shares_of(const std::vector<Index>& agents, double all) const {
  std::vector<double> out;
  for (const Index agent : agents) out.push_back(weight_of(agent) / all);
  return out;
}

double PointServer::weight_of_all() const {
  double total = 0;
  for (std::size_t k = 0; k < rows_.size(); ++k) total += weight_of(static_cast<Index>(k));
  return total;
}

std::vector<Verdict> PointServer::accept(Index round,
                                         const std::vector<Update>& updates,
                                         const std::vector<double>& weights) {
  std::vector<Index> agents;
  for (const Update& update : updates) agents.push_back(update.agent);
  return accept(round, agents, weights);
}

std::vector<Verdict> PointServer::accept(Index round,
                                         const std::vector<Index>& agents,
                                         const std::vector<double>& weights) {
  std::vector<Verdict> verdicts;
  for (std::size_t k = 0; k < agents.size(); ++k) {
    verdicts.push_back({.round = round, .agent = agents[k], .folded = true, .weight = weights[k]});
  }
  return verdicts;
}

std::string PointServer::save() const {
  StateWriter writer(owner_);
  belief_.write(writer);
  writer.matrices(memory());
  return std::move(writer).finish();
}

void PointServer::restore(const std::string& bytes) {
  StateReader reader(bytes, owner_);
  VersionedBelief belief = belief_.read(reader);
  std::vector<Matrix> memory = reader.matrices();
  reader.finish();
  recall(std::move(memory));
  belief_ = std::move(belief);
}

void PointServer::recall(std::vector<Matrix> memory) {
  if (!memory.empty()) {
    throw BadState("saved state: " + std::to_string(memory.size()) + " matrices of memory, expected 0");
  }
}

DoubleMatrix weighted_sum(const std::vector<Update>& updates, const std::vector<double>& weights, std::size_t part) {
  const Matrix& first = updates.front().belief.at(part);
  DoubleMatrix sum = DoubleMatrix::Zero(first.rows(), first.cols());
  for (std::size_t k = 0; k < updates.size(); ++k) sum += weights[k] * updates[k].belief.at(part).cast<double>();
  return sum;
}

Matrix checked_point(const DoubleMatrix& values, const char* method) {
  Matrix point = values.cast<Real>();
  if (const Position at = first_non_finite(point); at.row >= 0) {
    throw Divergence(std::string(method) + ": coordinate " + std::to_string(at.column) +
                     " is not finite after a round; the learning rate is too large");
  }
  return point;
}

}  // namespace fedstein
