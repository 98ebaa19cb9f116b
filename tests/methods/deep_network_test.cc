// SPDX-License-Identifier: Apache-2.0
// c-dsvgd on networks of several layers: it learns what a narrow single layer cannot.
#include <gtest/gtest.h>

#include "fedstein/algorithm/federation.h"
#include "fedstein/methods/methods.h"
#include "fedstein/model/bnn_classification.h"
#include "support/random_matrix.h"

namespace fedstein {
namespace {

// Three rings, the middle one of another class. Two units cut the plane by two lines, which are no ring.
struct Rings {
  Rings() : x(random_matrix(200, 2, 21)), y(200) {
    for (Index i = 0; i < x.rows(); ++i) {
      x.row(i) *= (0.5_r + 0.75_r * static_cast<Real>(i % 3)) / x.row(i).norm();
      y(i) = i % 3 == 1 ? 1.0_r : 0.0_r;
    }
  }

  double accuracy_after(const HiddenLayers& hidden) const {
    const BnnClassification model(
        {.inputs = 2, .hidden = hidden, .activation = Activation::kTanh, .classes = 2, .prior_precision = 0.05});
    const Batch all(x, y);
    Federation federation(methods::c_dsvgd({.particles = 4, .local_steps = 50}),
                          model,
                          {all.middle_rows(0, 100), all.middle_rows(100, 100)},
                          {.seed = 1});
    federation.run({.rounds = 20});
    const Matrix p = model.predict(federation.particles(), x).probabilities;
    return ((p.col(1).array() > 0.5_r) == (y.array() > 0.5_r)).cast<double>().mean();
  }

  Matrix x;
  Vector y;
};

TEST(DeepNetwork, LearnsWithCDsvgdWhatTwoUnitsCannot) {
  const Rings rings;
  EXPECT_LT(rings.accuracy_after(2), 0.9);
  EXPECT_GT(rings.accuracy_after({16, 8}), 0.97);
}

}  // namespace
}  // namespace fedstein
