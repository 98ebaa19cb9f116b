// SPDX-License-Identifier: Apache-2.0
// What particles move towards: a model's posterior, or a score of the user's own.
#pragma once

#include <memory>
#include <optional>

#include "arrays.h"
#include "fedstein/model/likelihood_scores.h"
#include "fedstein/stein/kernel.h"
#include "models.h"

namespace fedstein::python {

// The posterior of a model given some rows, which it owns.
class Target {
 public:
  Target(HeldModel model, Matrix x, Vector y, Index batch, std::uint64_t seed, double temperature);
  Target(const Target&) = delete;
  Target& operator=(const Target&) = delete;

  const HeldModel& model() const { return model_; }
  // Borrowed from this.
  Terms terms() const { return {Term(1, prior_), Term(1 / temperature_, *likelihood_)}; }

 private:
  HeldModel model_;
  Matrix x_;
  Vector y_;
  double temperature_;
  PriorScore prior_;
  std::unique_ptr<Score> likelihood_;
};

// The terms of either kind, and what they are borrowed from.
struct HeldTerms {
  nb::object owner = {};
  std::unique_ptr<Score> own = {};
  Terms terms = {};
  const HeldModel* model = nullptr;  // of a Target
};
HeldTerms terms_of(nb::handle target, const Argument& argument);

// "rbf", "imq", "independent"; "paper", "original" or a number.
std::unique_ptr<Kernel> kernel_of(const std::string& kernel, nb::handle bandwidth, const char* function);

}  // namespace fedstein::python
