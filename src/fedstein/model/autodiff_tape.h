// SPDX-License-Identifier: Apache-2.0
// Where the operations of autodiff.h are recorded, forwards, and run backwards. Part of no interface.
#pragma once

#include <vector>

#include "fedstein/model/autodiff.h"
#include "fedstein/model/batch.h"

namespace fedstein::autodiff {

enum class Op : std::uint8_t {
  kParameter,  // a = k
  kInput,      // a = column
  kTarget,
  kDot,  // a = first parameter, b = first column, `count` of both
  kSum,  // a = first parameter, `count`
  kSquaredNorm,
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kPower,
  kShift,  // with the constant c from here on
  kScale,
  kOver,  // c / a
  kPowerOf,
  kMax,
  kExp,  // of a alone from here on
  kLog,
  kLog1p,
  kSqrt,
  kSquare,
  kTanh,
  kSin,
  kCos,
  kLog1pExp,
  kLogistic,
  kLogGamma,
};

class Tape {
 public:
  static constexpr Index kRows = 256;  // at a time: a dozen entries of them stay in the first-level cache

  // A new computation, of no rows: parameters alone.
  void start(const ConstRowRef& theta);
  void start(const ConstRowRef& theta, const Batch& rows);

  Var add(Op op, Index a = 0, Index b = 0, double c = 0, Index count = 0);
  Var unary(Op op, const Var& a, double c = 0);
  Var binary(Op op, const Var& a, const Var& b);
  static Tape& of(const Var& a);
  static Tape& of(const Var& a, const Var& b);

  Index dimension() const { return dimension_; }
  Index inputs() const { return columns_; }
  Var target() { return add(Op::kTarget); }
  Index rows() const { return rows_; }

  // Of a result: its values, one a row (a parameter's function repeats); out has one for each row, or one without rows.
  void read(const Var& result, VectorRef out) const;
  // grad += weight * gradient of the sum of the result over the rows.
  void differentiate(const Var& result, double weight, RowRef grad);

 private:
  struct Entry {
    Op op;
    bool varies;  // depends on parameters, and so has a share of the gradient
    Index a, b;
    double c;
    Index count;
    Index place;   // in values_ and shares_
    Index length;  // 1 or rows_
  };
  Index checked(const Var& var) const;
  void compute(const Entry& entry);
  void pass_back(const Entry& entry, RowRef grad);

  using Numbers = std::vector<Real, Eigen::aligned_allocator<Real>>;
  std::uint64_t generation_ = 0;
  const Real* theta_ = nullptr;
  Index dimension_ = 0;
  const Real* x_ = nullptr;  // rows_ x columns_, stride_ apart
  Index stride_ = 0;
  Index columns_ = 0;
  const Real* y_ = nullptr;
  Index rows_ = 0;
  std::vector<Entry> entries_;
  Index used_ = 0;
  Numbers values_;
  Numbers shares_;
};

// A tape of this thread for the length of a block. A model may be asked for inside the function of another: each block
// has a tape of its own, and tapes are kept for the next one, whether the block ends by an exception or not.
class TapeLease {
 public:
  TapeLease();
  ~TapeLease();
  TapeLease(const TapeLease&) = delete;
  TapeLease& operator=(const TapeLease&) = delete;
  Tape& operator*() const { return *tape_; }
  Tape* operator->() const { return tape_; }

 private:
  Tape* tape_;
};

}  // namespace fedstein::autodiff
