// SPDX-License-Identifier: Apache-2.0
// Repulsion between predictions as a choice of the methods: particles disagree more where there are no data.
#include "fedstein/methods/particles/repulsion.h"

#include <gtest/gtest.h>

#include "fedstein/algorithm/federation.h"
#include "fedstein/methods/methods.h"
#include "fedstein/model/bnn_classification.h"
#include "fedstein/model/conjugate_gaussian.h"
#include "support/random_matrix.h"
#include "support/throws.h"

namespace fedstein {
namespace {

constexpr Index kRows = 60;
constexpr Index kInputs = 6;

// Three classes that the first three columns tell apart; the others are small.
struct Classes {
  Classes() : x(random_matrix(kRows, kInputs, 1)), y(kRows) {
    x *= Real(0.2);
    for (Index i = 0; i < kRows; ++i) {
      y(i) = static_cast<Real>(i % 3);
      x(i, i % 3) += 2;
    }
  }
  std::vector<Batch> shards() const {
    const Batch all(x, y);
    return {all.middle_rows(0, kRows / 2), all.middle_rows(kRows / 2, kRows / 2)};
  }

  // How much the particles disagree about rows whose large values are in the other columns.
  double disagreement(const Particles& particles) const {
    const Matrix strange = x.rowwise().reverse();
    Matrix mean = Matrix::Zero(strange.rows(), 3);
    std::vector<Matrix> answers;
    for (Index i = 0; i < particles.rows(); ++i) {
      answers.push_back(model.predict(particles.row(i), strange).probabilities);
      mean += answers.back() / static_cast<Real>(particles.rows());
    }
    double sum = 0;
    for (const Matrix& answer : answers) sum += static_cast<double>((answer - mean).squaredNorm());
    return sum / static_cast<double>(particles.rows() * strange.rows());
  }

  Particles after(const Algorithm& method) const {
    Federation federation(method, model, method.centralised ? std::vector<Batch>{Batch(x, y)} : shards());
    federation.run({.rounds = 20});
    return federation.particles();
  }

  BnnClassification model{{.inputs = kInputs, .hidden = 8, .classes = 3}};
  Matrix x;
  Vector y;
};

void expect_more_disagreement(const Algorithm& with, const Algorithm& without) {
  const Classes world;
  const double usual = world.disagreement(world.after(without));
  EXPECT_GT(world.disagreement(world.after(with)), 1.2 * usual) << with.name;
}

TEST(Repulsion, IsAChoiceOfSvgd) {
  expect_more_disagreement(
      methods::svgd({.local_steps = 20, .start = "near-zero", .repulsion = "predictions", .repulsion_strength = 1}),
      methods::svgd({.local_steps = 20, .start = "near-zero"}));
}

TEST(Repulsion, IsAChoiceOfPDsvgd) {
  expect_more_disagreement(
      methods::p_dsvgd({.local_steps = 20, .start = "near-zero", .repulsion = "predictions", .repulsion_strength = 1}),
      methods::p_dsvgd({.local_steps = 20, .start = "near-zero"}));
}

TEST(Repulsion, IsAChoiceOfPDsvgdWithCurvature) {
  expect_more_disagreement(methods::p_dsvgd({.local_steps = 20,
                                             .start = "near-zero",
                                             .factor = "curvature",
                                             .repulsion = "predictions",
                                             .repulsion_strength = 1}),
                           methods::p_dsvgd({.local_steps = 20, .start = "near-zero", .factor = "curvature"}));
}

TEST(Repulsion, IsAChoiceOfCDsvgd) {
  expect_more_disagreement(methods::c_dsvgd({.kernel = "none", .repulsion = "predictions", .repulsion_strength = 1}),
                           methods::c_dsvgd({.kernel = "none", .repulsion = "none"}));
}

// Up to 1,000 parameters the kernel couples the particles; without it they are a network's.
TEST(Repulsion, IsWhatUncoupledParticlesHaveByDefault) {
  const Classes world;
  const Particles usual = world.after(methods::c_dsvgd());
  EXPECT_EQ(usual, world.after(methods::c_dsvgd({.repulsion = "none"})));
  EXPECT_EQ(world.after(methods::c_dsvgd({.kernel = "none"})),
            world.after(methods::c_dsvgd({.kernel = "none", .repulsion = "predictions"})));
}

TEST(Repulsion, IsRefusedWithoutPredictions) {
  const ConjugateGaussian model(Gaussian{DoubleVector::Zero(2), DoubleMatrix::Identity(2, 2)},
                                DoubleMatrix::Identity(2, 2));
  const Matrix x = random_matrix(10, 2, 1);
  const Vector y = Vector::Zero(10);
  for (const Algorithm& method : {methods::svgd({.repulsion = "predictions"}),
                                  methods::p_dsvgd({.repulsion = "predictions"}),
                                  methods::c_dsvgd({.repulsion = "predictions"})}) {
    EXPECT_THROW_MESSAGE(Federation(method, model, {Batch(x, y)}),
                         InvalidArgument,
                         "the model has no predictions to compare; allowed: none");
  }
}

}  // namespace
}  // namespace fedstein
