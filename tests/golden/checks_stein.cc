// SPDX-License-Identifier: Apache-2.0
// The golden kinds of the stein folder.
#include <gtest/gtest.h>

#include "fedstein/numeric/distances.h"
#include "fedstein/stein/direction.h"
#include "fedstein/stein/kde.h"
#include "fedstein/stein/ksd.h"
#include "fedstein/stein/score_field.h"
#include "fedstein/stein/step_rule.h"
#include "golden/golden_files.h"
#include "support/close.h"

namespace fedstein {
namespace {

Matrix score_of(const Score& score, const Matrix& x) {
  Matrix out = Matrix::Zero(x.rows(), x.cols());
  score.add(x, 0, 1, out);
  return out;
}

void check_svgd_direction(const Json& golden) {
  const Bandwidth rule = Bandwidth::named(golden.at("rule").get<std::string>());
  const Matrix x = real_matrix(golden.at("x"));
  Matrix phi(x.rows(), x.cols());
  stein_direction(RbfKernel(rule), x, real_matrix(golden.at("score")), phi);
  EXPECT_TRUE(close(phi, golden_matrix(golden.at("direction"))));
  if (golden.at("bandwidth").is_null()) return;  // one particle has none
  Matrix r2(x.rows(), x.rows());
  squared_distances(x, r2);
  EXPECT_TRUE(close(rule.of(r2), golden.at("bandwidth").get<double>()));
}

void check_kde(const Json& golden) {
  const Kde kde(real_matrix(golden.at("centres")), golden.at("bandwidth").get<double>());
  const Matrix x = real_matrix(golden.at("x"));
  EXPECT_TRUE(close(kde.log_density(x), golden_vector(golden.at("log_density"))));
  EXPECT_TRUE(close(score_of(kde, x), golden_matrix(golden.at("score"))));
}

void check_score_field(const Json& golden) {
  const ScoreField field(
      real_matrix(golden.at("anchors")), real_matrix(golden.at("values")), golden.at("ridge").get<double>());
  EXPECT_TRUE(close(score_of(field, real_matrix(golden.at("x"))), golden_matrix(golden.at("score"))));
}

void check_adagrad(const Json& golden) {
  const AdaGrad rule({.learning_rate = golden.at("lr").get<double>(),
                      .epsilon = golden.at("eps").get<double>(),
                      .momentum = golden.at("momentum").get<double>()});
  Matrix x = real_matrix(golden.at("start"));
  const auto state = rule.start(x.rows(), x.cols());
  ASSERT_EQ(golden.at("directions").size(), golden.at("positions").size());
  for (std::size_t step = 0; step < golden.at("directions").size(); ++step) {
    state->step(real_matrix(golden.at("directions")[step]), x);
    EXPECT_TRUE(close(x, golden_matrix(golden.at("positions")[step]))) << "step " << step;
  }
}

void check_ksd(const Json& golden) {
  const double found = ksd_squared(RbfKernel(), real_matrix(golden.at("x")), real_matrix(golden.at("score")));
  EXPECT_TRUE(close(found, golden.at("ksd_squared").get<double>()));
}

}  // namespace

GoldenChecks stein_checks() {
  return {
      {"svgd_direction", check_svgd_direction},
      {"kde", check_kde},
      {"score_field", check_score_field},
      {"adagrad", check_adagrad},
      {"ksd", check_ksd},
  };
}

}  // namespace fedstein
