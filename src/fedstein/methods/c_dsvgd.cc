// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/c_dsvgd.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fedstein/methods/particles/constant_score.h"
#include "fedstein/methods/points/point_method.h"
#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

constexpr Index kMostCoupled = 1000;    // parameters, for `kernel` = "auto"
constexpr Index kReportRows = 1000;     // at most
constexpr Index kReportPieces = 10;     // in which they are spread over the shard, which may be sorted
constexpr double kSquaresMemory = 0.8;  // of the running mean of C^2
constexpr double kLeastScore = 1e-3;
constexpr double kLongestStart = 0.1;  // root mean square of a coordinate's first step

double at_least_one(Index rows) {
  return static_cast<double>(std::max<Index>(1, rows));
}

std::shared_ptr<const Kernel> kernel_of(const CDsvgdSetup& options, Index dimension) {
  if (!options.couples(dimension)) return std::make_shared<IndependentKernel>();
  return std::make_shared<RbfKernel>(Bandwidth::named(options.kernel_bandwidth));
}

CDsvgdSetup with_start(CDsvgdSetup options, const Model& model) {
  if (options.start == "usual") options.start = model.starts_at_zero() ? "near-zero" : "prior";
  return options;
}

}  // namespace

bool CDsvgdSetup::couples(Index dimension) const {
  return kernel == "rbf" || (kernel == "auto" && dimension <= kMostCoupled);
}

// ---- at the agent

CDsvgdAgent::CDsvgdAgent(const AgentContext& context, const CDsvgdSetup& options)
    : context_(context),
      options_(options),
      kernel_(kernel_of(options, context.model->dimension())),
      svgd_(*context.model, options),
      variate_(options.rows(), context.model->dimension()) {}

std::optional<CDsvgdAgent::Path> CDsvgdAgent::walk(const Task& task) const {
  const double n = at_least_one(context_.total_rows);
  const double n_k = at_least_one(context_.data.rows());
  const Particles& z = task.belief[0];

  // svgd() takes sums over rows, so that all terms are n times what the formulas say.
  const auto loglik = likelihood_of(context_, options_, task.round);
  const PriorScore prior(*context_.model);
  const Matrix correction = options_.variates ? Matrix(task.belief[1] - variate_.at(task)) : Matrix();
  const ConstantScore corrected(correction);
  const AnchorScore pull(z);
  Terms terms{{n / n_k / options_.temperature, *loglik}};
  if (options_.prior) terms.emplace_back(1, prior);
  if (options_.variates) terms.emplace_back(n, corrected);
  if (options_.proximal > 0) terms.emplace_back(n * options_.proximal, pull);

  const DiagonalStep step(task.belief[2].row(0) * static_cast<Real>(static_cast<double>(z.rows()) / n));
  Path path{starting_point(context_, task), Matrix::Zero(z.rows(), z.cols())};
  SvgdOptions how = svgd_.options(options_.local_steps);
  how.kernel = kernel_.get();
  how.step_rule = &step;
  how.score_sum = &path.mean_score;
  try {
    svgd_(path.end, terms, task, how);
  } catch (const Divergence&) {
    if (!options_.controlled) throw;
    return std::nullopt;
  }
  path.mean_score *= static_cast<Real>(1 / (n * at_least_one(options_.local_steps)));
  if (first_non_finite(path.mean_score).row >= 0) return std::nullopt;
  return path;
}

std::optional<double> CDsvgdAgent::likelihood_at(const Particles& z) const {
  const Index rows = context_.data.rows();
  const Index count = std::min(rows, kReportRows);
  const Index pieces = std::min(count, rows == count ? 1 : kReportPieces);
  double sum = 0;
  for (Index i = 0; i < pieces; ++i) {
    sum += context_.model->log_likelihood(z, context_.data.middle_rows(i * rows / pieces, count / pieces)).mean();
  }
  if (!std::isfinite(sum)) return std::nullopt;
  return sum / options_.temperature / static_cast<double>(count / pieces * pieces);
}

Update CDsvgdAgent::update(const Task& task) {
  const Particles& z = task.belief[0];
  Matrix move = Matrix::Zero(z.rows(), z.cols());
  Matrix change = move;
  Matrix report = Matrix::Zero(1, 2);  // the belief's likelihood, and whether something overflowed
  if (context_.data.rows() > 0) {
    const std::optional<double> likelihood = likelihood_at(z);
    const std::optional<Path> path = walk(task);
    if (path && likelihood && std::isfinite(static_cast<Real>(*likelihood))) {
      move = path->end - z;
      change = path->mean_score;
      if (options_.variates) change -= task.belief[1];  // (mean s - c_k + C) - C
      report(0, 0) = static_cast<Real>(*likelihood);
    } else {
      report(0, 1) = likelihood ? Real{1} : Real{2};
    }
  }
  if (options_.variates) variate_.wait(task);
  return {task.round, task.agent, {std::move(move), std::move(change), std::move(report)}};
}

