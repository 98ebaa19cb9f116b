// SPDX-License-Identifier: Apache-2.0
// FedAdagrad, FedAdam and FedYogi: two rounds by hand, and what adaptive steps reach on skewed agents.
#include "fedstein/methods/fedopt.h"

#include <gtest/gtest.h>

#include "fedstein/federated/state.h"
#include "methods/skewed.h"
#include "support/close.h"
#include "support/throws.h"

namespace fedstein {
namespace {

class FedOpt : public SkewedAgents {
 protected:
  // Agent 0 (60 rows) and agent 1 (30) send their points: what the server then believes.
  static Matrix after(Federation& made, Index round, const Matrix& of_0, const Matrix& of_1) {
    made.server().fold(round, {{round, 0, {of_0}}, {round, 1, {of_1}}});
    return made.server().particles();
  }
  static Matrix row(Real a, Real b, Real c) {
    Matrix out(1, 3);
    out << a, b, c;
    return out;
  }
};

// Moves D of (0.3, -0.6, 0) and then of (-0.1, 1, 0) on the way from 0, by rows: 2/3 of the one and 1/3 of the other.
TEST_F(FedOpt, TwoRoundsByHand) {
  struct Case {
    std::string name;
    double beta1, first_v[2], second_v[2];
  };
  const double tau = 0.1, t2 = tau * tau;
  // Adam: v = 0.99 v + 0.01 D^2. Yogi: v moves towards D^2 by 0.01 D^2.
  const double a0 = 0.99 * t2 + 0.01 * 0.09, a1 = 0.99 * t2 + 0.01 * 0.36;
  const double y0 = t2 + 0.01 * 0.09, y1 = t2 + 0.01 * 0.36;  // D^2 is above v
  const std::vector<Case> cases = {
      {"fedadagrad", 0, {t2 + 0.09, t2 + 0.36}, {t2 + 0.09 + 0.01, t2 + 0.36 + 1}},
      {"fedadam", 0.9, {a0, a1}, {0.99 * a0 + 0.01 * 0.01, 0.99 * a1 + 0.01}},
      {"fedyogi", 0.9, {y0, y1}, {y0 - 0.01 * 0.01, y1 + 0.01}},  // 0.1^2 is below v = 0.0109, 1 above
  };
  for (const Case& one : cases) {
    Federation made = federation(one.name, {{"tau", tau}, {"server_rate", 0.5}});
    const Matrix start = made.server().particles();
    ASSERT_EQ(start.norm(), 0);
    const double m[2] = {(1 - one.beta1) * 0.3, (1 - one.beta1) * -0.6};
    const auto step = [&](double by, double v) { return 0.5 * by / (std::sqrt(v) + tau); };
    const double x[2] = {step(m[0], one.first_v[0]), step(m[1], one.first_v[1])};
    const Matrix first = after(made, 1, row(0.6_r, -1.2_r, 0), row(-0.3_r, 0.6_r, 0));
    EXPECT_TRUE(close(first, row(static_cast<Real>(x[0]), static_cast<Real>(x[1]), 0), 1e-5)) << one.name;

    const double next[2] = {one.beta1 * m[0] + (1 - one.beta1) * -0.1, one.beta1 * m[1] + (1 - one.beta1) * 1};
    const Matrix second = after(made, 2, first + row(-0.1_r, 1, 0), first + row(-0.1_r, 1, 0));
    const Matrix expected = row(static_cast<Real>(x[0] + step(next[0], one.second_v[0])),
                                static_cast<Real>(x[1] + step(next[1], one.second_v[1])),
                                0);
    EXPECT_TRUE(close(second, expected, 1e-5)) << one.name;
  }
}

TEST_F(FedOpt, AgentsAreFedAvgs) {
  Federation fedavg = federation("fedavg");
  const Update expected = updates_of(fedavg, 1, {0}).front();
  for (const char* name : {"fedadagrad", "fedadam", "fedyogi"}) {
    Federation made = federation(name);
    EXPECT_TRUE(identical(updates_of(made, 1, {0}).front().belief[0], expected.belief[0])) << name;
  }
}

// Drift stays: they end near FedAvg's fixed point, not at the optimum; but they get there.
TEST_F(FedOpt, ConvergesOnSkewedAgents) {
  const double at_start = slope_at(Matrix::Zero(1, 3));
  for (const char* name : {"fedadagrad", "fedadam", "fedyogi"}) {
    const double few_steps = slope_at(end_of(name, {{"local_steps", Index{2}}}));
    RecordProperty(name, std::to_string(few_steps));
    EXPECT_LT(few_steps, 0.05 * at_start) << name;
  }
}

TEST_F(FedOpt, MomentsOfAnotherMethodOrModelAreRefused) {
  Federation adam = federation("fedadam"), yogi = federation("fedyogi");
  fold_round(adam, 1, updates_of(adam, 1, {0, 1}));
  const std::string saved = adam.server().save();
  EXPECT_THROW_MESSAGE(yogi.server().restore(saved), BadState, "fedyogi server");
  EXPECT_NO_THROW(adam.server().restore(saved));
  EXPECT_EQ(adam.server().save(), saved);
}

}  // namespace
}  // namespace fedstein
