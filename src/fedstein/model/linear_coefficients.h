// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "fedstein/model/coefficients.h"

namespace fedstein {

// Of models whose parameters are weights and intercept of one predictor after another, then what is no weight.
class LinearCoefficients : public Coefficients {
 public:
  struct Layout {
    Link link = Link::kIdentity;
    Index inputs = 0;
    bool intercept = true;
    Index predictors = 1;
    std::vector<Other> others = {};
  };
  explicit LinearCoefficients(Layout layout) : layout_(std::move(layout)) {}

  Link link() const override { return layout_.link; }
  Index predictors() const override { return layout_.predictors; }
  Index weight(Index predictor, Index input) const override { return predictor * width() + input; }
  std::optional<Index> intercept(Index predictor) const override {
    return layout_.intercept ? std::optional(predictor * width() + layout_.inputs) : std::nullopt;
  }
  std::vector<Other> others() const override { return layout_.others; }

 private:
  Index width() const { return layout_.inputs + (layout_.intercept ? 1 : 0); }

  Layout layout_;
};

}  // namespace fedstein
