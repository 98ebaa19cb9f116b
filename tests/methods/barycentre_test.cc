// SPDX-License-Identifier: Apache-2.0
// Assignments against all permutations, barycentres against what is known of them.
#include "fedstein/methods/particles/barycentre.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "fedstein/methods/methods.h"
#include "fedstein/numeric/check.h"
#include "methods/model_worlds.h"
#include "methods/toy_federation.h"
#include "support/close.h"
#include "support/random_matrix.h"
#include "support/throws.h"

namespace fedstein {
namespace {

double cost_of(const DoubleMatrix& cost, const std::vector<Index>& columns) {
  double sum = 0;
  for (std::size_t n = 0; n < columns.size(); ++n) sum += cost(static_cast<Index>(n), columns[n]);
  return sum;
}

TEST(Assignment, IsTheBestOfAllPermutations) {
  for (unsigned seed = 1; seed <= 30; ++seed) {
    const Index size = 1 + seed % 6;
    DoubleMatrix cost = random_matrix(size, size, seed).cast<double>();
    if (seed % 3 == 0) cost = (3 * cost).array().round();  // ties
    std::vector<Index> columns(static_cast<std::size_t>(size));
    std::iota(columns.begin(), columns.end(), 0);
    double least = cost_of(cost, columns);
    while (std::next_permutation(columns.begin(), columns.end())) least = std::min(least, cost_of(cost, columns));
    std::vector<Index> found = assignment(cost);
    EXPECT_NEAR(cost_of(cost, found), least, 1e-12) << "seed " << seed;
    std::sort(found.begin(), found.end());
    EXPECT_TRUE(std::is_permutation(found.begin(), found.end(), columns.begin())) << "seed " << seed;
  }
  EXPECT_THROW_MESSAGE(assignment(DoubleMatrix::Zero(2, 3)), InvalidArgument, "2 x 3");
}

Particles shuffled(const Particles& set, std::uint64_t seed) {
  Rng rng({.seed = seed});
  const std::vector<Index> order = rng.permutation(set.rows());
  Particles out(set.rows(), set.cols());
  for (Index n = 0; n < set.rows(); ++n) out.row(n) = set.row(order[static_cast<std::size_t>(n)]);
  return out;
}

// Sets of the same points in any order: the mean row by row would draw them together.
TEST(Barycentre, OfEqualSetsIsThatSetInTheStartsOrder) {
  const Particles points = random_matrix(12, 3, 1);
  const Particles one = shuffled(points, 2), other = shuffled(points, 3);
  const Particles start = points + 0.01_r * random_matrix(12, 3, 4);
  EXPECT_TRUE(close(barycentre({&points, &one, &other}, {0.25, 0.25, 0.5}, start), points));
  EXPECT_GT((points - (one + other) / 2).norm(), 1);
}

// W2 of translated sets is the length of the way between them: the barycentre lies in the middle by weight.
TEST(Barycentre, OfTranslatedSetsIsTheSetBetween) {
  const Particles points = random_matrix(10, 2, 5);
  Particles left = shuffled(points, 6), right = shuffled(points, 7);
  left.array() -= 3;
  right.array() += 1;
  EXPECT_TRUE(close(barycentre({&left, &right}, {0.75, 0.25}, points), Particles(points.array() - 2)));
}

// In one dimension optimal plans keep the order: the barycentre's sorted points are means of sorted points.
TEST(Barycentre, OnALineIsTheMeanOfQuantiles) {
  Particles a = random_matrix(9, 1, 8), b = 2 * random_matrix(9, 1, 9), start = random_matrix(9, 1, 10);
  Particles found = barycentre({&a, &b}, {0.5, 0.5}, start);
  for (Particles* set : {&a, &b, &found}) std::sort(set->data(), set->data() + set->size());
  EXPECT_TRUE(close(found, Particles((a + b) / 2)));
}

// P-DSVGD's fold: what arrives is the same whatever the order of an agent's particles.
TEST(Barycentre, FoldsParticlesInAnyOrder) {
  const World world = conjugate_world();
  const Algorithm method = methods::p_dsvgd({.particles = 8, .local_steps = 10, .fold = "barycentre"});
  Federation plain(method, *world.model, world.shards(), {.seed = 4});
  Federation mixed(method, *world.model, world.shards(), {.seed = 4});
  std::vector<Update> updates, in_another_order;
  for (const Task& task : plain.server().plan(1, {0, 1, 2})) {
    updates.push_back(plain.agent(task.agent).update(task));
    in_another_order.push_back(updates.back());
    in_another_order.back().belief.front() = shuffled(updates.back().belief.front(), 11);
  }
  EXPECT_NE(updates.front().belief.front()(0, 0), in_another_order.front().belief.front()(0, 0));
  plain.server().fold(1, updates);
  mixed.server().fold(1, in_another_order);
  EXPECT_TRUE(close(mixed.server().particles(), plain.server().particles()));
  EXPECT_EQ(plain.server().sum_fold(), nullptr);
}

}  // namespace
}  // namespace fedstein
