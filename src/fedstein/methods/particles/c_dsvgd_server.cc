// SPDX-License-Identifier: Apache-2.0
// The server of c-dsvgd: what agents are given, what a round adds, and what is undone.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "fedstein/methods/c_dsvgd.h"
#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

constexpr double kSquaresMemory = 0.8;  // of their running mean
constexpr double kLongestStart = 0.1;   // root mean square of a coordinate's first step

}  // namespace

CDsvgdServer::CDsvgdServer(const ServerContext& context, const CDsvgdSetup& options)
    : model_(context.model),
      rows_(context.rows),
      options_(options.settled_for(*context.model)),
      now_{.z = initial_particles(*context.model, options_, context.seed),
           .mean = {},
           .c = {},
           .direction = {},
           .mean_square = {}},
      known_(rows_.size()),
      control_(static_cast<Index>(rows_.size()), options_.first_step),
      watch_(static_cast<Index>(rows_.size())) {
  check_argument(!rows_.empty(), "c-dsvgd", "rows is empty; the server must know the rows of each agent");
  now_.mean = now_.z;
  now_.c = Matrix::Zero(now_.z.rows(), now_.z.cols());
  now_.direction = now_.c;
  now_.mean_square = Matrix::Zero(1, now_.z.cols());
  velocity_ = now_.c;
}

std::vector<Task> CDsvgdServer::plan(Index round, const std::vector<Index>& agents) const {
  const Matrix steps = rates();
  const double b = own_say(agents.size());
  const Matrix pull = steering(b);
  const Matrix none = Matrix::Zero(1, steps.cols());
  const bool some = agents.size() > 1 && agents.size() < rows_.size();
  std::vector<Task> tasks;
  for (const Index agent : agents) {
    const Known& known = known_.at(static_cast<std::size_t>(agent));
    const bool measures = options_.variates && known.uploads == 0 && !some;
    Task task{round,
              agent,
              version_,
              {now_.z, pull, measures ? none : steps, Matrix::Constant(1, 1, static_cast<Real>(b))},
              {}};
    if (known.last > 0) task.verdict = Verdict{known.last, agent, /*folded=*/!known.taken_back, /*weight=*/1};
    tasks.push_back(std::move(task));
  }
  return tasks;
}

double CDsvgdServer::share_of(Index agent) const {
  const auto all = static_cast<double>(std::accumulate(rows_.begin(), rows_.end(), Index{0}));
  if (all == 0) return 1 / static_cast<double>(rows_.size());
  return static_cast<double>(rows_.at(static_cast<std::size_t>(agent))) / all;
}

std::vector<Verdict> CDsvgdServer::fold(Index round, const std::vector<Update>& updates) {
  check_argument(!updates.empty(), "fold", "no updates; at least 1 is needed");
  using Judgement = StepControl::Judgement;
  StepControl control = control_;
  ReportWatch watch = watch_;
  ReportWatch::Sifted sifted;
  Judgement judgement = Judgement::kKeep;
  if (options_.controlled) {
    sifted = watch.sift(reports_of(updates));
    check_hope(sifted, control);
    control.give_back(sifted.given_back);
    judgement = control.judge(sifted.followed);
  }
  const auto is_left_out = [&](const Update& update) {
    return std::find(sifted.left_out.begin(), sifted.left_out.end(), update.agent) != sifted.left_out.end();
  };
  std::vector<Update> taken;
  std::remove_copy_if(updates.begin(), updates.end(), std::back_inserter(taken), is_left_out);
  const bool keeps = judgement == Judgement::kKeep;
  std::optional<Next> next;
  if (keeps && !taken.empty()) next = after(round, taken);
  // Nothing has changed so far, and nothing throws from here.
  control_ = std::move(control);
  if (next) take(round, taken, *std::move(next));
  if (judgement == Judgement::kUndo) go_back();
  if (!keeps) velocity_.setZero();
  watch_ = std::move(watch);
  undone_ = !keeps;
  left_out_ = sifted.left_out;
  if (!taken.empty()) ++version_;
  std::vector<Verdict> verdicts;
  for (const Update& update : updates) {
    const bool folded = !is_left_out(update);
    verdicts.push_back({round, update.agent, folded, folded && keeps ? 1.0 : 0.0});
  }
  return verdicts;
}

CDsvgdServer::Next CDsvgdServer::after(Index round, const std::vector<Update>& updates) const {
  double heard = 0;
  for (const Update& update : updates) heard += share_of(update.agent);
  DoubleMatrix move = DoubleMatrix::Zero(now_.z.rows(), now_.z.cols());
  DoubleMatrix direction = move;
  Matrix squares = Matrix::Zero(1, now_.z.cols());
  const double b = own_say(updates.size());
  const bool follows = heard > 0 && options_.steered && (!before_ || steers());
  DoubleMatrix c = options_.variates ? now_.c.cast<double>() : move;
  for (const Update& update : updates) {
    const double share = share_of(update.agent);
    if (share == 0) continue;
    move += share / heard * update.belief[0].cast<double>();
    if (follows) direction += share / heard * direction_of(update, b);
    squares += static_cast<Real>(share / heard) * squares_of(update);
    c += (options_.variates ? share : share / heard) * update.belief[1].cast<double>();
  }
  const bool in_turn = updates.size() == 1 && rows_.size() > 1;
  const Real beta = in_turn || steers() ? Real{0} : static_cast<Real>(options_.momentum_share);
  Next next{.state = now_,
            .velocity = move.cast<Real>() + beta * velocity_,
            .difference = before_ ? 0 : difference_of(updates)};
  State& state = next.state;
  state.z += next.velocity;
  if (const auto constrain = constraint_of(*model_)) constrain(state.z);
  if (!before_) {
    state.mean = state.z;  // the bare start is no part of it
  } else if (heard > 0) {
    state.mean = Real{0.5} * (now_.mean + state.z);
  }
  state.c = c.cast<Real>();
  if (follows) state.direction = direction.cast<Real>();
  state.mean_square =
      static_cast<Real>(kSquaresMemory) * now_.mean_square + static_cast<Real>(1 - kSquaresMemory) * squares;
  state.squares_weight = kSquaresMemory * now_.squares_weight + 1 - kSquaresMemory;
  if (first_non_finite(state.z).row >= 0 || first_non_finite(state.mean).row >= 0 ||
      first_non_finite(state.c).row >= 0 || first_non_finite(state.direction).row >= 0 ||
      first_non_finite(state.mean_square).row >= 0) {
    throw Divergence("c-dsvgd: the particles are not finite after round " + std::to_string(round) + "; " + remedy());
  }
  return next;
}

void CDsvgdServer::take(Index round, const std::vector<Update>& updates, Next next) {
  const bool is_first = !before_;
  before_ = std::move(now_);
  now_ = std::move(next.state);
  velocity_ = std::move(next.velocity);
  folded_.clear();
  for (const Update& update : updates) {
    Known& known = known_[static_cast<std::size_t>(update.agent)];
    known = {known.uploads + 1, round, false};
    folded_.push_back(update.agent);
  }
  if (!is_first) return;
  difference_ = next.difference;
  control_.grow_first_by(steers() ? kFirstGrowth : kFirstGrowthOfMoves);
  velocity_.setZero();  // the first moves are those of a start that agents adapted to their data
  if (options_.controlled) limit_first_step();
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
