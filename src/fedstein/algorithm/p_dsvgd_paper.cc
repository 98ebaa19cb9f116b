// SPDX-License-Identifier: Apache-2.0
#include "fedstein/algorithm/p_dsvgd_paper.h"

namespace fedstein {

PDsvgdPaperAgent::PDsvgdPaperAgent(const AgentContext& context, const PDsvgdOptions& options)
    : context_(context), options_(options), svgd_(*context.model, options), factor_(fresh_factor()) {}

std::unique_ptr<Factor> PDsvgdPaperAgent::fresh_factor() const {
  const Particles start = initial_particles(*context_.model, options_, context_.seed);
  return make_factor(*context_.model, options_, options_.distillation, start);
}

Update PDsvgdPaperAgent::update(const Task& task) {
  const auto q = factor_->posterior(task.belief.front(), task.version);
  const auto t_k = factor_->score();
  const auto loglik_k = likelihood_of(context_, options_, task.round);
  Particles next = starting_point(context_, task);
  svgd_(next, {{+1, *q}, {-1, *t_k}, {1 / options_.temperature, *loglik_k}}, task);

  const auto distilled = fresh_factor();
  distilled->recall(factor_->memory(), options_.rows());
  distilled->distil({task.round, task.version, task.belief.front(), next});
  pending_round_ = task.round;
  pending_ = distilled->memory();
  return {task.round, task.agent, {pending_.front()}};
}

void PDsvgdPaperAgent::settle(const Verdict& verdict) {
  if (pending_round_ != verdict.round) return;
  if (verdict.folded) factor_->recall(pending_, options_.rows());
  pending_round_ = 0;
  pending_.clear();
}

std::string PDsvgdPaperAgent::save() const {
  StateWriter writer("p-dsvgd agent, fold paper");
  writer.matrices(factor_->memory());
  writer.integer(pending_round_);
  writer.matrices(pending_);
  return std::move(writer).finish();
}

void PDsvgdPaperAgent::restore(const std::string& bytes) {
  StateReader reader(bytes, "p-dsvgd agent, fold paper");
  auto memory = reader.matrices();
  const Index round = reader.integer();
  auto pending = reader.matrices();
  reader.finish();
  if (!pending.empty()) fresh_factor()->recall(pending, options_.rows());  // only to be checked
  factor_->recall(std::move(memory), options_.rows());
  pending_round_ = round;
  pending_ = std::move(pending);
}

Index PDsvgdPaperAgent::state_size() const {
  Index size = factor_->size();
  for (const Matrix& part : pending_) size += part.size();
  return size;
}

}  // namespace fedstein
