// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/fsgld.h"

#include "fedstein/federated/state.h"
#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

FsgldSetup fsgld_options(const Settings& settings) {
  FsgldSetup options{langevin_options(settings), {}};
  options.surrogate_steps = settings.integer("surrogate_steps");
  return options;
}

}  // namespace

// ---- at the agent

Update FsgldAgent::update(const Task& task) {
  if (!own_) own_ = fit_surrogate(context_, options_, options_.surrogate_steps);
  const auto n = static_cast<double>(context_.total_rows);
  const auto n_k = static_cast<double>(context_.data.rows());
  const double heard = n_k + static_cast<double>(task.belief.at(3)(0, 0));

  Belief answer = {task.belief[0], task.belief.at(1)};
  const auto weight = static_cast<Real>(shard_weight(context_, options_));
  if (weight > 0) {
    const Surrogate all = static_cast<Real>(heard > 0 ? n / heard : 0) * (task.belief[2] + *own_);
    const SurrogateScore conducive(all - weight * *own_, Reach(all));
    answer[0] = trajectory(context_, options_, task, {{+1, conducive}});
  }
  if (!sent_) answer.push_back(*own_);
  pending_round_ = task.round;
  return {task.round, task.agent, std::move(answer)};
}

void FsgldAgent::settle(const Verdict& verdict, const Update& as_sent) {
  if (pending_round_ != verdict.round) return;
  pending_round_ = 0;
  if (!verdict.folded) return;
  // A restored agent has not fitted its surrogate again: what was sent is the one that counts anyway.
  if (!sent_) own_ = sent_part(as_sent, 2, Matrix(2, context_.model->dimension()));
  sent_ = true;
}

std::string FsgldAgent::save() const {
  StateWriter writer("fsgld agent");
  writer.integer(pending_round_);
  writer.integer(sent_ ? 1 : 0);
  if (sent_) writer.matrix(*own_);
  return std::move(writer).finish();
}

void FsgldAgent::restore(const std::string& bytes) {
  StateReader reader(bytes, "fsgld agent");
  const Index pending_round = reader.integer();
  const bool sent = reader.integer() != 0;
  std::optional<Surrogate> own;
  if (sent) own = reader.matrix();
  reader.finish();
  if (own && (own->rows() != 2 || own->cols() != context_.model->dimension())) {
    throw BadState("saved state: a surrogate of " + shape_of(*own) + ", expected 2 x " +
                   std::to_string(context_.model->dimension()));
  }
  own_ = std::move(own);
  sent_ = sent;
  pending_round_ = pending_round;
}

// ---- at the server

FsgldServer::FsgldServer(const ServerContext& context, const FsgldSetup& options)
    : rows_(context.rows),
      chains_(initial_particles(*context.model, options, context.seed),
              static_cast<Index>(context.rows.size()),
              context.seed) {}

std::vector<Task> FsgldServer::plan(Index round, const std::vector<Index>& agents) const {
  std::vector<Task> tasks = chains_.plan(round, agents);
  for (Task& task : tasks) {
    DoubleMatrix others = DoubleMatrix::Zero(2, chains_.particles().cols());
    Index rows = 0;
    for (const auto& [agent, surrogate] : surrogates_) {
      if (agent == task.agent) continue;
      others += surrogate.cast<double>();
      rows += rows_[static_cast<std::size_t>(agent)];
    }
    task.belief.emplace_back(others.cast<Real>());
    task.belief.emplace_back(Matrix::Constant(1, 1, static_cast<Real>(rows)));
  }
  return tasks;
}

std::string FsgldServer::objection_to_surrogate(const Matrix& surrogate) const {
  const Belief expected = {Matrix::Zero(2, chains_.particles().cols())};
  if (const std::string complaint = objection_to({0, 0, {surrogate}}, expected); !complaint.empty()) {
    return "surrogate: " + complaint;
  }
  if (surrogate.row(1).minCoeff() < 0) return "surrogate: a negative precision";
  return {};
}

