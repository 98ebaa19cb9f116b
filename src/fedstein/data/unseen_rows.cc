// SPDX-License-Identifier: Apache-2.0
#include "fedstein/data/unseen_rows.h"

#include <array>
#include <cmath>
#include <utility>

#include "fedstein/numeric/check.h"
#include "fedstein/numeric/rng.h"

namespace fedstein {
namespace {

constexpr std::array<std::pair<const char*, UnseenKind>, 5> kUnseenNames = {{{"shuffled", UnseenKind::kShuffled},
                                                                             {"rotated", UnseenKind::kRotated},
                                                                             {"inverted", UnseenKind::kInverted},
                                                                             {"noise", UnseenKind::kNoise},
                                                                             {"far", UnseenKind::kFar}}};

Matrix shuffled_columns(const ConstMatrixRef& rows, Rng& rng) {
  Matrix out(rows.rows(), rows.cols());
  for (Index i = 0; i < rows.rows(); ++i) {
    const std::vector<Index> from = rng.permutation(rows.cols());
    for (Index j = 0; j < rows.cols(); ++j) out(i, j) = rows(i, from[static_cast<std::size_t>(j)]);
  }
  return out;
}

// The left column becomes the top row, from its lower end on.
Matrix quarter_turn(const ConstMatrixRef& rows) {
  const Index side = image_side(rows.cols());
  check_argument(side > 0, "rotated rows", [&] {
    return "the rows have " + std::to_string(rows.cols()) +
           " features; only square images can be turned, such as those of 784 pixels";
  });
  Matrix out(rows.rows(), rows.cols());
  for (Index line = 0; line < side; ++line) {
    for (Index place = 0; place < side; ++place) {
      out.col(line * side + place) = rows.col((side - 1 - place) * side + line);
    }
  }
  return out;
}

Matrix negatives(const ConstMatrixRef& train, const ConstMatrixRef& rows) {
  const RowVector ends = train.colwise().maxCoeff() + train.colwise().minCoeff();
  return (-rows).rowwise() + ends;
}

Matrix uniform_noise(const ConstMatrixRef& train, Index count, Rng& rng) {
  const RowVector low = train.colwise().minCoeff();
  const RowVector high = train.colwise().maxCoeff();
  Matrix out(count, train.cols());
  for (Index i = 0; i < count; ++i) {
    for (Index j = 0; j < out.cols(); ++j) out(i, j) = static_cast<Real>(rng.uniform(low(j), high(j)));
  }
  return out;
}

// A direction that would lead towards the mean is turned round: every row ends at least that far from it.
Matrix moved_away(const ConstMatrixRef& train, const ConstMatrixRef& rows, Rng& rng) {
  const Eigen::RowVectorXd mean = train.cast<double>().colwise().mean();
  double squares = 0;
  for (Index i = 0; i < train.rows(); ++i) squares += (train.row(i).cast<double>() - mean).squaredNorm();
  const double step = kFarTimes * std::sqrt(squares / static_cast<double>(train.rows()));
  Matrix out(rows.rows(), rows.cols());
  Eigen::RowVectorXd direction(rows.cols());
  for (Index i = 0; i < rows.rows(); ++i) {
    for (double& each : direction) each = rng.normal();
    direction.normalize();
    const Eigen::RowVectorXd from_mean = rows.row(i).cast<double>() - mean;
    if (from_mean.dot(direction) < 0) direction = -direction;
    out.row(i) = (mean + from_mean + step * direction).cast<Real>();
  }
  return out;
}

}  // namespace

std::vector<std::string> unseen_kind_names() {
  std::vector<std::string> out;
  for (const auto& [name, kind] : kUnseenNames) out.emplace_back(name);
  return out;
}

std::optional<UnseenKind> unseen_kind(std::string_view name) {
  for (const auto& [known, kind] : kUnseenNames) {
    if (name == known) return kind;
  }
  return std::nullopt;
}

Index image_side(Index features) {
  const auto side = static_cast<Index>(std::lround(std::sqrt(static_cast<double>(features))));
  return side * side == features ? side : 0;
}

Matrix make_unseen(UnseenKind kind, const ConstMatrixRef& train, const ConstMatrixRef& rows, std::uint64_t seed) {
  check_argument(train.rows() > 0 && train.cols() == rows.cols(), "make_unseen", [&] {
    return "there are " + std::to_string(train.rows()) + " training rows of " + std::to_string(train.cols()) +
           " columns; at least 1 of " + std::to_string(rows.cols()) + " is needed";
  });
  Rng rng({.seed = seed, .agent = static_cast<std::uint64_t>(kind), .purpose = Purpose::kUnseen});
  switch (kind) {
    case UnseenKind::kShuffled:
      return shuffled_columns(rows, rng);
    case UnseenKind::kRotated:
      return quarter_turn(rows);
    case UnseenKind::kInverted:
      return negatives(train, rows);
    case UnseenKind::kNoise:
      return uniform_noise(train, rows.rows(), rng);
    case UnseenKind::kFar:
      return moved_away(train, rows, rng);
  }
  return {};
}

}  // namespace fedstein
