// SPDX-License-Identifier: Apache-2.0
// An algorithm of your own, whole: agents take gradient steps from the server's weights, the server averages.
// docs/adding-an-algorithm.md explains every piece.
#include <iostream>

#include "fedstein/algorithm/federation.h"
#include "fedstein/federated/plain_sides.h"
#include "fedstein/model/logistic_regression.h"

using namespace fedstein;

std::unique_ptr<ServerSide> make_server(const ServerContext& context, const Settings&) {
  const Matrix start = Matrix::Zero(1, context.model->dimension());
  return std::make_unique<PlainServer>(
      "averaging", Belief{start}, [](const Belief&, const std::vector<Update>& updates) {
        Matrix sum = Matrix::Zero(1, updates[0].belief[0].cols());
        for (const Update& update : updates) sum += update.belief[0];
        return Belief{sum / static_cast<Real>(updates.size())};
      });
}

std::unique_ptr<AgentSide> make_agent(const AgentContext& context, const Settings& settings) {
  return std::make_unique<PlainAgent>("averaging", [context, settings](const Task& task) {
    Matrix point = task.belief[0];
    const double weight = settings.number("learning_rate") / static_cast<double>(context.data.rows());
    for (Index step = 0; step < settings.integer("local_steps"); ++step) {
      Matrix move = Matrix::Zero(1, point.cols());
      context.model->add_likelihood_score(point, context.data, weight, move);
      point += move;
    }
    return Belief{point};
  });
}

const Algorithm averaging{
    .name = "averaging",
    .summary = "one point estimate: agents take gradient steps, the server averages",
    .parallel = true,
    .settings = {{.key = "local_steps", .standard = Index{20}, .help = "gradient steps of a round", .least = 0},
                 {.key = "learning_rate", .standard = 0.2, .help = "of a step", .least = kAboveZero}},
    .make_server = make_server,
    .make_agent = make_agent,
};

int main() {
  const Matrix x{{2, 1}, {1, -1}, {-1, 1}, {-2, 0}, {1, 1}, {0, 2}, {0.5, -1}, {-1, -1}};
  const Vector y{{1, 1, -1, -1, 1, -1, 1, -1}};  // the sign of 2 x_0 - x_1
  const LogisticRegression model(2);
  Federation federation(averaging, model, {Batch{x, y}.middle_rows(0, 4), Batch{x, y}.middle_rows(4, 4)});
  federation.run({.rounds = 20});
  const Particles weights = federation.particles();
  std::cout << "weights " << weights.leftCols(2) << "\n";
  return weights(0, 0) > 1 && weights(0, 1) < -0.5_r ? 0 : 1;
}
