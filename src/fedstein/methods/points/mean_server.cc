// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/points/mean_server.h"

#include "fedstein/numeric/check.h"

namespace fedstein {

MeanServer::MeanServer(const char* owner, const ServerContext& context, Belief start, const Shape& shape)
    : PointServer(owner, context, std::move(start)),
      model_(context.model),
      shape_(shape),
      agents_(static_cast<Index>(context.rows.size())) {}

Belief MeanServer::expected() const {
  return {belief().begin(), belief().begin() + static_cast<std::ptrdiff_t>(shape_.answers)};
}

std::string MeanServer::objection(const Update& update) const {
  return objection_like(update, expected());
}

std::vector<Verdict> MeanServer::fold(Index round, const std::vector<Update>& updates) {
  check_argument(!updates.empty(), "fold", "no updates; at least 1 is needed");
  std::vector<Index> agents;
  for (const Update& update : updates) agents.push_back(update.agent);
  const double total = count_of_these(agents);
  std::vector<double> shares;
  for (const Index agent : agents) {
    shares.push_back(total > 0 ? count_of(agent) / total : 1 / static_cast<double>(agents.size()));
  }
  std::vector<DoubleMatrix> mean;
  for (std::size_t part = 0; part < shape_.answers; ++part) mean.push_back(weighted_sum(updates, shares, part));
  std::vector<Verdict> verdicts = accept(round, agents, shares);
  take(mean, agents);
  return verdicts;
}

std::vector<double> MeanServer::weights(Index agent) const {
  return std::vector<double>(shape_.answers, count_of(agent));
}

std::vector<Verdict> MeanServer::fold_sum(Index round,
                                          const std::vector<DoubleMatrix>& sum,
                                          const std::vector<Index>& agents) {
  check_sum(sum, agents, expected());
  const double total = count_of_these(agents);
  if (!(total > 0)) throw Divergence("fold_sum: none of the round's agents has rows, so their sum carries no weight");
  std::vector<double> shares;
  for (const Index agent : agents) shares.push_back(count_of(agent) / total);
  std::vector<DoubleMatrix> mean = sum;
  for (DoubleMatrix& part : mean) part /= total;
  std::vector<Verdict> verdicts = accept(round, agents, shares);
  take(mean, agents);
  return verdicts;
}

double MeanServer::count_of_these(const std::vector<Index>& agents) const {
  double total = 0;
  for (const Index agent : agents) total += count_of(agent);
  return total;
}

double MeanServer::part_of_all(const std::vector<Index>& agents) const {
  std::vector<Index> all;
  for (Index agent = 0; agent < agents_; ++agent) all.push_back(agent);
  return count_of_these(agents) / count_of_these(all);
}

Matrix MeanServer::allowed_point(const DoubleMatrix& values, const char* method) const {
  Matrix point = checked_point(values, method);
  if (const auto constrain = constraint_of(*model_)) constrain(point);
  return point;
}

std::vector<Setting> plain_point_settings() {
  std::vector<Setting> settings = point_settings();
  setting_named("step_rule", settings).standard = std::string("plain");
  setting_named("learning_rate", settings).standard = 0.1;
  return settings;
}

Setting weighting_setting() {
  return {.key = "weighting",
          .standard = std::string("rows"),
          .help = "weights of the agents; rows: by their numbers of rows; uniform: equal, as in the method's paper",
          .choices = {"rows", "uniform"}};
}

}  // namespace fedstein
