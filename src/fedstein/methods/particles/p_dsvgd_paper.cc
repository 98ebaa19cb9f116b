// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/particles/p_dsvgd_paper.h"

#include "fedstein/methods/particles/repulsion.h"

namespace fedstein {

PDsvgdPaperAgent::PDsvgdPaperAgent(const AgentContext& context, const PDsvgdSetup& options)
    : context_(context), options_(options), svgd_(*context.model, options), factor_(fresh_factor()) {
  check_repulsion(*context.model, options);
}

std::unique_ptr<Factor> PDsvgdPaperAgent::fresh_factor() const {
  const Particles start = initial_particles(*context_.model, options_, context_.seed);
  return make_factor(*context_.model, options_, options_.distillation, start);
}

Update PDsvgdPaperAgent::update(const Task& task) {
  const auto q = factor_->posterior(task.belief.front(), task.version);
  const auto t_k = factor_->score();
  const auto loglik_k = likelihood_of(context_, options_, task.round);
  Particles next = starting_point(context_, task);
  const auto repulsion = repulsion_of(context_, options_, *loglik_k, task.round);
  Terms terms{{+1, *q}, {-1, *t_k}, {1 / options_.temperature, *loglik_k}};
  if (repulsion)
    terms.emplace_back(options_.repulsion_strength * static_cast<double>(context_.data.rows()), *repulsion);
  svgd_(next, terms, task);

  const auto distilled = fresh_factor();
  distilled->recall(factor_->memory(), options_.rows());
  distilled->distil({task.round, task.version, task.belief.front(), next});
  pending_.wait(task.round, distilled->memory());
  return {task.round, task.agent, {pending_.values().front()}};
}

void PDsvgdPaperAgent::settle(const Verdict& verdict, const Update& as_sent) {
  auto memory = pending_.settle(verdict);
  if (!memory) return;
  memory->front() = sent_part(as_sent, 0, memory->front());
  factor_->recall(std::move(*memory), options_.rows());
}

std::string PDsvgdPaperAgent::save() const {
  StateWriter writer("p-dsvgd agent, fold paper");
  writer.matrices(factor_->memory());
  pending_.write(writer);
  return std::move(writer).finish();
}

void PDsvgdPaperAgent::restore(const std::string& bytes) {
  StateReader reader(bytes, "p-dsvgd agent, fold paper");
  auto memory = reader.matrices();
  PendingUpdate pending = PendingUpdate::read(reader);
  reader.finish();
  if (!pending.values().empty()) fresh_factor()->recall(pending.values(), options_.rows());  // only to be checked
  factor_->recall(std::move(memory), options_.rows());
  pending_ = std::move(pending);
}

Index PDsvgdPaperAgent::state_size() const {
  return factor_->size() + size_of(pending_.values());
}

}  // namespace fedstein
