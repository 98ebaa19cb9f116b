// SPDX-License-Identifier: Apache-2.0
// The agent of c-dsvgd: local steps that all other agents' scores correct, and its report of the belief.
#include <algorithm>
#include <cmath>

#include "fedstein/methods/c_dsvgd.h"
#include "fedstein/methods/particles/constant_score.h"
#include "fedstein/methods/particles/repulsion.h"
#include "fedstein/methods/points/point_method.h"
#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

constexpr Index kReportRows = 1000;  // of which the agent reports the likelihood, at most
constexpr Index kReportPieces = 10;  // in which they are spread over the shard, which may be sorted
constexpr Index kCheckRows = 100;    // of which it looks at the likelihood at the end of a walk, at most
constexpr double kAstray = 3;        // times one plus the likelihood's size: a fall that no score asks for
constexpr double kFarthest = 1000;   // that a particle may go in a round, in its own length

double at_least_one(Index count) {
  return static_cast<double>(std::max<Index>(1, count));
}

std::shared_ptr<const Kernel> kernel_of(const CDsvgdSetup& options, Index dimension) {
  if (!options.couples(dimension)) return std::make_shared<IndependentKernel>();
  return std::make_shared<RbfKernel>(Bandwidth::named(options.kernel_bandwidth));
}

// Out of all proportion to the particles, so that a networked server would refuse it again and again: no better than an
// overflow.
bool leads_too_far(const Particles& from, const Particles& to) {
  for (Index i = 0; i < from.rows(); ++i) {
    const double size = std::max(1.0, from.row(i).cast<double>().norm());
    if ((to.row(i) - from.row(i)).cast<double>().norm() > kFarthest * size) return true;
  }
  return false;
}

}  // namespace

CDsvgdAgent::CDsvgdAgent(const AgentContext& context, const CDsvgdSetup& options)
    : context_(context),
      options_(options),
      kernel_(kernel_of(options, context.model->dimension())),
      svgd_(*context.model, options),
      variate_(options.rows(), context.model->dimension()) {
  check_repulsion(*context.model, options);
  options_.repulsion = options.repulsion_of(*context.model);
}

std::optional<CDsvgdAgent::Path> CDsvgdAgent::walk(const Task& task) const {
  const double n = at_least_one(context_.total_rows);
  const double n_k = at_least_one(context_.data.rows());
  const Particles& z = task.belief[0];

  // svgd() takes sums over rows, so that all terms are n times what the formulas say.
  const auto loglik = likelihood_of(context_, options_, task.round);
  const PriorScore prior(*context_.model);
  const double b = static_cast<double>(task.belief[3](0, 0));
  const ConstantScore own(variate_.at(task));
  const ConstantScore steering(task.belief[1]);
  const AnchorScore pull(z);
  const auto repulsion = repulsion_of(context_, options_, *loglik, task.round);
  Terms terms{{b * n / n_k / options_.temperature, *loglik}};
  if (options_.prior) terms.emplace_back(b, prior);
  if (options_.variates) terms.emplace_back(-b * n, own);
  if (options_.proximal > 0) terms.emplace_back(n * options_.proximal, pull);

  const DiagonalStep step(task.belief[2].row(0) * static_cast<Real>(static_cast<double>(z.rows()) / n));
  Path path{starting_point(context_, task), Matrix::Zero(z.rows(), z.cols()), RowVector::Zero(z.cols())};
  SvgdOptions how = svgd_.options(options_.local_steps);
  how.kernel = kernel_.get();
  how.step_rule = &step;
  how.score_sum = &path.mean_score;
  if (options_.variates) how.beside.emplace_back(n, steering);
  if (repulsion) how.beside.emplace_back(b * n * options_.repulsion_strength, *repulsion);
  if (options_.preconditioned) how.square_sum = &path.mean_square;
  try {
    svgd_(path.end, terms, task, how);
  } catch (const Divergence&) {
    if (!options_.controlled) throw;
    return std::nullopt;
  }
  const double steps = at_least_one(options_.local_steps);
  path.mean_score *= static_cast<Real>(1 / (b * n * steps));
  path.mean_square *= static_cast<Real>(1 / (b * n * b * n * steps));
  if (first_non_finite(path.mean_score).row >= 0 || first_non_finite(path.mean_square).row >= 0) return std::nullopt;
  if (options_.controlled && leads_too_far(z, path.end)) return std::nullopt;
  return path;
}

std::optional<double> CDsvgdAgent::likelihood_at(const Particles& z, Index most_rows) const {
  const Index rows = context_.data.rows();
  const Index count = std::min(rows, most_rows);
  const Index pieces = std::min(count, rows == count ? 1 : kReportPieces);
  double sum = 0;
  for (Index i = 0; i < pieces; ++i) {
    sum += context_.model->log_likelihood(z, context_.data.middle_rows(i * rows / pieces, count / pieces)).mean();
  }
  if (!std::isfinite(sum)) return std::nullopt;
  return sum / options_.temperature / static_cast<double>(count / pieces * pieces);
}

// Whether a walk ends where the agent's own rows are out of all proportion less likely: no agent's scores ask for that,
// and the step was too long. Found here it does not reach the others, nor a result if this is the last round.
bool CDsvgdAgent::leads_astray(const Particles& from, const Particles& to) const {
  const std::optional<double> before = likelihood_at(from, kCheckRows);
  const std::optional<double> after = likelihood_at(to, kCheckRows);
  if (!before) return false;  // the belief is to blame
  return !after || *before - *after > kAstray * (1 + std::abs(*before));
}

Update CDsvgdAgent::update(const Task& task) {
  const Particles& z = task.belief[0];
  Matrix move = Matrix::Zero(z.rows(), z.cols());
  Matrix change = move;
  Matrix roots = Matrix::Zero(1, z.cols());  // as large as scores, so that one bound fits all parts
  Matrix report = Matrix::Zero(1, 2);        // the belief's likelihood, and whether something overflowed
  if (context_.data.rows() > 0) {
    const std::optional<double> likelihood = likelihood_at(z, kReportRows);
    std::optional<Path> path = walk(task);
    if (path && options_.controlled && leads_astray(z, path->end)) path.reset();
    const bool is_sound = likelihood && std::isfinite(static_cast<Real>(*likelihood));
    if (path && is_sound) {
      move = path->end - z;
      change = path->mean_score;
      roots = path->mean_square.cwiseSqrt();
    } else {
      report(0, 1) = is_sound ? Real{1} : Real{2};
    }
    if (is_sound) report(0, 0) = static_cast<Real>(*likelihood);
  }
  if (options_.variates) variate_.wait(task);
  return {task.round, task.agent, {std::move(move), std::move(change), std::move(report), std::move(roots)}};
}

void CDsvgdAgent::settle(const Verdict& verdict, const Update& as_sent) {
  if (!options_.variates) return;
  static const Matrix kNothing;
  const bool counts = verdict.folded && verdict.weight > 0;
  variate_.settle(verdict, counts ? sent_part(as_sent, 1, variate_.current()) : kNothing);
}

}  // namespace fedstein