void CDsvgdAgent::settle(const Verdict& verdict, const Update& as_sent) {
  if (!options_.variates) return;
  static const Matrix kNothing;
  const bool counts = verdict.folded && verdict.weight > 0;
  variate_.settle(verdict, counts ? sent_part(as_sent, 1, variate_.current()) : kNothing);
}

// ---- at the server

CDsvgdServer::CDsvgdServer(const ServerContext& context, const CDsvgdSetup& options)
    : model_(context.model),
      rows_(context.rows),
      options_(with_start(options, *context.model)),
      now_{.z = initial_particles(*context.model, options_, context.seed), .c = {}, .mean_square = {}},
      known_(rows_.size()),
      control_(static_cast<Index>(rows_.size()), options.first_step) {
  check_argument(!rows_.empty(), "c-dsvgd", "rows is empty; the server must know the rows of each agent");
  now_.c = Matrix::Zero(now_.z.rows(), now_.z.cols());
  now_.mean_square = Matrix::Zero(1, now_.z.cols());
  velocity_ = now_.c;
}

// eta P
RowVector CDsvgdServer::rates() const {
  RowVector p = RowVector::Ones(now_.z.cols());
  if (options_.preconditioned && now_.squares_weight > 0) {
    const auto squares = now_.mean_square.row(0).array() / static_cast<Real>(now_.squares_weight);
    p = 1 / (squares.sqrt() + static_cast<Real>(kLeastScore));
    p /= p.mean();
  }
  return p * static_cast<Real>(control_.step());
}

std::vector<Task> CDsvgdServer::plan(Index round, const std::vector<Index>& agents) const {
  const Matrix steps = rates();
  const Matrix none = Matrix::Zero(1, steps.cols());
  const bool some = agents.size() > 1 && agents.size() < rows_.size();
  std::vector<Task> tasks;
  for (const Index agent : agents) {
    const Known& known = known_.at(static_cast<std::size_t>(agent));
    const bool measures = options_.variates && known.uploads == 0 && !some;
    Task task{round, agent, version_, {now_.z, now_.c, measures ? none : steps}, {}};
    if (known.last > 0) task.verdict = Verdict{known.last, agent, /*folded=*/!known.taken_back, /*weight=*/1};
    tasks.push_back(std::move(task));
  }
  return tasks;
}

std::string CDsvgdServer::objection(const Update& update) const {
  const auto agents = static_cast<Index>(rows_.size());
  if (update.agent < 0 || update.agent >= agents) {
    return "agent " + std::to_string(update.agent) + " is not one of the " + std::to_string(agents);
  }
  if (std::string found = objection_to(update, {now_.z, now_.c, Matrix::Zero(1, 2)}); !found.empty()) return found;
  const Real overflow = update.belief[2](0, 1);
  if (overflow != 0 && overflow != 1 && overflow != 2)
    return "its report of an overflow is " + to_text(overflow) + "; allowed: 0, 1, 2";
  return {};
}

double CDsvgdServer::share_of(Index agent) const {
  const auto all = static_cast<double>(std::accumulate(rows_.begin(), rows_.end(), Index{0}));
  if (all == 0) return 1 / static_cast<double>(rows_.size());
  return static_cast<double>(rows_.at(static_cast<std::size_t>(agent))) / all;
}

std::vector<BeliefReport> CDsvgdServer::reports_of(const std::vector<Update>& updates) const {
  const double n = at_least_one(std::accumulate(rows_.begin(), rows_.end(), Index{0}));
  const double prior = options_.prior ? model_->prior_log_density(now_.z).mean() / n : 0;
  std::vector<BeliefReport> reports;
  for (const Update& update : updates) {
    const Matrix& report = update.belief[2];
    reports.push_back({.agent = update.agent,
                       .weight = share_of(update.agent),
                       .likelihood = static_cast<double>(report(0, 0)),
                       .prior = std::isfinite(prior) ? prior : 0,
                       .overflow = static_cast<BeliefReport::Overflow>(static_cast<int>(report(0, 1)))});
  }
  return reports;
}

std::vector<Verdict> CDsvgdServer::fold(Index round, const std::vector<Update>& updates) {
  check_argument(!updates.empty(), "fold", "no updates; at least 1 is needed");
  const auto judgement = options_.controlled ? control_.judge(reports_of(updates)) : StepControl::Judgement::kKeep;
  const bool keeps = judgement == StepControl::Judgement::kKeep;
  if (keeps) take(round, updates);
  if (judgement == StepControl::Judgement::kUndo) go_back();
  if (!keeps) velocity_.setZero();
  undone_ = !keeps;
  ++version_;
  std::vector<Verdict> verdicts;
  for (const Update& update : updates) verdicts.push_back({round, update.agent, /*folded=*/true, keeps ? 1.0 : 0.0});
  return verdicts;
}

std::map<std::string, double> CDsvgdServer::figures() const {
  if (!options_.controlled) return {};
  return {{"step", control_.step()}, {"undone", undone_ ? 1 : 0}};
}

