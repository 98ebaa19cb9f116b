// SPDX-License-Identifier: Apache-2.0
// An algorithm of your own: agents take a gradient step, the server averages. docs/adding-an-algorithm.md explains it.
#include <iostream>
#include "fedstein/algorithm/federation.h"
#include "fedstein/federated/plain_sides.h"
#include "fedstein/model/logistic_regression.h"
using namespace fedstein;

Belief mean(const Belief& before, const std::vector<Update>& updates) {
  Matrix sum = Matrix::Zero(1, before[0].cols());
  for (const Update& update : updates) sum += update.belief[0];
  return {sum / static_cast<Real>(updates.size())};
}

std::unique_ptr<ServerSide> make_server(const ServerContext& context, const Settings&) {
  return std::make_unique<PlainServer>("averaging", Belief{Matrix::Zero(1, context.model->dimension())}, mean);
}

std::unique_ptr<AgentSide> make_agent(const AgentContext& context, const Settings& settings) {
  return std::make_unique<PlainAgent>("averaging", [context, settings](const Task& task) {
    Matrix point = task.belief[0];  // and then += rate * score
    context.model->add_likelihood_score(task.belief[0], context.data, settings.number("learning_rate"), point);
    return Belief{point};
  });
}

int main() {
  const Setting rate{.key = "learning_rate", .standard = 0.2, .help = "of a step", .least = kAboveZero};
  Algorithm averaging{.name = "averaging", .summary = "steps and their mean", .parallel = true, .settings = {rate}};
  averaging.make_server = make_server;
  averaging.make_agent = make_agent;
  const Matrix x{{2, 1}, {1, -1}, {-1, 1}, {-2, 0}};
  const Vector y{{1, 1, -1, -1}};  // the sign of 2 x_0 - x_1
  const LogisticRegression model(2);
  Federation federation(averaging, model, {Batch{x, y}.middle_rows(0, 2), Batch{x, y}.middle_rows(2, 2)});
  federation.run({.rounds = 20});
  std::cout << "weights " << federation.particles().leftCols(2) << "\n";
  return federation.particles()(0, 0) > 1 ? 0 : 1;
}
