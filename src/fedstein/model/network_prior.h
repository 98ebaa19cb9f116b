// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/model/network.h"

namespace fedstein {

// The prior of a network's weights and biases: independent, normal, of mean 0.
//
// Either one precision for all, as the paper has it, or (precision 0) one for each layer. Then weights into a unit with
// m inputs are N(0, kLayerVariance / m) and biases N(0, 1), so that the network's outputs have a deviation of about 1
// under the prior whatever its width. One precision for all lets them grow with width and inputs: the paper's e allows
// a network of 50 units on 10 standardised features outputs of deviation 6 for a target of deviation 1, which is no
// restraint at all where rows are few. Particles then follow the noise of their rows, and the noise level follows the
// particles.
class NetworkPrior {
 public:
  static constexpr double kLayerVariance = 0.5;

  // Throws InvalidArgument, `name` first, for a precision below 0.
  NetworkPrior(const char* name, const Network& net, double precision);

  // Of the first columns of theta, one entry per particle.
  DoubleVector log_density(const ConstMatrixRef& theta) const;
  void add_score(const ConstMatrixRef& theta, double weight, MatrixRef grad) const;

 private:
  Index size_;
  double precision_;      // 0: by layers
  RowVector precisions_;  // by layers: of each parameter
};

}  // namespace fedstein