void CDsvgdServer::take(Index round, const std::vector<Update>& updates) {
  before_ = now_;
  folded_.clear();
  double heard = 0;
  for (const Update& update : updates) heard += share_of(update.agent);
  DoubleMatrix move = DoubleMatrix::Zero(now_.z.rows(), now_.z.cols());
  DoubleMatrix c = options_.variates ? now_.c.cast<double>() : move;
  for (const Update& update : updates) {
    Known& known = known_[static_cast<std::size_t>(update.agent)];
    known = {known.uploads + 1, round, false};
    folded_.push_back(update.agent);
    const double share = share_of(update.agent);
    if (share == 0) continue;
    move += share / heard * update.belief[0].cast<double>();
    c += (options_.variates ? share : share / heard) * update.belief[1].cast<double>();
  }
  const bool in_turn = updates.size() == 1 && rows_.size() > 1;
  const bool first = version_ == 0;  // its moves are those of a start that agents adapted to their data
  velocity_ = move.cast<Real>() + (in_turn ? Real{0} : static_cast<Real>(options_.server_momentum)) * velocity_;
  now_.z += velocity_;
  if (first) velocity_.setZero();
  if (const auto constrain = constraint_of(*model_)) constrain(now_.z);
  now_.c = c.cast<Real>();
  now_.mean_square = static_cast<Real>(kSquaresMemory) * now_.mean_square +
                     static_cast<Real>(1 - kSquaresMemory) * now_.c.cwiseAbs2().colwise().mean();
  now_.squares_weight = kSquaresMemory * now_.squares_weight + 1 - kSquaresMemory;
  if (first_non_finite(now_.z).row >= 0 || first_non_finite(now_.mean_square).row >= 0) {
    go_back();
    velocity_.setZero();
    throw Divergence("c-dsvgd: the particles are not finite after round " + std::to_string(round));
  }
  if (first && options_.controlled) limit_first_step();
}

// Of a start whose scores are huge, as with features that nobody has scaled, one local step may not lead out of all
// proportion.
void CDsvgdServer::limit_first_step() {
  const double coupled = options_.couples(now_.z.cols()) ? static_cast<double>(now_.z.rows()) : 1;
  const Matrix moves = now_.c.array().rowwise() * rates().array();
  const double length = coupled * std::sqrt(moves.cast<double>().squaredNorm() / static_cast<double>(moves.size()));
  if (length > kLongestStart) control_.at_most(control_.step() * kLongestStart / length);
}

void CDsvgdServer::go_back() {
  if (!before_) return;
  now_ = *before_;
  for (const Index agent : folded_) {
    Known& known = known_[static_cast<std::size_t>(agent)];
    --known.uploads;
    known.taken_back = true;
  }
  folded_.clear();
}

// ---- the method

CDsvgdSetup c_dsvgd_options(const Settings& settings) {
  CDsvgdSetup options;
  options.particles = settings.integer("particles");
  options.local_steps = settings.integer("local_steps");
  options.batch = settings.integer("batch");
  options.temperature = settings.number("temperature");
  options.kernel = settings.text("kernel");
  options.kernel_bandwidth = settings.text("kernel_bandwidth");
  options.start = settings.text("start");
  options.first_step = settings.number("step");
  options.server_momentum = settings.number("momentum");
  options.controlled = settings.flag("step_control");
  options.preconditioned = settings.flag("preconditioner");
  return options;
}

Algorithm c_dsvgd_algorithm(const ParticleExtras& extras) {
  const CDsvgdSetup standard;
  std::vector<Setting> settings =
      shared_settings({"particles", "local_steps", "batch", "temperature", "kernel_bandwidth", "momentum"});
  setting_named("particles", settings).standard = Index{8};
  setting_named("local_steps", settings).standard = Index{20};
  setting_named("kernel_bandwidth", settings).standard = std::string("original");
  setting_named("momentum", settings).standard = standard.server_momentum;
  setting_named("momentum", settings).help = "of the server; 0 when agents take turns";
  settings.push_back({.key = "start",
                      .standard = std::string("usual"),
                      .help = "initial particles: N(0, 0.1^2), for networks their initialisation; or prior draws",
                      .choices = {"usual", "prior", "near-zero"}});
  settings.push_back({.key = "kernel",
                      .standard = standard.kernel,
                      .help = "whether particles repel each other; auto: up to 1000 parameters",
                      .choices = {"auto", "rbf", "none"}});
  settings.push_back({.key = "step",
                      .standard = standard.first_step,
                      .help = "the first step; step_control finds the others",
                      .least = kAboveZero});
  settings.push_back({.key = "step_control",
                      .standard = standard.controlled,
                      .help = "grows, shrinks and takes back steps by what agents report"});
  settings.push_back({.key = "preconditioner",
                      .standard = standard.preconditioned,
                      .help = "scales coordinates by their scores, the same for all agents"});
  return {
      .name = "c-dsvgd",
      .summary = "SVGD with control variates: agents may differ, the step size finds itself",
      .parallel = true,
      .settings = std::move(settings),
      .make_server = makes<CDsvgdServer>(c_dsvgd_options, extras),
      .make_agent = makes<CDsvgdAgent>(c_dsvgd_options, extras),
  };
}

}  // namespace fedstein
