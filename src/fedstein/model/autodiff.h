// SPDX-License-Identifier: Apache-2.0
// Reverse-mode differentiation of what a user's model computes: the language of AutoDiffModel (autodiff_model.h).
//
// Code reads as for one row; each Var is that number for a block of up to 256 rows, and every operation is recorded
// once a block on a tape that its thread keeps. So a tape is short (a dozen entries for a logistic regression), each
// entry runs at the speed of an array, one pass back gives the gradient in all parameters however many there are, and
// nothing is allocated once a tape has grown. Taping each number by itself, as CppAD and its like do, costs tens of
// times the plain computation, and would put a dependency into this header; Eigen's own AutoDiffScalar goes forward,
// and so costs as many computations as there are parameters.
#pragma once

#include <cstdint>

#include "fedstein/numeric/matrix.h"

namespace fedstein::autodiff {

class Tape;

// A number that the tape knows: a parameter's function (the same for all rows) or one value for each row. Lives as long
// as the call of the user's function that made it; used later, it is refused with InvalidArgument.
class Var {
 public:
  Var() = default;  // of no computation: refused where it is used

  friend Var operator+(const Var& a, const Var& b);
  friend Var operator-(const Var& a, const Var& b);
  friend Var operator*(const Var& a, const Var& b);
  friend Var operator/(const Var& a, const Var& b);
  friend Var operator+(const Var& a, double c);
  friend Var operator*(const Var& a, double c);
  friend Var operator/(double c, const Var& a);
  friend Var operator+(double c, const Var& a) { return a + c; }
  friend Var operator-(const Var& a, double c) { return a + -c; }
  friend Var operator-(double c, const Var& a) { return -a + c; }
  friend Var operator*(double c, const Var& a) { return a * c; }
  friend Var operator/(const Var& a, double c) { return a * (1 / c); }
  friend Var operator-(const Var& a) { return a * -1; }
  Var& operator+=(const Var& b) { return *this = *this + b; }
  Var& operator-=(const Var& b) { return *this = *this - b; }
  Var& operator*=(const Var& b) { return *this = *this * b; }
  Var& operator/=(const Var& b) { return *this = *this / b; }

  friend Var exp(const Var& a);
  friend Var log(const Var& a);
  friend Var log1p(const Var& a);
  friend Var sqrt(const Var& a);
  friend Var square(const Var& a);
  friend Var tanh(const Var& a);
  friend Var sin(const Var& a);
  friend Var cos(const Var& a);
  friend Var log1p_exp(const Var& a);  // log(1 + e^a), without overflow
  friend Var logistic(const Var& a);   // 1 / (1 + e^-a)
  friend Var lgamma(const Var& a);     // of positive numbers; nan otherwise
  friend Var pow(const Var& a, double c);
  friend Var pow(const Var& a, const Var& b);  // a > 0
  friend Var max(const Var& a, double c);      // slope 0 where a = c

 private:
  friend class Tape;
  Var(Tape* tape, std::uint64_t generation, Index place) : tape_(tape), generation_(generation), place_(place) {}

  Tape* tape_ = nullptr;
  std::uint64_t generation_ = 0;
  Index place_ = 0;
};

// The inputs of a row.
class Features {
 public:
  explicit Features(Tape& tape) : tape_(&tape) {}
  Index size() const;
  Var operator[](Index column) const;

 private:
  Tape* tape_;
};

// Some parameters, one after another, as a whole: one entry of the tape and not one for each.
class Slice {
 public:
  Slice(Tape& tape, Index begin, Index count) : tape_(&tape), begin_(begin), count_(count) {}
  Index size() const { return count_; }
  Var dot(const Features& x) const;              // with as many inputs, all of them
  Var dot(const Features& x, Index from) const;  // with the inputs from this column on
  Var sum() const;
  Var squared_norm() const;

 private:
  Tape* tape_;
  Index begin_;
  Index count_;
};

// theta, of one particle.
class Parameters {
 public:
  explicit Parameters(Tape& tape) : tape_(&tape) {}
  Index size() const;
  Var operator[](Index k) const;
  Slice segment(Index begin, Index count) const;
  Slice all() const { return segment(0, size()); }

 private:
  Tape* tape_;
};

}  // namespace fedstein::autodiff
