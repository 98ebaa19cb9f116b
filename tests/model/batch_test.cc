// SPDX-License-Identifier: Apache-2.0
// What a batch can be made of: what it borrows must outlive the expression, and lie in memory as it reads it.
#include "fedstein/model/batch.h"

#include <gtest/gtest.h>

#include <type_traits>
#include <utility>

#include "support/close.h"
#include "support/random_matrix.h"
#include "support/throws.h"

namespace fedstein {
namespace {

template <typename X, typename Y = const Vector&>
constexpr bool kBatchOf = std::is_constructible_v<Batch, X, Y>;

// A value of this type without making one.
template <typename T>
T some();
using ColumnMajor = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
using OtherReal = std::conditional_t<std::is_same_v<Real, float>, double, float>;
using OtherMatrix = Eigen::Matrix<OtherReal, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

TEST(Batch, TakesWhatStaysWhereItIs) {
  static_assert(kBatchOf<Matrix&>);
  static_assert(kBatchOf<const Matrix&>);
  static_assert(kBatchOf<ConstMatrixRef&, ConstVectorRef&>);
  static_assert(kBatchOf<Eigen::Map<const Matrix>, Eigen::Map<const Vector>>);
  static_assert(kBatchOf<decltype(some<const Matrix&>().middleRows(0, 1)), decltype(some<const Vector&>().head(1))>);
  static_assert(kBatchOf<decltype(some<const Matrix&>().leftCols(1))>, "rows apart, numbers of a row side by side");
}

TEST(Batch, TemporariesDoNotCompile) {
  static_assert(!kBatchOf<Matrix>);
  static_assert(!kBatchOf<const Matrix>);
  static_assert(!kBatchOf<const Matrix&, Vector>);
  static_assert(!kBatchOf<const Matrix&, decltype(Vector::Zero(1))>);
  static_assert(!kBatchOf<ConstMatrixRef>, "a Ref may hold a copy of what it was made of");
  static_assert(!kBatchOf<decltype(some<const Matrix&>() * 2)>);
  static_assert(!kBatchOf<decltype(some<Matrix>().middleRows(0, 1))>, "a block of a temporary");
  static_assert(!kBatchOf<const Matrix&, decltype(some<Vector>().head(1))>);
}

TEST(Batch, OtherLayoutsDoNotCompile) {
  static_assert(!kBatchOf<const ColumnMajor&>);
  static_assert(!kBatchOf<ColumnMajor&>);
  static_assert(!kBatchOf<decltype(some<const Matrix&>().transpose())>);
  static_assert(!kBatchOf<const OtherMatrix&>);
  static_assert(!kBatchOf<const Matrix&, decltype(some<const Matrix&>().col(0))>, "its numbers lie apart");
  static_assert(!kBatchOf<const Matrix&, const Matrix&>);
  static_assert(!kBatchOf<int, int>);
}

TEST(Batch, IsAViewAndNoCopy) {
  Matrix x = random_matrix(5, 3, 1);
  Vector y = random_matrix(5, 1, 2).col(0);
  const Batch all{x, y};
  EXPECT_EQ(all.x.data(), x.data());
  EXPECT_EQ(all.y.data(), y.data());
  const Batch some_rows = all.middle_rows(1, 3);
  EXPECT_EQ(some_rows.rows(), 3);
  EXPECT_EQ(some_rows.x.data(), x.data() + 3);
  EXPECT_EQ(some_rows.y.data(), y.data() + 1);
  x(2, 1) = 17;
  EXPECT_EQ(some_rows.x(1, 1), 17);

  const ConstMatrixRef passed_on = some_rows.x;
  EXPECT_EQ(passed_on.data(), some_rows.x.data()) << "functions that take a Ref must not copy a batch's rows";
}

TEST(Batch, OfSomeColumnsKnowsTheDistanceOfRows) {
  const Matrix x = random_matrix(4, 5, 3);
  const Vector y = Vector::Zero(4);
  const Batch left{x.leftCols(2), y};
  EXPECT_TRUE(identical(Matrix(left.x), Matrix(x.leftCols(2))));
  EXPECT_TRUE(identical(Matrix(left.middle_rows(2, 2).x), Matrix(x.block(2, 0, 2, 2))));
}

TEST(Batch, RefusesRowsThatAreNotThere) {
  const Matrix x = random_matrix(4, 2, 1);
  const Vector y = Vector::Zero(4), few = Vector::Zero(2);
  const Batch all{x, y};
  EXPECT_EQ(all.middle_rows(4, 0).rows(), 0);
  EXPECT_THROW_MESSAGE(all.middle_rows(3, 2), InvalidArgument, "2 rows from row 3 on; there are 4 rows and 4 labels");
  EXPECT_THROW(all.middle_rows(-1, 2), InvalidArgument);
  EXPECT_THROW(all.middle_rows(1, -1), InvalidArgument);
  EXPECT_THROW((Batch{x, few}.middle_rows(1, 2)), InvalidArgument);
}

}  // namespace
}  // namespace fedstein
