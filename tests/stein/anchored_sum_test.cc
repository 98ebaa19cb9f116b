// SPDX-License-Identifier: Apache-2.0
#include "fedstein/stein/anchored_sum.h"

#include <rapidcheck/gtest.h>

#include "fedstein/stein/kde.h"
#include "fedstein/stein/score_field.h"
#include "support/close.h"
#include "support/gaussian_score.h"
#include "support/random_matrix.h"

namespace fedstein {
namespace {

// sum over terms of weight * score(theta), the joined ones at once.
Matrix evaluated(const Terms& terms, const Matrix& theta) {
  const JointTerms joint(terms);
  Matrix grad = Matrix::Zero(theta.rows(), theta.cols());
  if (joint.joined() != nullptr) joint.joined()->add(theta, 0, 1, grad);
  for (const Term& term : joint.others()) term.score->add(theta, 0, term.weight, grad);
  return grad;
}

// Joined terms are the same sum as the terms one by one, which stays the reference.
RC_GTEST_PROP(JointTerms, EqualTheTermsOneByOne, ()) {
  const auto n = *rc::gen::inRange<Index>(1, 40);
  const auto d = *rc::gen::inRange<Index>(1, 70);
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1000000);
  const Kde first(random_matrix(n, d, seed), 0.55);
  const Kde second(random_matrix(*rc::gen::inRange<Index>(1, 9), d, seed + 1, 1), 0.8);
  const ScoreField field(random_matrix(n, d, seed + 2), random_matrix(n, d, seed + 3));
  const Terms terms{{+1, first}, {-1, second}, {0.5, field}};
  const Matrix x = random_matrix(5, d, seed + 4);
  Matrix one_by_one(5, d);
  const Matrix together = evaluated(terms, x);
  evaluate_terms(terms, x, 0, one_by_one);
  RC_ASSERT(compare(together, one_by_one, 20 * kValueTolerance));
}

TEST(JointTerms, KeepTheirDigitsFarFromTheOrigin) {
  const Matrix shift = Matrix::Constant(1, 30, 64);
  const Matrix q = random_matrix(20, 30, 1, 64, 0.25);
  const Matrix t = random_matrix(20, 30, 2, 64, 0.25);
  const Matrix x = random_matrix(6, 30, 3, 64, 0.25);
  const Kde far_q(q, 0.55), far_t(t, 0.55);
  const Kde near_q(q.rowwise() - shift.row(0), 0.55), near_t(t.rowwise() - shift.row(0), 0.55);
  const Matrix far = evaluated({{+1, far_q}, {-1, far_t}}, x);
  const Matrix near = evaluated({{+1, near_q}, {-1, near_t}}, x.rowwise() - shift.row(0));
  EXPECT_TRUE(close(far, near, 10 * kValueTolerance));
}

// Particles many bandwidths apart: nearly all weights are zero and skipped.
TEST(JointTerms, OfScatteredParticlesFollowTheNearest) {
  const Matrix anchors = random_matrix(100, 200, 1, 0, 10);
  const Kde kde(anchors, 0.55);
  const Matrix x = anchors + random_matrix(100, 200, 2, 0, 0.1);
  const Matrix score = evaluated({{1, kde}}, x);
  EXPECT_TRUE(close(score, (anchors - x) / (0.55_r * 0.55_r), 10 * kValueTolerance));
}

}  // namespace
}  // namespace fedstein
