// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "fedstein/model/likelihood_scores.h"
#include "fedstein/model/logistic_regression.h"
#include "fedstein/numeric/check.h"
#include "fedstein/numeric/parallel.h"
#include "model/model_data.h"
#include "support/close.h"
#include "support/throws.h"

namespace fedstein {
namespace {

constexpr StreamId kStream = {.seed = 1, .agent = 2, .round = 3};

Matrix score_of(const Score& score, const Matrix& theta, Index step) {
  Matrix grad = Matrix::Zero(theta.rows(), theta.cols());
  score.add(theta, step, 1, grad);
  return grad;
}

// Batches that divide the rows, that do not, and that are larger than them.
class Minibatch : public testing::TestWithParam<std::tuple<Index, Index>> {
 protected:
  Rows data_ = signed_rows(std::get<0>(GetParam()), 3, 1);
  LogisticRegression model_{3};
  Index size_ = std::get<1>(GetParam());
};

TEST_P(Minibatch, MeanScoreOfWholeEpochsIsTheFullScore) {
  const MinibatchLikelihood minibatch(model_, data_.batch(), size_, kStream);
  const FullLikelihood full(model_, data_.batch());
  const Matrix theta = random_matrix(4, 4, 2);
  Matrix sum = Matrix::Zero(4, 4);
  const Index n = data_.x.rows();
  for (Index step = 0; step < n; ++step) sum += score_of(minibatch, theta, step);
  EXPECT_TRUE(close(sum / static_cast<Real>(n), score_of(full, theta, 0)));
}

TEST_P(Minibatch, EveryEpochHoldsEveryRowOnce) {
  const MinibatchLikelihood minibatch(model_, data_.batch(), size_, kStream);
  const Index n = data_.x.rows();
  EXPECT_EQ(minibatch.batch(), std::min(size_, n));
  std::vector<Index> sequence;
  for (Index step = 0; step < 3 * n; ++step) {
    const auto rows = minibatch.rows_of(step);
    sequence.insert(sequence.end(), rows.begin(), rows.end());
  }
  for (std::size_t begin = 0; begin + static_cast<std::size_t>(n) <= sequence.size();
       begin += static_cast<std::size_t>(n)) {
    const std::set<Index> epoch(sequence.begin() + static_cast<std::ptrdiff_t>(begin),
                                sequence.begin() + static_cast<std::ptrdiff_t>(begin) + n);
    ASSERT_EQ(epoch.size(), static_cast<std::size_t>(n));
  }
}

TEST_P(Minibatch, RowsDependOnStreamAndStepAlone) {
  const MinibatchLikelihood rising(model_, data_.batch(), size_, kStream);
  const MinibatchLikelihood falling(model_, data_.batch(), size_, kStream);
  std::vector<std::vector<Index>> forward;
  for (Index step = 0; step < 40; ++step) forward.push_back(rising.rows_of(step));
  for (Index step = 39; step >= 0; --step) {
    ASSERT_EQ(falling.rows_of(step), forward[static_cast<std::size_t>(step)]) << "step " << step;
  }
}

TEST_P(Minibatch, ScoreIsTheScaledScoreOfItsRows) {
  const MinibatchLikelihood minibatch(model_, data_.batch(), size_, kStream);
  const Matrix theta = random_matrix(2, 4, 3);
  for (const Index step : {0, 7}) {
    const auto rows = minibatch.rows_of(step);
    Rows picked{Matrix(minibatch.batch(), 3), Vector(minibatch.batch())};
    for (std::size_t i = 0; i < rows.size(); ++i) {
      picked.x.row(static_cast<Index>(i)) = data_.x.row(rows[i]);
      picked.y(static_cast<Index>(i)) = data_.y(rows[i]);
    }
    const double scale = static_cast<double>(data_.x.rows()) / static_cast<double>(minibatch.batch());
    EXPECT_TRUE(close(score_of(minibatch, theta, step),
                      scale * likelihood_score(model_, theta, picked.batch()).cast<double>()));
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes,
                         Minibatch,
                         testing::Values(std::tuple{12, 4},
                                         std::tuple{13, 5},
                                         std::tuple{13, 12},
                                         std::tuple{5, 1},
                                         std::tuple{1, 1},
                                         std::tuple{7, 100}));

TEST(MinibatchLikelihood, StreamsAndEpochsDiffer) {
  const Rows data = signed_rows(50, 2, 4);
  const LogisticRegression model(2);
  const MinibatchLikelihood one(model, data.batch(), 25, kStream);
  const MinibatchLikelihood other(model, data.batch(), 25, {.seed = 1, .agent = 2, .round = 4});
  StreamId renamed = kStream;
  renamed.purpose = Purpose::kNoise;
  const MinibatchLikelihood same(model, data.batch(), 25, renamed);
  EXPECT_NE(one.rows_of(0), other.rows_of(0));
  EXPECT_NE(one.rows_of(0), one.rows_of(2));
  EXPECT_EQ(one.rows_of(0), same.rows_of(0));
}

TEST(MinibatchLikelihood, FirstRowIsUniform) {
  const Rows data = signed_rows(10, 2, 5);
  const LogisticRegression model(2);
  std::map<Index, int> count;
  for (std::uint64_t round = 0; round < 5000; ++round) {
    ++count[MinibatchLikelihood(model, data.batch(), 3, {.seed = 9, .round = round}).rows_of(0)[2]];
  }
  for (Index row = 0; row < 10; ++row) EXPECT_NEAR(count[row], 500, 90) << row;  // four deviations
}

TEST(MinibatchLikelihood, MayBeSharedByThreads) {
  const Rows data = signed_rows(500, 3, 6);
  const LogisticRegression model(3);
  const Matrix theta = random_matrix(3, 4, 7);
  const MinibatchLikelihood shared(model, data.batch(), 30, kStream);
  const MinibatchLikelihood alone(model, data.batch(), 30, kStream);
  std::vector<Matrix> found(200);
  parallel_for(200, 1, [&](Index task, Index) {
    found[static_cast<std::size_t>(task)] = score_of(shared, theta, (task * 37) % 200);
  });
  for (Index task = 0; task < 200; ++task) {
    ASSERT_TRUE(identical(found[static_cast<std::size_t>(task)], score_of(alone, theta, (task * 37) % 200)));
  }
}

TEST(MinibatchLikelihood, AnAgentWithoutRowsAddsNothing) {
  const Rows none{Matrix(0, 3), Vector(0)};
  const LogisticRegression model(3);
  const Matrix theta = random_matrix(2, 4, 8);
  EXPECT_TRUE(identical(score_of(MinibatchLikelihood(model, none.batch(), 10, kStream), theta, 5), Matrix::Zero(2, 4)));
}

TEST(MinibatchLikelihood, RefusesWhatItCannotTake) {
  Rows data = signed_rows(5, 3, 9);
  const LogisticRegression model(3);
  EXPECT_THROW_MESSAGE(MinibatchLikelihood(model, data.batch(), 0, kStream), InvalidArgument, "batch is 0");
  const Vector three = data.y.head(3);
  EXPECT_THROW_MESSAGE(MinibatchLikelihood(model, {data.x, three}, 2, kStream),
                       InvalidArgument,
                       "y has 3 values; it must have one for each of the 5 rows of x");
  const Matrix theta = random_matrix(2, 4, 10);
  const MinibatchLikelihood minibatch(model, data.batch(), 2, kStream);
  EXPECT_THROW_MESSAGE(minibatch.rows_of(-1), InvalidArgument, "step is -1");
  EXPECT_THROW_MESSAGE(score_of(minibatch, theta, -1), InvalidArgument, "step is -1");
  data.y.setConstant(2);
  EXPECT_THROW_MESSAGE(score_of(minibatch, theta, 0), InvalidArgument, "label of row 0 is 2");
  EXPECT_THROW_MESSAGE(FullLikelihood(model, data.batch()), InvalidArgument, "label of row 0 is 2");
}

TEST(RowOrder, IsUniformOverAllOrders) {
  std::map<std::vector<Index>, int> count;
  RowOrder order;
  for (std::uint64_t trial = 0; trial < 12000; ++trial) {
    order.restart(4, Rng({.seed = 3, .round = trial}));
    order.draw_up_to(4);
    ++count[{order[0], order[1], order[2], order[3]}];
  }
  ASSERT_EQ(count.size(), 24U);
  for (const auto& [permutation, times] : count) EXPECT_NEAR(times, 500, 90);  // four deviations
}

}  // namespace
}  // namespace fedstein
