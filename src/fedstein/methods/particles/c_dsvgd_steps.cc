// SPDX-License-Identifier: Apache-2.0
// The steps that the server of c-dsvgd gives its agents: their lengths, what steers them, and what an update tells of
// both.
#include <algorithm>

#include "fedstein/methods/c_dsvgd.h"

namespace fedstein {
namespace {

constexpr double kLeastScore = 1e-3;
constexpr double kUnlike = 2;        // of a difference: agents who go apart
constexpr double kLeastTold = 1e-4;  // of eta: moves of shorter steps are rounding, and tell no direction

}  // namespace

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

bool CDsvgdServer::steers() const {
  return options_.steered && difference_ > kUnlike;
}

double CDsvgdServer::difference_of(const std::vector<Update>& updates) const {
  DoubleMatrix mean = DoubleMatrix::Zero(now_.z.rows(), now_.z.cols());
  double squares = 0, heard = 0;
  for (const Update& update : updates) {
    const double share = share_of(update.agent);
    const DoubleMatrix score = update.belief[1].cast<double>();
    mean += share * score;
    squares += share * score.squaredNorm();
    heard += share;
  }
  const double common = mean.squaredNorm();
  return common > 0 ? std::max(0.0, squares * heard / common - 1) : 0;
}

double CDsvgdServer::own_say(std::size_t agents) const {
  const bool in_turn = agents == 1 && rows_.size() > 1;
  return in_turn || !steers() ? 1 : 1 - options_.momentum_share;
}

Matrix CDsvgdServer::steering(double own_say) const {
  return static_cast<Real>(own_say) * now_.c + static_cast<Real>(1 - own_say) * now_.direction;
}

DoubleMatrix CDsvgdServer::direction_of(const Update& update, double own_say) const {
  const Matrix& move = update.belief[0];
  const Matrix& change = update.belief[1];
  if (!before_) return (change + now_.c).cast<double>();        // nobody has followed anything
  if (move.isZero(0)) return steering(own_say).cast<double>();  // a late first visit, which knows nothing of M
  if (control_.step() < kLeastTold) return (static_cast<Real>(own_say) * change + steering(own_say)).cast<double>();
  const RowVector walked = rates() * static_cast<Real>(options_.local_steps);
  return (move.array().rowwise() / walked.array()).cast<double>();
}

Matrix CDsvgdServer::squares_of(const Update& update) const {
  const Matrix& change = update.belief[1];
  Matrix squares = update.belief[3].cwiseAbs2();
  if (options_.variates) squares += (now_.c.array() * (2 * change + now_.c).array()).matrix().colwise().mean();
  return squares.cwiseMax(Real{0});
}

}  // namespace fedstein