std::string FsgldServer::objection(const Update& update) const {
  if (update.agent < 0 || update.agent >= static_cast<Index>(rows_.size())) {
    return "agent " + std::to_string(update.agent) + ", expected 0 to " + std::to_string(rows_.size() - 1);
  }
  if (update.belief.size() < 2 || update.belief.size() > 3) {
    return std::to_string(update.belief.size()) + " matrices, expected 2 or 3";
  }
  if (update.belief.size() == 3) {
    if (std::string complaint = objection_to_surrogate(update.belief[2]); !complaint.empty()) return complaint;
  }
  return chains_.objection({update.round, update.agent, {update.belief[0], update.belief[1]}});
}

std::vector<Verdict> FsgldServer::fold(Index round, const std::vector<Update>& updates) {
  std::vector<Update> lent;
  std::map<Index, Surrogate> fresh;
  for (const Update& update : updates) {
    lent.push_back({update.round, update.agent, {update.belief[0], update.belief[1]}});
    if (update.belief.size() == 3) fresh.emplace(update.agent, update.belief[2]);
  }
  std::vector<Verdict> verdicts = chains_.fold(round, lent);
  for (const Verdict& verdict : verdicts) {
    if (!verdict.folded) fresh.erase(verdict.agent);
  }
  fresh.merge(surrogates_);  // the old ones, where there is nothing newer; nothing is allocated from here on
  surrogates_ = std::move(fresh);
  return verdicts;
}

std::string FsgldServer::save() const {
  StateWriter writer("fsgld server");
  writer.text(chains_.save());
  writer.integer(static_cast<Index>(surrogates_.size()));
  for (const auto& [agent, surrogate] : surrogates_) {
    writer.integer(agent);
    writer.matrix(surrogate);
  }
  return std::move(writer).finish();
}

void FsgldServer::restore(const std::string& bytes) {
  StateReader reader(bytes, "fsgld server");
  const std::string chains = reader.text();
  const Index count = reader.integer();
  std::map<Index, Surrogate> surrogates;
  for (Index i = 0; i < count; ++i) {
    const Index agent = reader.integer();
    Matrix surrogate = reader.matrix();
    if (agent < 0 || agent >= static_cast<Index>(rows_.size())) {
      throw BadState("saved state: a surrogate of agent " + std::to_string(agent) + "; there are " +
                     std::to_string(rows_.size()));
    }
    if (const std::string complaint = objection_to_surrogate(surrogate); !complaint.empty()) {
      throw BadState("saved state: " + complaint);
    }
    surrogates[agent] = std::move(surrogate);
  }
  reader.finish();
  chains_.restore(chains);
  surrogates_ = std::move(surrogates);
}

Algorithm fsgld_algorithm(const ParticleExtras& extras) {
  std::vector<Setting> settings = langevin_settings(
      "step size a0 (0.5 + t)^-0.55; for DSGLD the paper has 0.01, for Year, MNIST and Fashion-MNIST 0.0005");
  Setting weight = shard_weight_setting();
  weight.help =
      "weight of an agent's likelihood and surrogate; rows: n/n_k, for turns by numbers of rows; agents: K, for equal "
      "turns";
  weight.choices = {"rows", "agents"};
  settings.push_back(weight);
  settings.push_back(
      {.key = "surrogate_steps",
       .standard = FsgldSetup().surrogate_steps,
       .help = "minibatch steps that an agent takes once, before the Gaussian is fitted to its likelihood",
       .least = 0});
  return {
      .name = "fsgld",
      .summary = "federated SGLD: DSGLD whose agents correct for each other's data by Gaussian surrogates",
      .parallel = true,
      .settings = std::move(settings),
      .make_server = makes<FsgldServer>(fsgld_options, extras),
      .make_agent = makes<FsgldAgent>(fsgld_options, extras),
  };
}

}  // namespace fedstein
