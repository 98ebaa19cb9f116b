// SPDX-License-Identifier: Apache-2.0
// An algorithm of your own, whole: agents improve one point estimate by gradient steps with momentum, the server
// averages. The program runs it on logistic regression with four agents, stops it half way, restores it in a fresh
// federation and prints what it learned. docs/adding-an-algorithm.md explains every piece.
#include <iostream>
#include <optional>

#include "fedstein/algorithm/federation.h"
#include "fedstein/evaluation/evaluation.h"
#include "fedstein/federated/state.h"
#include "fedstein/model/likelihood_scores.h"
#include "fedstein/model/logistic_regression.h"
#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

struct AveragingOptions {
  Index local_steps = 20;
  Index batch = 20;
  double learning_rate = 0.2;
  double momentum = 0.5;
};

std::vector<Setting> averaging_settings() {
  const AveragingOptions standard;
  return {
      {.key = "local_steps", .standard = standard.local_steps, .help = "gradient steps of a round", .least = 0},
      {.key = "batch", .standard = standard.batch, .help = "rows per step; at most the agent's", .least = 1},
      {.key = "learning_rate", .standard = standard.learning_rate, .help = "of a step", .least = 1e-300},
      {.key = "momentum",
       .standard = standard.momentum,
       .help = "share of the last step kept",
       .least = 0,
       .most = 0.999},
  };
}

AveragingOptions averaging_options(const Settings& settings) {
  return {.local_steps = settings.integer("local_steps"),
          .batch = settings.integer("batch"),
          .learning_rate = settings.number("learning_rate"),
          .momentum = settings.number("momentum")};
}

// ---- the half that has data

class AveragingAgent : public AgentSide {
 public:
  AveragingAgent(const AgentContext& context, const AveragingOptions& options)
      : context_(context), options_(options), velocity_(Matrix::Zero(1, context.model->dimension())) {
    check_argument(context.data.rows() >= 1, "AveragingAgent", "an agent has no rows; it needs at least 1");
  }

  Update update(const Task& task) override {
    Matrix point = task.belief.front();  // 1 x d
    if (task.version == 0) context_.model->fit_start(context_.data, point);
    const PriorScore prior(*context_.model);
    const MinibatchLikelihood likelihood(*context_.model, context_.data, options_.batch, stream_of(task));
    // Means over rows instead of sums: the learning rate does not depend on how much data there is.
    const double all = static_cast<double>(context_.total_rows), own = static_cast<double>(context_.data.rows());
    Matrix velocity = velocity_, gradient(1, point.cols());
    for (Index step = 0; step < options_.local_steps; ++step) {
      evaluate_terms({{1 / all, prior}, {1 / own, likelihood}}, point, step, gradient);
      velocity = static_cast<Real>(options_.momentum) * velocity + gradient;
      point += static_cast<Real>(options_.learning_rate) * velocity;
    }
    if (!point.allFinite()) throw Divergence("averaging: the weights are not finite; the learning rate is too large");
    pending_ = Pending{task.round, velocity};
    return {task.round, task.agent, {point}};
  }

  void settle(const Verdict& verdict, const Update& /*as_sent*/) override {
    if (!pending_ || pending_->round != verdict.round) return;
    if (verdict.folded) velocity_ = pending_->velocity;
    pending_.reset();
  }

  std::string save() const override {
    StateWriter writer("averaging agent");
    writer.matrix(velocity_);
    writer.integer(pending_ ? pending_->round : 0);
    writer.matrix(pending_ ? pending_->velocity : velocity_);
    return std::move(writer).finish();
  }

  void restore(const std::string& bytes) override {
    StateReader reader(bytes, "averaging agent");
    Matrix velocity = reader.matrix();
    Pending pending{reader.integer(), reader.matrix()};
    reader.finish();
    if (velocity.size() != velocity_.size()) throw BadState("saved state: of a model with another dimension");
    velocity_ = std::move(velocity);
    pending_ = pending.round == 0 ? std::nullopt : std::optional(std::move(pending));
  }

  Index state_size() const override { return velocity_.size() + (pending_ ? pending_->velocity.size() : 0); }

 private:
  // Which rows the steps of a round see: the same ones whenever and wherever the round is computed.
  StreamId stream_of(const Task& task) const {
    return {.seed = context_.seed,
            .agent = static_cast<std::uint64_t>(context_.agent),
            .round = static_cast<std::uint64_t>(task.round),
            .purpose = Purpose::kMinibatch};
  }

  struct Pending {
    Index round;
    Matrix velocity;
  };
  AgentContext context_;
  AveragingOptions options_;
  Matrix velocity_;                 // after the last folded round, 1 x d
  std::optional<Pending> pending_;  // an update that waits for its verdict
};

// ---- the half that has the belief

