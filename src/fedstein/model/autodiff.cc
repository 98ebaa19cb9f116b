// SPDX-License-Identifier: Apache-2.0
#include "fedstein/model/autodiff.h"

#include "fedstein/model/autodiff_tape.h"
#include "fedstein/numeric/check.h"

namespace fedstein::autodiff {
namespace {

void check_range(const char* name, const char* what, Index begin, Index count, Index size) {
  check_argument(begin >= 0 && count >= 0 && begin <= size && count <= size - begin, name, [&] {
    return std::to_string(count) + " from number " + std::to_string(begin) + " on; there are " + std::to_string(size) +
           " " + what;
  });
}

Var of_both(Op op, const Var& a, const Var& b) {
  return Tape::of(a, b).binary(op, a, b);
}

Var of_one(Op op, const Var& a, double c = 0) {
  return Tape::of(a).unary(op, a, c);
}

}  // namespace

Index Features::size() const {
  return tape_->inputs();
}

Var Features::operator[](Index column) const {
  check_range("Features", "inputs", column, 1, size());
  return tape_->add(Op::kInput, column);
}

Index Parameters::size() const {
  return tape_->dimension();
}

Var Parameters::operator[](Index k) const {
  check_range("Parameters", "parameters", k, 1, size());
  return tape_->add(Op::kParameter, k);
}

Slice Parameters::segment(Index begin, Index count) const {
  check_range("Parameters", "parameters", begin, count, size());
  return {*tape_, begin, count};
}

Var Slice::dot(const Features& x) const {
  check_argument(count_ == x.size(), "Slice", [&] {
    return std::to_string(count_) + " parameters times " + std::to_string(x.size()) +
           " inputs; as many of one as of the other are needed, or the first input's column";
  });
  return dot(x, 0);
}

Var Slice::dot(const Features& x, Index from) const {
  check_range("Slice", "inputs", from, count_, x.size());
  return tape_->add(Op::kDot, begin_, from, 0, count_);
}

Var Slice::sum() const {
  return tape_->add(Op::kSum, begin_, 0, 0, count_);
}

Var Slice::squared_norm() const {
  return tape_->add(Op::kSquaredNorm, begin_, 0, 0, count_);
}

Var operator+(const Var& a, const Var& b) {
  return of_both(Op::kAdd, a, b);
}
Var operator-(const Var& a, const Var& b) {
  return of_both(Op::kSubtract, a, b);
}
Var operator*(const Var& a, const Var& b) {
  return of_both(Op::kMultiply, a, b);
}
Var operator/(const Var& a, const Var& b) {
  return of_both(Op::kDivide, a, b);
}
Var pow(const Var& a, const Var& b) {
  return of_both(Op::kPower, a, b);
}
Var operator+(const Var& a, double c) {
  return of_one(Op::kShift, a, c);
}
Var operator*(const Var& a, double c) {
  return of_one(Op::kScale, a, c);
}
Var operator/(double c, const Var& a) {
  return of_one(Op::kOver, a, c);
}
Var pow(const Var& a, double c) {
  return of_one(Op::kPowerOf, a, c);
}
Var max(const Var& a, double c) {
  return of_one(Op::kMax, a, c);
}
Var exp(const Var& a) {
  return of_one(Op::kExp, a);
}
Var log(const Var& a) {
  return of_one(Op::kLog, a);
}
Var log1p(const Var& a) {
  return of_one(Op::kLog1p, a);
}
Var sqrt(const Var& a) {
  return of_one(Op::kSqrt, a);
}
Var square(const Var& a) {
  return of_one(Op::kSquare, a);
}
Var tanh(const Var& a) {
  return of_one(Op::kTanh, a);
}
Var sin(const Var& a) {
  return of_one(Op::kSin, a);
}
Var cos(const Var& a) {
  return of_one(Op::kCos, a);
}
Var log1p_exp(const Var& a) {
  return of_one(Op::kLog1pExp, a);
}
Var logistic(const Var& a) {
  return of_one(Op::kLogistic, a);
}
Var lgamma(const Var& a) {
  return of_one(Op::kLogGamma, a);
}

}  // namespace fedstein::autodiff
