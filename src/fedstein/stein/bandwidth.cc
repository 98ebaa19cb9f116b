// SPDX-License-Identifier: Apache-2.0
#include "fedstein/stein/bandwidth.h"

#include <algorithm>
#include <cmath>

#include "fedstein/numeric/check.h"
#include "fedstein/numeric/middle.h"
#include "fedstein/numeric/scratch.h"

namespace fedstein {
namespace {

// Each pair i < j once, in a row of scratch.
void gather_pairs(const ConstMatrixRef& squared_distances, Real* pairs) {
  for (Index i = 1; i < squared_distances.rows(); ++i) pairs = std::copy_n(squared_distances.row(i).data(), i, pairs);
}

double paper_rule(Real* pairs, Index count, Index n) {
  const Neighbours middle = select_neighbours(pairs, count, (count - 1) / 2, count / 2);
  const double median = (std::sqrt(middle.low) + std::sqrt(middle.high)) / 2;
  return median * median / std::log(static_cast<double>(n));
}

// Sorted, the whole n x n matrix is n zeros followed by every pair twice.
double original_rule(Real* pairs, Index count, Index n) {
  const Index low = (n * n - 1) / 2 - n;
  const Index high = n * n / 2 - n;
  Neighbours middle{0, 0};
  if (high >= 0) {
    middle = select_neighbours(pairs, count, std::max<Index>(low, 0) / 2, high / 2);
    if (low < 0) middle.low = 0;
  }
  return (middle.low + middle.high) / 2 / std::log(static_cast<double>(n) + 1);
}

}  // namespace

Bandwidth Bandwidth::fixed(double h) {
  check_positive("Bandwidth::fixed", "h", h);
  return Bandwidth(Rule::kFixed, h);
}

Bandwidth Bandwidth::named(std::string_view name) {
  if (name == "paper") return paper();
  if (name == "original") return original();
  throw InvalidArgument("Bandwidth::named: name is '" + std::string(name) + "'; allowed: paper, original");
}

double Bandwidth::of(const ConstMatrixRef& squared_distances) const {
  const Index n = squared_distances.rows();
  check_columns("Bandwidth::of", "squared_distances", squared_distances, n);
  if (rule_ == Rule::kFixed) return h_;
  if (n <= 1) return 1;
  const Index count = n * (n - 1) / 2;
  Scratch pairs(1, count);
  gather_pairs(squared_distances, pairs->data());
  return rule_ == Rule::kPaper ? paper_rule(pairs->data(), count, n) : original_rule(pairs->data(), count, n);
}

std::string Bandwidth::description() const {
  switch (rule_) {
    case Rule::kPaper:
      return "paper: squared median of the distances over pairs i < j, over log n";
    case Rule::kOriginal:
      return "original: median of all squared distances, zero diagonal included, over log(n + 1)";
    case Rule::kFixed:
      return "fixed: " + to_text(h_);
  }
  return {};
}

}  // namespace fedstein
