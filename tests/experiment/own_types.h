// SPDX-License-Identifier: Apache-2.0
// A model type and a method as somebody else might write them, without the settings that ours have.
#pragma once

#include "fedstein/methods/points/point_method.h"
#include "fedstein/model/logistic_regression.h"
#include "fedstein/registry/registry.h"

namespace fedstein {

inline ModelType flat_logistic() {
  return {.name = "flat-logistic",
          .summary = "logistic regression with a prior of one's own",
          .labels = {LabelKind::kBinary},
          .settings = {{.key = "flatness", .standard = 1.0, .help = "scale of the prior", .least = kAboveZero}},
          .make = [](const Settings& given, const ModelShape& shape) -> std::unique_ptr<Model> {
            return std::make_unique<LogisticRegression>(
                shape.features, LogisticRegression::Options{.prior_scale = given.number("flatness")});
          }};
}

// Agents send the gradient of their loss, the server follows its mean.
class GradientAgent : public ForgetfulAgent {
 public:
  explicit GradientAgent(const AgentContext& context) : ForgetfulAgent("gradient agent"), context_(context) {}
  Update update(const Task& task) override {
    Matrix gradient = Matrix::Zero(1, context_.model->dimension());
    context_.model->add_likelihood_score(
        task.belief.front(), context_.data, 1 / static_cast<double>(context_.data.rows()), gradient);
    return {task.round, task.agent, {gradient}};
  }

 private:
  AgentContext context_;
};

class GradientServer : public PointServer {
 public:
  GradientServer(const ServerContext& context, double rate)
      : PointServer("gradient server", context, {Matrix::Zero(1, context.model->dimension())}), rate_(rate) {}
  std::vector<Verdict> fold(Index round, const std::vector<Update>& updates) override {
    const std::vector<double> weights = shares(updates);
    Matrix next = checked_point(belief().front().cast<double>() + rate_ * weighted_sum(updates, weights), "gradient");
    std::vector<Verdict> verdicts = accept(round, updates, weights);
    replace({std::move(next)});
    return verdicts;
  }

 private:
  double rate_;
};

inline Algorithm gradient_method() {
  return {.name = "gradient",
          .summary = "a method of somebody's own",
          .parallel = true,
          .settings = {{.key = "rate", .standard = 1.0, .help = "of a step", .least = kAboveZero}},
          .make_server =
              [](const ServerContext& context, const Settings& settings) {
                return std::make_unique<GradientServer>(context, settings.number("rate"));
              },
          .make_agent = [](const AgentContext& context,
                           const Settings&) { return std::make_unique<GradientAgent>(context); }};
}

inline Registry own_registry() {
  Registry registry = Registry::standard();
  registry.add(flat_logistic()).add(gradient_method());
  return registry;
}

}  // namespace fedstein
