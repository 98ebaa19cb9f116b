// SPDX-License-Identifier: Apache-2.0
#include "fedstein/numeric/rng.h"

#include <Random123/philox.h>

#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include "fedstein/numeric/check.h"

namespace fedstein {

void Rng::refill() {
  const r123::Philox4x64::key_type key{{id_.seed, static_cast<std::uint64_t>(id_.purpose)}};
  const r123::Philox4x64::ctr_type counter{{block_++, step_, id_.round, id_.agent}};
  const r123::Philox4x64::ctr_type random = r123::Philox4x64()(counter, key);
  for (std::size_t i = 0; i < words_.size(); ++i) words_[i] = random[i];
  next_word_ = 0;
}

Rng::result_type Rng::operator()() {
  if (next_word_ == words_.size()) refill();
  return words_[next_word_++];
}

double Rng::uniform() {
  // The 52 high bits and a half: the middle of one of 2^52 equal cells. (With 53 bits the last cell would round to 1.)
  return (static_cast<double>((*this)() >> 12) + 0.5) * 0x1p-52;
}

std::uint64_t Rng::below(std::uint64_t bound) {
  check_argument(bound >= 1, "Rng::below", "bound is 0; it must be at least 1");
  // Words under this threshold would make the first few residues more likely than the rest.
  const std::uint64_t threshold = (max() - bound + 1) % bound;
  std::uint64_t word = (*this)();
  while (word < threshold) word = (*this)();
  return word % bound;
}

double Rng::normal() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_normal_;
  }
  const double radius = std::sqrt(-2 * std::log(uniform()));
  const double angle = 2 * std::numbers::pi * uniform();
  spare_normal_ = radius * std::sin(angle);
  has_spare_ = true;
  return radius * std::cos(angle);
}

double Rng::gamma(double shape, double scale) {
  check_positive("Rng::gamma", "shape", shape);
  check_positive("Rng::gamma", "scale", scale);
  // Below 1 the method does not apply: draw with shape + 1 and shrink by u^(1/shape).
  if (shape < 1) return gamma(shape + 1, scale) * std::pow(uniform(), 1 / shape);
  const double d = shape - 1.0 / 3;
  const double c = 1 / std::sqrt(9 * d);
  while (true) {
    const double x = normal();
    const double root = 1 + c * x;
    if (root <= 0) continue;
    const double v = root * root * root;
    if (std::log(uniform()) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v * scale;
  }
}

void Rng::fill_normal(MatrixRef out, double mean, double deviation) {
  for (Index row = 0; row < out.rows(); ++row) {
    for (Index column = 0; column < out.cols(); ++column) {
      out(row, column) = static_cast<Real>(mean + deviation * normal());
    }
  }
}

std::vector<Index> Rng::permutation(Index count) {
  check_argument(count >= 0, "Rng::permutation", "count is " + std::to_string(count) + "; it must not be negative");
  std::vector<Index> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), Index{0});
  for (std::size_t last = order.size(); last > 1; --last) std::swap(order[last - 1], order[below(last)]);
  return order;
}

}  // namespace fedstein
