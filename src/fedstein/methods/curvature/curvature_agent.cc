// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/curvature/curvature_agent.h"

#include <algorithm>
#include <cmath>

#include "fedstein/methods/curvature/others_model.h"
#include "fedstein/methods/particles/repulsion.h"
#include "fedstein/numeric/check.h"
#include "fedstein/stein/falling_step.h"

namespace fedstein {
namespace {

// Lines of the two are anchored in other places.
const char* owner(const CurvatureOptions& options) {
  return options.parallel ? "curvature agent, parallel" : "curvature agent, sequential";
}

void check_belief(const Belief& belief) {
  check_argument(belief.size() == kBeliefParts, "curvature agent", [&] {
    return "the task has " + std::to_string(belief.size()) + " matrices; factor = 'curvature' exchanges " +
           std::to_string(kBeliefParts);
  });
}

}  // namespace

CurvatureAgent::CurvatureAgent(const AgentContext& context, const CurvatureOptions& options)
    : context_(context),
      options_(options),
      svgd_(*context.model, options),
      mine_(FactorLine::zero(options.rows(), context.model->dimension())) {
  check_has_gauss_newton(*context.model);
  check_repulsion(*context.model, options);
}

Update CurvatureAgent::update(const Task& task) {
  check_belief(task.belief);
  const Matrix& path = task.belief[kBeliefPath];
  const Particles z = starting_point(context_, task);
  const FactorMeasure here = measure_factor(context_, options_, z, task.round);
  const OthersModel others(context_, options_, task.belief, mine_, z, here);

  const PriorScore prior(*context_.model);
  const auto loglik_k = likelihood_of(context_, options_, task.round);
  const ChangeSince change(*loglik_k, z);
  const LineScore line = others.line(prior);
  Particles next = z;
  // When all agents start at the same time, nobody knows the others' factors yet. The first round only measures and
  // sends them.
  const bool introduction = options_.parallel && task.version == 0;
  if (const Index steps = introduction ? 0 : options_.local_steps; steps > 0) {
    const FallingStep falling(svgd_.step_rule(), steps);
    SvgdOptions how = svgd_.options(steps);
    how.step_rule = &falling;
    const auto repulsion = repulsion_of(context_, options_, *loglik_k, task.round);
    Terms terms{{+1, prior}, {(1 + others.likeness()) / options_.temperature, change}, {+1, line}};
    // Whole at every agent, as the prior is: no line holds it.
    if (repulsion)
      terms.emplace_back(options_.repulsion_strength * static_cast<double>(context_.total_rows), *repulsion);
    svgd_(next, terms, task, how);
  }

  const FactorMeasure there = measure_factor(context_, options_, next, task.round);
  const Matrix next_path = path + others.way(next, there.score);
  const FactorLine after = options_.parallel ? FactorLine::through(here.score, path, here.curvature)
                                             : FactorLine::through(there.score, next_path, there.curvature);
  pending_.wait(task.round, {after.intercept, after.slope});
  return {task.round, task.agent, {next, next_path, after.intercept - mine_.intercept, after.slope - mine_.slope}};
}

namespace {

// A part of the own line after its change was sent. What was sent counts, for the server adds it to the others'. Where
// it is what was computed, the line is taken as computed, without the rounding of another sum.
Matrix settled_part(const Matrix& before, Matrix after, const Matrix& sent) {
  const Matrix computed = after - before;
  return sent == computed ? std::move(after) : Matrix(before + sent);
}

}  // namespace

void CurvatureAgent::settle(const Verdict& verdict, const Update& as_sent) {
  auto settled = pending_.settle(verdict);
  if (!settled) return;
  const Matrix& intercept = sent_part(as_sent, kBeliefIntercept, mine_.intercept);
  const Matrix& slope = sent_part(as_sent, kBeliefSlope, mine_.slope);
  mine_ = {settled_part(mine_.intercept, std::move(settled->front()), intercept),
           settled_part(mine_.slope, std::move(settled->back()), slope)};
}

std::string CurvatureAgent::save() const {
  StateWriter writer(owner(options_));
  writer.matrices({mine_.intercept, mine_.slope});
  pending_.write(writer);
  return std::move(writer).finish();
}

void CurvatureAgent::restore(const std::string& bytes) {
  StateReader reader(bytes, owner(options_));
  std::vector<Matrix> line = reader.matrices();
  PendingUpdate pending = PendingUpdate::read(reader);
  reader.finish();
  const auto refuse_unlike = [&](const std::vector<Matrix>& found) {
    const std::string objection = objection_to({0, 0, found}, {mine_.intercept, mine_.slope});
    if (!objection.empty()) throw BadState("saved state: factor line: " + objection);
  };
  refuse_unlike(line);
  if (!pending.values().empty()) refuse_unlike(pending.values());
  mine_ = {std::move(line.front()), std::move(line.back())};
  pending_ = std::move(pending);
}

Index CurvatureAgent::state_size() const {
  return mine_.intercept.size() + mine_.slope.size() + size_of(pending_.values());
}

}  // namespace fedstein
