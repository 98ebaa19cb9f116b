// SPDX-License-Identifier: Apache-2.0
#include "fedstein/stein/score_field.h"

#include <gtest/gtest.h>

#include <limits>

#include "fedstein/numeric/check.h"
#include "fedstein/numeric/parallel.h"
#include "support/close.h"
#include "support/random_matrix.h"
#include "support/throws.h"

namespace fedstein {
namespace {

Matrix score_of(const Score& score, const Matrix& x) {
  Matrix out = Matrix::Zero(x.rows(), x.cols());
  score.add(x, 0, 1, out);
  return out;
}

TEST(ScoreField, ReproducesItsValuesAtTheAnchorsUpToTheRidge) {
  const Matrix anchors = random_matrix(10, 30, 1);
  const Matrix values = random_matrix(10, 30, 2);
  EXPECT_TRUE(close(score_of(ScoreField(anchors, values, 1e-6), anchors), values, 1e-3));
}

TEST(ScoreField, OneAnchorGivesAConstantField) {
  const Matrix value = random_matrix(1, 4, 3);
  const ScoreField field(random_matrix(1, 4, 4), value, 0.25);
  EXPECT_TRUE(close(score_of(field, random_matrix(6, 4, 5)), Matrix((value / 1.25_r).replicate(6, 1))));
}

TEST(ScoreField, EqualAnchorsShareTheWeight) {
  const Matrix values = random_matrix(4, 2, 6);
  const ScoreField field(Matrix::Ones(4, 2), values, 1e-6);
  // W is 1/4 everywhere: its best fit is the mean value, wherever one looks.
  EXPECT_TRUE(close(score_of(field, random_matrix(3, 2, 7)), Matrix(values.colwise().mean().replicate(3, 1)), 1e-4));
}

TEST(ScoreField, WorksWithManyDimensionsWhateverTheThreads) {
  const Matrix anchors = random_matrix(2, 100000, 8);
  const Matrix values = random_matrix(2, 100000, 9);
  const Matrix threaded = score_of(ScoreField(anchors, values), anchors);
  EXPECT_EQ(first_non_finite(threaded).row, -1);
  const ThreadLimit one(1);
  EXPECT_TRUE(identical(threaded, score_of(ScoreField(anchors, values), anchors)));
}

TEST(ScoreField, RefusesBadArguments) {
  const Matrix ones = Matrix::Ones(3, 2);
  Matrix broken = ones;
  broken(2, 1) = std::numeric_limits<Real>::infinity();
  EXPECT_THROW_MESSAGE(
      ScoreField(ones, Matrix::Ones(2, 2)), InvalidArgument, "values is 2 x 2; it must have the shape");
  EXPECT_THROW_MESSAGE(ScoreField(ones, broken), InvalidArgument, "values holds inf in row 2, column 1");
  EXPECT_THROW_MESSAGE(ScoreField(ones, ones, 0), InvalidArgument, "ridge is 0");
}

}  // namespace
}  // namespace fedstein
