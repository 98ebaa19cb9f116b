// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/vr_fald.h"

#include "fedstein/methods/dsgld.h"
#include "fedstein/methods/particles/constant_score.h"
#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

constexpr const char* kVrFaldAgent = "vr-fald agent";

// score_B at a reference, wherever the chains are; the rows B are those of the step.
class ReferenceScore : public Score {
 public:
  ReferenceScore(const Score& score, const Matrix& reference) : score_(&score), reference_(&reference) {}
  void add(const ConstMatrixRef& /*theta*/, Index step, double weight, MatrixRef grad) const override {
    score_->add(*reference_, step, weight, grad);
  }

 private:
  const Score* score_;
  const Matrix* reference_;
};

VrFaldSetup vr_fald_options(const Settings& settings) {
  return {fald_options(settings), settings.integer("refresh")};
}

Belief start_of_chains(const ServerContext& context, const VrFaldSetup& options) {
  Particles chains = initial_particles(*context.model, options, context.seed);
  Matrix none = Matrix::Zero(chains.rows(), chains.cols());
  return {std::move(chains), std::move(none)};
}

}  // namespace

// ---- at the agent

Update VrFaldAgent::update(const Task& task) {
  const Matrix& received = task.belief.front();
  const double weight = shard_weight(context_, options_);  // n/n_k
  Matrix change = Matrix::Zero(received.rows(), received.cols());
  if (weight == 0) {
    pending_.wait(task.round, {});
    return {task.round, task.agent, {received, std::move(change)}};
  }

  const double alpha = options_.temperature;
  const PriorScore prior(*context_.model);
  const ChainLikelihood loglik(context_, options_, task.round);
  Terms terms = {{+1, prior}, {weight / alpha, loglik}};
  const bool has_reference = !kept_.empty();
  const Matrix& everything = task.belief.at(1);  // C
  const ReferenceScore before(loglik, has_reference ? kept_.front() : received);
  const ConstantScore all(everything);
  if (has_reference) {
    terms.emplace_back(-weight / alpha, before);
    terms.emplace_back(+1 / alpha, all);
  }
  Particles chains = fald_trajectory(context_, options_, task, terms);

  std::vector<Matrix> next;
  if (!has_reference || task.round % options_.refresh == 0) {
    next = {starting_point(context_, task), Matrix::Zero(received.rows(), received.cols())};  // Y_k, c_k
    context_.model->add_likelihood_score(next.front(), context_.data, 1, next.back());
    change = has_reference ? Matrix(next.back() - kept_.back()) : next.back();
  }
  pending_.wait(task.round, std::move(next));
  return {task.round, task.agent, {std::move(chains), std::move(change)}};
}

void VrFaldAgent::settle(const Verdict& verdict, const Update& as_sent) {
  auto next = pending_.settle(verdict);
  if (!next || next->empty()) return;
  const Matrix& change = sent_part(as_sent, 1, next->back());  // the server adds the same to C
  next->back() = kept_.empty() ? change : Matrix(kept_.back() + change);
  kept_ = std::move(*next);
}

std::string VrFaldAgent::save() const {
  StateWriter writer(kVrFaldAgent);
  writer.matrices(kept_);
  pending_.write(writer);
  return std::move(writer).finish();
}

void VrFaldAgent::refuse_unlike(const std::vector<Matrix>& kept) const {
  if (kept.empty()) return;
  if (kept.size() != 2) throw BadState("saved state: " + std::to_string(kept.size()) + " matrices, expected 0 or 2");
  for (const Matrix& part : kept) expect_shape(part, options_.rows(), context_.model->dimension());
}

void VrFaldAgent::restore(const std::string& bytes) {
  StateReader reader(bytes, kVrFaldAgent);
  std::vector<Matrix> kept = reader.matrices();
  PendingUpdate pending = PendingUpdate::read(reader);
  reader.finish();
  refuse_unlike(kept);
  refuse_unlike(pending.values());
  kept_ = std::move(kept);
  pending_ = std::move(pending);
}

// ---- at the server

VrFaldServer::VrFaldServer(const ServerContext& context, const VrFaldSetup& options)
    : PointServer("vr-fald server", context, start_of_chains(context, options)),
      rows_(context.rows),
      heard_(Matrix::Zero(1, static_cast<Index>(context.rows.size()))) {}

std::vector<Task> VrFaldServer::plan(Index round, const std::vector<Index>& agents) const {
  double all = 0, heard = 0;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const auto n_k = static_cast<double>(rows_[k]);
    all += n_k;
    heard += static_cast<double>(heard_(0, static_cast<Index>(k))) * n_k;
  }
  std::vector<Task> tasks = PointServer::plan(round, agents);
  for (Task& task : tasks) {
    if (heard > 0 && heard < all) task.belief[1] *= static_cast<Real>(all / heard);
    task.belief.push_back(rows_of_round(rows_, agents));
  }
  return tasks;
}

std::vector<Verdict> VrFaldServer::fold(Index round, const std::vector<Update>& updates) {
  const std::vector<double> weights = shares(updates);
  const std::vector<double> ones(updates.size(), 1);
  Matrix chains = checked_point(weighted_sum(updates, weights), "vr-fald");
  Matrix all = checked_point(belief()[1].cast<double>() + weighted_sum(updates, ones, 1), "vr-fald");
  std::vector<Verdict> verdicts = accept(round, updates, weights);
  for (const Update& update : updates) heard_(0, update.agent) = 1;  // nothing throws from here on
  replace({std::move(chains), std::move(all)});
  return verdicts;
}

void VrFaldServer::recall(std::vector<Matrix> memory) {
  if (memory.size() != 1) throw BadState("saved state: " + std::to_string(memory.size()) + " matrices, expected 1");
  expect_shape(memory.front(), 1, heard_.cols());
  heard_ = std::move(memory.front());
}

Algorithm vr_fald_algorithm(const ParticleExtras& extras) {
  std::vector<Setting> settings = fald_settings();
  settings.push_back(
      {.key = "refresh",
       .standard = VrFaldSetup().refresh,
       .help = "rounds after which an agent renews its reference; each renewal costs a pass over its rows",
       .least = 1});
  return {
      .name = "vr-fald",
      .summary = "VR-FALD*: FALD with control variates that correct the drift of agents with skewed data",
      .parallel = true,
      .settings = std::move(settings),
      .make_server = makes<VrFaldServer>(vr_fald_options, extras),
      .make_agent = makes<VrFaldAgent>(vr_fald_options, extras),
  };
}

}  // namespace fedstein
