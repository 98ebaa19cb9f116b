// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <type_traits>

#include "fedstein/numeric/check.h"

namespace fedstein {

using VectorRef = Eigen::Ref<Vector>;
using ConstVectorRef = Eigen::Ref<const Vector>;
using RowRef = Eigen::Ref<RowVector>;
using ConstRowRef = Eigen::Ref<const RowVector>;

namespace internal {

// An expression that is gone after the full expression while the numbers it looks at stay. A block counts only where it
// is const (`Block<const Matrix>`): the block of a temporary matrix is not, and would compile and dangle otherwise.
template <typename T>
struct StaysBehind : std::false_type {};
template <typename Plain, int options, typename Stride>
struct StaysBehind<Eigen::Map<Plain, options, Stride>> : std::true_type {};
template <typename Whole, int rows, int columns, bool panel>
struct StaysBehind<Eigen::Block<const Whole, rows, columns, panel>> : std::true_type {};
template <typename Whole, int size>
struct StaysBehind<Eigen::VectorBlock<const Whole, size>> : std::true_type {};

// T as a forwarding reference has it: `const Matrix&` for an lvalue, `Matrix` for a temporary.
template <typename T>
concept Lasting = std::is_lvalue_reference_v<T> || StaysBehind<std::remove_cvref_t<T>>::value;

// Numbers that lie in memory as Batch reads them, without a conversion: Reals, those of a row side by side.
template <typename T, typename Expression = std::remove_cvref_t<T>>
concept LiesInMemory = std::same_as<typename Expression::Scalar, Real> && Expression::InnerStrideAtCompileTime == 1 &&
                       (Eigen::internal::traits<Expression>::Flags & Eigen::DirectAccessBit) != 0;

template <typename T>
concept RowsInPlace = LiesInMemory<T> && Lasting<T> &&(std::remove_cvref_t<T>::IsRowMajor != 0);
template <typename T>
concept ValuesInPlace = LiesInMemory<T> && Lasting<T> && std::remove_cvref_t<T>::ColsAtCompileTime == 1;

}  // namespace internal

// Rows of a dataset, borrowed: x is n x p, y holds n labels or targets (density models ignore their values).
//
// A view, two pointers and sizes: never a copy. So x must be a row-major matrix of Reals that outlives the batch, and y
// a vector likewise: named ones, Eigen::Maps, or blocks of const ones. Temporaries and column-major matrices do not
// compile. A block of a const temporary does, and dangles. For some rows of a matrix that is not const, write Batch{x,
// y}.middle_rows(begin, count).
struct Batch {
  using Rows = Eigen::Map<const Matrix, Eigen::Unaligned, Eigen::OuterStride<>>;
  using Values = Eigen::Map<const Vector>;

  template <internal::RowsInPlace X, internal::ValuesInPlace Y>
  Batch(X&& rows, Y&& values)
      : x(rows.data(), rows.rows(), rows.cols(), Eigen::OuterStride<>(rows.outerStride())),
        y(values.data(), values.size()) {}

  Rows x;
  Values y;

  Index rows() const { return x.rows(); }
  // Throws InvalidArgument for rows that are not there.
  Batch middle_rows(Index begin, Index count) const {
    check_argument(
        begin >= 0 && count >= 0 && begin <= x.rows() - count && begin <= y.size() - count, "middle_rows", [&] {
          return std::to_string(count) + " rows from row " + std::to_string(begin) + " on; there are " +
                 std::to_string(x.rows()) + " rows and " + std::to_string(y.size()) + " labels";
        });
    return {x.middleRows(begin, count), y.segment(begin, count)};
  }
};

}  // namespace fedstein
