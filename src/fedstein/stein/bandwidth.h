// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "fedstein/numeric/matrix.h"

namespace fedstein {

// How a kernel's squared length scale h follows from a set of n particles. "The median heuristic" has at least four
// meanings in the wild, and they give different results; so the rule is named, and printed with every run.
//
//   paper     h = med^2 / log n,      med = median of the distances over pairs i < j
//   original  h = med2 / log(n + 1),  med2 = median of the n^2 squared distances, the zero diagonal included
//   fixed     h as given
//
// An even count takes the mean of the two middle values (paper: of the distances, before squaring). One particle has no
// distances: h = 1, which no kernel can tell from any other value. Equal particles give h = 0, which kernels
// understand.
class Bandwidth {
 public:
  static Bandwidth paper() { return Bandwidth(Rule::kPaper, 0); }
  static Bandwidth original() { return Bandwidth(Rule::kOriginal, 0); }
  static Bandwidth fixed(double h);
  // "paper" or "original"; anything else is refused with the names there are.
  static Bandwidth named(std::string_view name);

  // h for particles with these squared distances (n x n, symmetric). Does not allocate after warm-up.
  double of(const ConstMatrixRef& squared_distances) const;

  // "paper: med^2 / log n", "fixed: 0.3", ...
  std::string description() const;

 private:
  enum class Rule { kPaper, kOriginal, kFixed };
  Bandwidth(Rule rule, double h) : rule_(rule), h_(h) {}

  Rule rule_;
  double h_;
};

}  // namespace fedstein
