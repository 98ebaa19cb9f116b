// SPDX-License-Identifier: Apache-2.0
// FedPA's recursion against its definition, and FedPA against FedAvg on quadratic losses.
#include "fedstein/methods/fedpa.h"

#include <gtest/gtest.h>

#include "fedstein/methods/methods.h"
#include "fedstein/model/log_density_model.h"
#include "fedstein/numeric/check.h"
#include "methods/toy_federation.h"
#include "support/close.h"
#include "support/random_matrix.h"
#include "support/throws.h"

namespace fedstein {
namespace {

TEST(PosteriorDelta, IsTheShrunkCovariancesInverseTimesTheDifference) {
  const Index d = 4;
  const DoubleMatrix w = random_matrix(1, d, 1).cast<double>();
  for (const double rho : {0.0, 0.01, 2.0}) {
    for (const Index count : {1, 2, 7}) {
      std::vector<DoubleMatrix> samples;
      DoubleMatrix all(count, d);
      for (Index s = 0; s < count; ++s) {
        samples.push_back(random_matrix(1, d, static_cast<unsigned>(10 + s)).cast<double>());
        all.row(s) = samples.back();
      }
      const Eigen::RowVectorXd mean = all.colwise().mean();
      const DoubleMatrix centred = all.rowwise() - mean;
      const double r = 1 / (1 + static_cast<double>(count - 1) * rho);
      DoubleMatrix sigma = r * DoubleMatrix::Identity(d, d);
      if (count > 1) sigma += (1 - r) / static_cast<double>(count - 1) * centred.transpose() * centred;
      const DoubleMatrix expected = sigma.ldlt().solve((w.row(0) - mean).transpose()).transpose();
      const DoubleMatrix found = posterior_delta(w, samples, rho);
      EXPECT_LT((found - expected).norm(), 1e-10 * (1 + expected.norm())) << rho << " " << count;
    }
  }
  EXPECT_THROW_MESSAGE(posterior_delta(w, {}, 1), InvalidArgument, "no samples");
}

// Two agents measure one number: 2000 rows each of y = x theta + noise, x = 3 and theta = 1 at the first, x = 1 and
// theta = -1 at the second. Their losses have curvatures 9 and 1, so that all rows together say about 0.8, while
// FedAvg's agents go to the ends of their own and meet near 0.
class Line : public testing::Test {
 protected:
  Line()
      : model_({.dimension = 1,
                .inputs = 1,
                .log_likelihood =
                    [](const ConstRowRef& theta, const ConstRowRef& x, Real y) {
                      const double rest = static_cast<double>(y - theta(0) * x(0));
                      return -rest * rest / 2;
                    },
                .add_score =
                    [](const ConstRowRef& theta, const ConstRowRef& x, Real y, Real weight, RowRef grad) {
                      grad(0) += weight * (y - theta(0) * x(0)) * x(0);
                    }}),
        x_(4000, 1),
        y_(random_matrix(4000, 1, 3).col(0)) {
    x_.topRows(2000).setConstant(3);
    x_.bottomRows(2000).setConstant(1);
    y_.head(2000).array() += 3;
    y_.tail(2000).array() -= 1;
  }
  std::vector<Batch> shards() const { return {all().middle_rows(0, 2000), all().middle_rows(2000, 2000)}; }
  Batch all() const { return {x_, y_}; }
  double optimum() const {
    return static_cast<double>(x_.col(0).dot(y_)) / static_cast<double>(x_.col(0).squaredNorm());
  }
  double end_of(const Algorithm& algorithm, Index rounds) const {
    Federation made(algorithm, model_, shards(), {.seed = 5});
    InProcessTransport transport(made.agent_pointers());
    Recorder recorder;
    coordinate(made.server(), ListedSchedule({{0, 1}}), transport, recorder, {.rounds = rounds});
    double sum = 0;  // of the last half: the samples' covariances differ from round to round
    for (Index i = rounds / 2; i < rounds; ++i) {
      sum += static_cast<double>(recorder.particles[static_cast<std::size_t>(i)](0, 0));
    }
    return sum / static_cast<double>(rounds - rounds / 2);
  }

  LogDensityModel model_;
  Matrix x_;
  Vector y_;
};

// The iterates' means over parts of 100 steps have variance  noise / (100, rows of a step, curvature), as a posterior's
// has up to a factor that both agents share; the second agent's is a tenth less, as its iterates forget in ten steps.
// rho makes it count far more than the identity, and the server's rate makes up for its size. With weights of 9 : 1 the
// end is 0.8, with 8.1 : 1 it is 0.78; twenty samples tell a variance to a third, and 30 rounds are averaged.
TEST_F(Line, FedPaFindsTheOptimumThatFedAvgMisses) {
  const Index steps = 21 * 100;
  EXPECT_LT(end_of(methods::fedavg({.local_steps = steps, .batch = 5, .step_rule = "plain", .learning_rate = 0.1}), 10),
            optimum() - 0.5);
  EXPECT_NEAR(end_of(methods::fedpa({.local_steps = steps,
                                     .batch = 5,
                                     .learning_rate = 0.1,
                                     .samples = 20,
                                     .shrinkage = 1e4,
                                     .burn_in_rounds = 5,
                                     .server_rate = 2e-4}),
                     60),
              optimum(),
              0.1);
}

TEST_F(Line, BurnInRoundsAreFedAvgsAndTheNextIsNot) {
  const methods::FedPaOptions options{
      .local_steps = 20, .batch = 5, .learning_rate = 0.05, .samples = 3, .shrinkage = 0.5, .burn_in_rounds = 2};
  Federation ours(methods::fedpa(options), model_, shards(), {.seed = 5});
  Federation theirs(methods::fedavg({.local_steps = 20, .batch = 5, .step_rule = "plain", .learning_rate = 0.05}),
                    model_,
                    shards(),
                    {.seed = 5});
  for (Federation* made : {&ours, &theirs}) made->run({.rounds = 2});
  EXPECT_TRUE(identical(ours.particles(), theirs.particles()));
  for (Federation* made : {&ours, &theirs}) made->run({.rounds = 1});
  EXPECT_FALSE(identical(ours.particles(), theirs.particles()));
}

}  // namespace
}  // namespace fedstein
