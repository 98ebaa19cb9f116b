// SPDX-License-Identifier: Apache-2.0
// For models whose parameters people read: which parameter is the weight of which input, and what it acts on.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fedstein/model/batch.h"
#include "fedstein/numeric/matrix.h"

namespace fedstein {

// A generalised linear model: predictor o of a row is intercept_o + sum_k weight_ok x_k, and a link says what that is
// of the label. Everything about scaled columns and units is the reader's affair (posterior/summary.h).
class Coefficients {
 public:
  enum class Link {
    kIdentity,  // the target's mean
    kLogOdds,   // of the second of two classes
    kLog,       // the logarithm of a count's mean
    kSoftmax,   // of C classes: a predictor each, or C - 1 of them against class 0
  };
  // A parameter that is no weight, such as a precision: people are shown exp(factor * theta), or theta with factor 0.
  struct Other {
    std::string name = {};
    Index parameter = 0;
    double factor = 0;
    bool has_target_unit = false;  // a noise deviation: in the target's unit
  };

  virtual ~Coefficients() = default;

  virtual Link link() const = 0;
  virtual Index predictors() const { return 1; }
  // Places in theta. The intercept is absent where the model has none.
  virtual Index weight(Index predictor, Index input) const = 0;
  virtual std::optional<Index> intercept(Index predictor) const = 0;
  virtual std::vector<Other> others() const { return {}; }
};

// Second derivatives, all of them and in double: for models with few parameters.
class Information {
 public:
  virtual ~Information() = default;

  // information (d x d) += weight * minus the Hessian of log p(theta), and of the log likelihood.
  virtual void add_prior_information(const ConstRowRef& theta, double weight, DoubleMatrix& information) const = 0;
  virtual void add_likelihood_information(const ConstRowRef& theta,
                                          const Batch& batch,
                                          double weight,
                                          DoubleMatrix& information) const = 0;
};

}  // namespace fedstein
