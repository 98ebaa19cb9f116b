// SPDX-License-Identifier: Apache-2.0
#include "fedstein/numeric/row_products.h"

#include <gtest/gtest.h>

#include <limits>

#include "fedstein/numeric/rng.h"
#include "support/close.h"

namespace fedstein {
namespace {

Matrix random_rows(Index rows, Index columns, std::uint64_t seed) {
  Rng rng({.seed = seed, .purpose = Purpose::kTest});
  Matrix out(rows, columns);
  for (Index i = 0; i < rows; ++i) rng.fill_normal(out.row(i));
  return out;
}

// As row_products leaves them, without what fills up the last group.
Matrix products(const Matrix& factors, const Vector& starts, const ConstMatrixRef& x) {
  const Index room = (x.rows() + kRowGroup - 1) / kRowGroup * kRowGroup;
  Matrix out = Matrix::Constant(factors.rows(), room, -1);
  row_products(RowFactors(factors, starts), {x.data(), x.rows(), x.outerStride()}, out.data(), room);
  return out.leftCols(x.rows());
}

// Every number of factors, rows in and out of step with their groups, columns with the registers.
TEST(RowProducts, EqualTheProductOfTheMatrices) {
  for (Index count = 1; count <= kMostRowFactors; ++count) {
    for (const Index rows : {1, 7, 8, 9, 64, 65}) {
      for (const Index columns : {fewest_columns(), fewest_columns() + 1, Index{54}, Index{64}}) {
        const Matrix factors = random_rows(count, columns, 1);
        const Vector starts = random_rows(count, 1, 2);
        const Matrix x = random_rows(rows, columns, 3);
        const Matrix expected = (factors * x.transpose()).colwise() + starts;
        EXPECT_TRUE(close(products(factors, starts, x), expected)) << count << " " << rows << " " << columns;
      }
    }
  }
}

TEST(RowProducts, RowsMayLieApart) {
  const Matrix factors = random_rows(3, 54, 4);
  const Matrix wide = random_rows(20, 60, 5);
  const Matrix expected = factors * wide.leftCols(54).transpose();
  EXPECT_TRUE(close(products(factors, Vector::Zero(3), wide.leftCols(54)), expected));
}

// The last register of a row overlaps the one before: what is counted there already must not come again as 0 * inf.
TEST(RowProducts, InfinityStaysInfinite) {
  const Real infinity = std::numeric_limits<Real>::infinity();
  const Index columns = fewest_columns() * 2 + 1;
  for (const Index column : {Index{0}, fewest_columns() + 2, columns - 1}) {
    Matrix factors = Matrix::Ones(2, columns);
    Matrix x = Matrix::Ones(3, columns);
    x(1, column) = infinity;
    EXPECT_EQ(products(factors, Vector::Zero(2), x)(0, 1), infinity) << column;
    x(1, column) = 1;
    factors(1, column) = -infinity;
    const Matrix out = products(factors, Vector::Zero(2), x);
    EXPECT_EQ(out(1, 2), -infinity) << column;
    EXPECT_EQ(out(0, 2), static_cast<Real>(columns)) << column;
  }
}

}  // namespace
}  // namespace fedstein
