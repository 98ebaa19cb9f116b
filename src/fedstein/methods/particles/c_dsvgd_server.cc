// SPDX-License-Identifier: Apache-2.0
// The server of c-dsvgd: what a round adds, what is undone, and the steps that agents are given.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "fedstein/methods/c_dsvgd.h"
#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

constexpr double kSquaresMemory = 0.8;  // of the running mean of C^2
constexpr double kLeastScore = 1e-3;
constexpr double kLongestStart = 0.1;  // root mean square of a coordinate's first step

CDsvgdSetup with_start(CDsvgdSetup options, const Model& model) {
  if (options.start == "usual") options.start = model.starts_at_zero() ? "near-zero" : "prior";
  return options;
}

}  // namespace

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
  const auto n = static_cast<double>(std::max(Index{1}, std::accumulate(rows_.begin(), rows_.end(), Index{0})));
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

}  // namespace fedstein