class AveragingServer : public ServerSide {
 public:
  explicit AveragingServer(const ServerContext& context)
      : rows_(context.rows), belief_{Matrix(1, context.model->dimension())} {
    Rng({.seed = context.seed, .purpose = Purpose::kInitialisation}).fill_normal(belief_.front(), 0, 0.1);
  }

  std::vector<Task> plan(Index round, const std::vector<Index>& agents) const override {
    std::vector<Task> tasks;
    tasks.reserve(agents.size());
    for (const Index agent : agents) tasks.push_back({round, agent, version_, belief_, {}});
    return tasks;
  }

  std::string objection(const Update& update) const override { return objection_to(update, belief_); }

  std::vector<Verdict> fold(Index round, const std::vector<Update>& updates) override {
    double total = 0;
    for (const Update& update : updates) total += rows_of(update.agent);
    Matrix mean = Matrix::Zero(1, belief_.front().cols());
    std::vector<Verdict> verdicts;
    for (const Update& update : updates) {
      const double share = rows_of(update.agent) / total;
      mean += static_cast<Real>(share) * update.belief.front();
      verdicts.push_back({round, update.agent, /*folded=*/true, share});
    }
    if (!mean.allFinite()) throw Divergence("averaging: the mean of the agents' weights is not finite");
    belief_.front().swap(mean);
    ++version_;
    return verdicts;
  }

  Particles particles() const override { return belief_.front(); }

  std::string save() const override {
    StateWriter writer("averaging server");
    writer.integer(version_);
    writer.matrices(belief_);
    return std::move(writer).finish();
  }

  void restore(const std::string& bytes) override {
    StateReader reader(bytes, "averaging server");
    const Index version = reader.integer();
    Belief belief = reader.matrices();
    reader.finish();
    if (const std::string objection = objection_to({0, 0, belief}, belief_); !objection.empty()) {
      throw BadState("saved state: " + objection);
    }
    version_ = version;
    belief_ = std::move(belief);
  }

 private:
  double rows_of(Index agent) const { return static_cast<double>(rows_.at(static_cast<std::size_t>(agent))); }

  std::vector<Index> rows_;  // of each agent
  Belief belief_;            // one point, 1 x d
  Index version_ = 0;
};

Algorithm averaging_algorithm() {
  return {
      .name = "averaging",
      .summary = "one point estimate: agents take gradient steps, the server averages by rows",
      .parallel = true,
      .settings = averaging_settings(),
      .make_server = [](const ServerContext& context,
                        const Settings&) { return std::make_unique<AveragingServer>(context); },
      .make_agent =
          [](const AgentContext& context, const Settings& settings) {
            return std::make_unique<AveragingAgent>(context, averaging_options(settings));
          },
  };
}

// ---- a run

// Rows whose label follows the sign of 2 x_0 - x_1, with some noise.
struct Data {
  Data() {
    Rng rng({.seed = 1, .purpose = Purpose::kGenerator});
    rng.fill_normal(x);
    for (Index i = 0; i < x.rows(); ++i) {
      y(i) = static_cast<double>(2 * x(i, 0) - x(i, 1)) + 0.5 * rng.normal() > 0 ? 1 : -1;
    }
  }
  Batch test() const { return Batch{x, y}.middle_rows(240, 160); }
  std::vector<Batch> shards() const {
    std::vector<Batch> all;
    for (Index k = 0; k < 4; ++k) all.push_back(Batch{x, y}.middle_rows(60 * k, 60));
    return all;
  }
  Matrix x = Matrix(400, 2);
  Vector y = Vector(400);
};

void run(LocalFederation& federation, Index first_round, Index last_round) {
  class : public Observer {
    Next on_round(RoundRecord&, const Particles&) override { return Next::kContinue; }
  } nobody;
  InProcessTransport transport(federation.agent_pointers());
  const RandomFraction half_of_them(federation.agents(), 0.5, /*seed=*/7);
  coordinate(federation.server(), half_of_them, transport, nobody, {.first_round = first_round, .rounds = last_round});
}

int run_example() {
  const Data data;
  const LogisticRegression model(2);
  const Algorithm averaging = averaging_algorithm();
  Settings settings(averaging.settings);
  settings.set("local_steps", Index{10});
  const auto federation = [&] { return LocalFederation(averaging, settings, model, data.shards(), /*seed=*/3); };

  LocalFederation whole = federation(), stopped = federation(), resumed = federation();
  run(whole, 1, 20);
  run(stopped, 1, 11);
  resumed.restore(stopped.save());
  run(resumed, 12, 20);
  const bool exact = resumed.save() == whole.save();

  const double accuracy = Evaluation(model, data.test()).figures(whole.server().particles()).at("accuracy");
  std::cout << "accuracy " << accuracy
            << " after 20 rounds; stopped and resumed: " << (exact ? "the same" : "different") << "\n";
  return exact && accuracy > 0.85 ? 0 : 1;
}

}  // namespace
}  // namespace fedstein

int main() {
  return fedstein::run_example();
}
