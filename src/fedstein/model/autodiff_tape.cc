// SPDX-License-Identifier: Apache-2.0
#include "fedstein/model/autodiff_tape.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "fedstein/numeric/check.h"

namespace fedstein::autodiff {
namespace {

constexpr const char* kName = "Var";
// Entries start on a cache line: where a value stands within it decides how it is rounded.
constexpr Index kLine = 64 / static_cast<Index>(sizeof(Real));

using Array = Eigen::Array<Real, Eigen::Dynamic, 1>;
using Values = Eigen::Map<const Array, Eigen::Aligned64>;
using MutableValues = Eigen::Map<Array, Eigen::Aligned64>;
using Rows = Eigen::Map<const Matrix, Eigen::Unaligned, Eigen::OuterStride<>>;

// log Gamma and its derivative for x > 0: Stirling's series from 8 on, to 1e-12, and x shifted there. (std::lgamma
// writes a global sign.)
double log_gamma(double x) {
  if (!(x > 0)) return std::numeric_limits<double>::quiet_NaN();
  double product = 1;
  for (; x < 8; ++x) product *= x;
  const double r = 1 / (x * x);
  const double series = (1.0 / 12 - r * (1.0 / 360 - r * (1.0 / 1260 - r * (1.0 / 1680 - r / 1188)))) / x;
  return (x - 0.5) * std::log(x) - x + 0.91893853320467274178 + series - std::log(product);
}

double digamma(double x) {
  if (!(x > 0)) return std::numeric_limits<double>::quiet_NaN();
  double shift = 0;
  for (; x < 8; ++x) shift += 1 / x;
  const double r = 1 / (x * x);
  const double series = r * (1.0 / 12 - r * (1.0 / 120 - r * (1.0 / 252 - r * (1.0 / 240 - r / 132))));
  return std::log(x) - 0.5 / x - series - shift;
}

// body(a, b) with both as arrays of n values: what has one value for all rows is repeated.
template <typename Body>
void with_both(const Values& a, const Values& b, Index n, const Body& body) {
  if (a.size() == n && b.size() == n) {
    body(a, b);
  } else if (a.size() == n) {
    body(a, Array::Constant(n, b(0)));
  } else {
    body(Array::Constant(n, a(0)), b);
  }
}

}  // namespace

void Tape::start(const ConstRowRef& theta) {
  ++generation_;
  theta_ = theta.data();
  dimension_ = theta.size();
  rows_ = 0;
  columns_ = 0;
  entries_.clear();
  used_ = 0;
}

void Tape::start(const ConstRowRef& theta, const Batch& rows) {
  start(theta);
  x_ = rows.x.data();
  stride_ = rows.x.outerStride();
  columns_ = rows.x.cols();
  y_ = rows.y.data();
  rows_ = rows.rows();
}

Tape& Tape::of(const Var& a) {
  check_argument(
      a.tape_ != nullptr, kName, "it is of no computation; a Var comes from parameters, inputs or other Vars");
  return *a.tape_;
}

Tape& Tape::of(const Var& a, const Var& b) {
  check_argument(&of(a) == &of(b), kName, "two of different computations are joined");
  return *a.tape_;
}

Index Tape::checked(const Var& var) const {
  check_argument(var.tape_ == this && var.generation_ == generation_,
                 kName,
                 "it is of a computation that has ended; a Var must not be kept beyond the call that made it");
  return var.place_;
}

Var Tape::unary(Op op, const Var& a, double c) {
  return add(op, checked(a), 0, c);
}

Var Tape::binary(Op op, const Var& a, const Var& b) {
  return add(op, checked(a), checked(b));
}

Var Tape::add(Op op, Index a, Index b, double c, Index count) {
  Entry entry{.op = op, .varies = true, .a = a, .b = b, .c = c, .count = count, .place = used_, .length = 1};
  const auto at = [&](Index place) -> const Entry& { return entries_[static_cast<std::size_t>(place)]; };
  if (op == Op::kInput || op == Op::kTarget) {
    entry.varies = false;
    entry.length = rows_;
  } else if (op == Op::kDot) {
    entry.length = rows_;
  } else if (op >= Op::kAdd) {
    entry.varies = at(a).varies;
    entry.length = at(a).length;
    if (op <= Op::kPower) {
      entry.varies = entry.varies || at(b).varies;
      entry.length = std::max(entry.length, at(b).length);
    }
  }
  used_ += (entry.length + kLine - 1) / kLine * kLine;
  if (used_ > static_cast<Index>(values_.size())) {
    values_.resize(static_cast<std::size_t>(2 * used_));
    shares_.resize(values_.size());
  }
  entries_.push_back(entry);
  compute(entries_.back());
  return {this, generation_, static_cast<Index>(entries_.size()) - 1};
}

void Tape::compute(const Entry& entry) {
  const auto values = [&](Index place) {
    const Entry& from = entries_[static_cast<std::size_t>(place)];
    return Values(values_.data() + from.place, from.length);
  };
  MutableValues out(values_.data() + entry.place, entry.length);
  const auto c = static_cast<Real>(entry.c);
  const auto of_both = [&](const auto& operation) {
    with_both(
        values(entry.a), values(entry.b), entry.length, [&](const auto& a, const auto& b) { out = operation(a, b); });
  };
  const auto slice = [&] { return Eigen::Map<const Vector>(theta_ + entry.a, entry.count); };
  switch (entry.op) {
    case Op::kParameter:
      out(0) = theta_[entry.a];
      break;
    case Op::kInput:
      for (Index i = 0; i < rows_; ++i) out(i) = x_[i * stride_ + entry.a];
      break;
    case Op::kTarget:
      std::copy_n(y_, rows_, out.data());
      break;
    case Op::kDot:
      out.matrix().noalias() = Rows(x_, rows_, columns_, stride_).middleCols(entry.b, entry.count) * slice();
      break;
    case Op::kSum:
      out(0) = static_cast<Real>(slice().cast<double>().sum());
      break;
    case Op::kSquaredNorm:
      out(0) = static_cast<Real>(slice().cast<double>().squaredNorm());
      break;
    case Op::kAdd:
      of_both([](const auto& a, const auto& b) { return a + b; });
      break;
    case Op::kSubtract:
      of_both([](const auto& a, const auto& b) { return a - b; });
      break;
    case Op::kMultiply:
      of_both([](const auto& a, const auto& b) { return a * b; });
      break;
    case Op::kDivide:
      of_both([](const auto& a, const auto& b) { return a / b; });
      break;
    case Op::kPower:
      with_both(values(entry.a), values(entry.b), entry.length, [&](const auto& a, const auto& b) {
        out = (b * a.log()).exp();
      });
      break;
    case Op::kShift:
      out = values(entry.a) + c;
      break;
    case Op::kScale:
      out = values(entry.a) * c;
      break;
    case Op::kOver:
      out = c / values(entry.a);
      break;
    case Op::kPowerOf:
      out = values(entry.a).pow(c);
      break;
    case Op::kMax:
      out = values(entry.a).max(c);
      break;
    case Op::kExp:
      out = values(entry.a).exp();
      break;
    case Op::kLog:
      out = values(entry.a).log();
      break;
    case Op::kLog1p:
      out = values(entry.a).log1p();
      break;
    case Op::kSqrt:
      out = values(entry.a).sqrt();
      break;
    case Op::kSquare:
      out = values(entry.a).square();
      break;
    case Op::kTanh:
      out = values(entry.a).tanh();
      break;
    case Op::kSin:
      out = values(entry.a).sin();
      break;
    case Op::kCos:
      out = values(entry.a).cos();
      break;
    case Op::kLog1pExp:
      out = (-values(entry.a).abs()).exp().log1p();
      out += values(entry.a).max(Real{0});
      break;
    case Op::kLogistic:
      out = (1 + (-values(entry.a)).exp()).inverse();
      break;
    case Op::kLogGamma:
      out = values(entry.a).unaryExpr([](Real x) { return static_cast<Real>(log_gamma(static_cast<double>(x))); });
      break;
  }
}

void Tape::read(const Var& result, VectorRef out) const {
  const Entry& entry = entries_[static_cast<std::size_t>(checked(result))];
  const Values values(values_.data() + entry.place, entry.length);
  if (entry.length == 1) {
    out.setConstant(values(0));
  } else {
    out = values.matrix();
  }
}

void Tape::differentiate(const Var& result, double weight, RowRef grad) {
  const Index last = checked(result);
  const Entry& top = entries_[static_cast<std::size_t>(last)];
  std::fill_n(shares_.data(), used_, Real{0});
  MutableValues seed(shares_.data() + top.place, top.length);
  // A result that is the same for all rows counts once for each.
  seed.setConstant(static_cast<Real>(top.length == 1 && rows_ > 1 ? weight * static_cast<double>(rows_) : weight));
  for (Index k = last; k >= 0; --k) {
    const Entry& entry = entries_[static_cast<std::size_t>(k)];
    if (entry.varies) pass_back(entry, grad);
  }
}

void Tape::pass_back(const Entry& entry, RowRef grad) {
  const auto at = [&](Index place) -> const Entry& { return entries_[static_cast<std::size_t>(place)]; };
  const auto values = [&](Index place) { return Values(values_.data() + at(place).place, at(place).length); };
  const Values g(shares_.data() + entry.place, entry.length);
  const Values out(values_.data() + entry.place, entry.length);
  const auto c = static_cast<Real>(entry.c);
  const auto give = [&](Index place, const auto& share) {
    const Entry& to = at(place);
    if (!to.varies) return;
    MutableValues sum(shares_.data() + to.place, to.length);
    if (to.length == share.size()) {
      sum += share;
    } else {
      sum(0) += share.sum();
    }
  };
  const auto with_pair = [&](const auto& body) { with_both(values(entry.a), values(entry.b), entry.length, body); };
  const auto slope = [&](const auto& slopes) { give(entry.a, g * slopes); };
  switch (entry.op) {
    case Op::kParameter:
      grad(entry.a) += g(0);
      break;
    case Op::kInput:
    case Op::kTarget:
      break;
    case Op::kDot: {
      const Rows x(x_, rows_, columns_, stride_);
      grad.segment(entry.a, entry.count).transpose().noalias() +=
          x.middleCols(entry.b, entry.count).transpose() * g.matrix();
      break;
    }
    case Op::kSum:
      grad.segment(entry.a, entry.count).array() += g(0);
      break;
    case Op::kSquaredNorm:
      grad.segment(entry.a, entry.count) += 2 * g(0) * Eigen::Map<const RowVector>(theta_ + entry.a, entry.count);
      break;
    case Op::kAdd:
      give(entry.a, g);
      give(entry.b, g);
      break;
    case Op::kSubtract:
      give(entry.a, g);
      give(entry.b, -g);
      break;
    case Op::kMultiply:
      with_pair([&](const auto& a, const auto& b) {
        give(entry.a, g * b);
        give(entry.b, g * a);
      });
      break;
    case Op::kDivide:
      with_pair([&](const auto&, const auto& b) {
        give(entry.a, g / b);
        give(entry.b, -g * out / b);
      });
      break;
    case Op::kPower:
      with_pair([&](const auto& a, const auto& b) {
        give(entry.a, g * b * out / a);
        give(entry.b, g * out * a.log());
      });
      break;
    case Op::kShift:
      give(entry.a, g);
      break;
    case Op::kScale:
      give(entry.a, g * c);
      break;
    case Op::kOver:
      slope(-out / values(entry.a));
      break;
    case Op::kPowerOf:
      slope(c * values(entry.a).pow(c - 1));
      break;
    case Op::kMax:
      slope((values(entry.a) > c).select(Array::Ones(entry.length), Array::Zero(entry.length)));
      break;
    case Op::kExp:
      slope(out);
      break;
    case Op::kLog:
      slope(values(entry.a).inverse());
      break;
    case Op::kLog1p:
      slope((1 + values(entry.a)).inverse());
      break;
    case Op::kSqrt:
      slope(Real{0.5} * out.inverse());
      break;
    case Op::kSquare:
      slope(2 * values(entry.a));
      break;
    case Op::kTanh:
      slope(1 - out.square());
      break;
    case Op::kSin:
      slope(values(entry.a).cos());
      break;
    case Op::kCos:
      slope(-values(entry.a).sin());
      break;
    case Op::kLog1pExp:
      slope(1 - (-out).exp());
      break;
    case Op::kLogistic:
      slope(out * (1 - out));
      break;
    case Op::kLogGamma:
      slope(values(entry.a).unaryExpr([](Real x) { return static_cast<Real>(digamma(static_cast<double>(x))); }));
      break;
  }
}

namespace {

struct Kept {
  std::vector<std::unique_ptr<Tape>> tapes;
  std::size_t in_use = 0;
};
thread_local Kept kept_tapes;

}  // namespace

TapeLease::TapeLease() {
  if (kept_tapes.in_use == kept_tapes.tapes.size()) kept_tapes.tapes.push_back(std::make_unique<Tape>());
  tape_ = kept_tapes.tapes[kept_tapes.in_use++].get();
}

TapeLease::~TapeLease() {
  --kept_tapes.in_use;
}

}  // namespace fedstein::autodiff
