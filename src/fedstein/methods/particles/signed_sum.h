// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "fedstein/stein/score.h"

namespace fedstein {

// A signed sum of scores that it owns; of none, the score of a constant: t_k(0) = 1.
class SignedSum : public Score {
 public:
  void append(double weight, std::unique_ptr<Score> score) { terms_.emplace_back(weight, std::move(score)); }

  void add(const ConstMatrixRef& theta, Index step, double weight, MatrixRef grad) const override {
    for (const auto& [sign, score] : terms_) score->add(theta, step, sign * weight, grad);
  }
  void append_terms(double weight, Terms& terms) const override {
    for (const auto& [sign, score] : terms_) score->append_terms(sign * weight, terms);
  }

 private:
  std::vector<std::pair<double, std::unique_ptr<Score>>> terms_;
};

}  // namespace fedstein
