// SPDX-License-Identifier: Apache-2.0
// An observer that adds figures about the posterior to a round's record. It borrows what it is constructed with.
#pragma once

#include <cstdint>

#include "fedstein/federated/observer.h"
#include "fedstein/model/model.h"
#include "fedstein/stein/kernel.h"

namespace fedstein {

// How well the particles fit the exact global posterior p0 exp(-L / alpha), from its scores at them alone, so for any
// model. Adds
//
//   ksd           kernelised Stein discrepancy, RBF kernel with the rule `paper`
//   spread_ratio  median over the dimensions of their variance as a share of what the scores imply (stein/collapse.h)
//   collapsed     1 when that is a collapse, else 0
class PosteriorFit : public Observer {
 public:
  struct Options {
    double temperature = 1;
    // Of more rows than this, so many are drawn once, from the seed, and stand for all: their score is scaled up.
    Index most_rows = 20000;
    std::uint64_t seed = 0;
  };

  // data: all agents' rows together.
  PosteriorFit(const Model& model, const Batch& data) : PosteriorFit(model, data, Options{}) {}
  PosteriorFit(const Model& model, const Batch& data, const Options& options);
  Next on_round(RoundRecord& record, const Particles& particles) override;

  // The posterior's scores at the particles, N x d.
  Matrix scores(const Particles& particles) const;

 private:
  Batch rows() const { return x_.rows() > 0 ? Batch{x_, y_} : data_; }

  const Model* model_;
  Batch data_;
  Matrix x_;  // the drawn rows; empty: all of data_
  Vector y_;
  double weight_;  // rows there are / rows used / alpha
  RbfKernel kernel_;
};

}  // namespace fedstein
