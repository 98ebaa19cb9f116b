// SPDX-License-Identifier: Apache-2.0
#include "fedstein/base/interruption.h"

#include <gtest/gtest.h>

#include <atomic>

#include "fedstein/numeric/parallel.h"
#include "fedstein/stein/svgd.h"

namespace fedstein {
namespace {

struct Ended {};

std::atomic<int> asked = 0;
std::atomic<int> allowed = 0;

void end_in_time() {
  if (++asked > allowed) throw Ended{};
}

// While it lives, computations end after so many questions.
class EndAfter {
 public:
  explicit EndAfter(int questions) {
    asked = 0;
    allowed = questions;
    set_interruption_check(end_in_time);
  }
  ~EndAfter() { set_interruption_check(nullptr); }
  EndAfter(const EndAfter&) = delete;
  EndAfter& operator=(const EndAfter&) = delete;
};

class TowardsZero : public Score {
 public:
  void add(const ConstMatrixRef& theta, Index, double weight, MatrixRef grad) const override {
    grad -= static_cast<Real>(weight) * theta;
  }
};

TEST(Interruption, EndsSvgdBetweenStepsAndLeavesTheParticles) {
  const Matrix start = Matrix::Random(5, 2);
  Matrix particles = start;
  const TowardsZero score;
  const EndAfter soon(40);
  EXPECT_THROW(svgd(particles, {{1, score}}, {.steps = 1000000000}), Ended);
  EXPECT_EQ(particles, start);
}

TEST(Interruption, EndsALoopOnSeveralThreads) {
  const EndAfter soon(3);
  std::atomic<Index> pieces_done = 0;
  const auto endless = [&] {
    while (true) parallel_for(8, 1, [&](Index, Index) { ++pieces_done; });
  };
  EXPECT_THROW(endless(), Ended);
  EXPECT_EQ(pieces_done, 3 * 8);
}

TEST(Interruption, NobodyAsksForAnEnd) {
  Matrix particles = Matrix::Random(5, 2);
  const TowardsZero score;
  EXPECT_EQ(svgd(particles, {{1, score}}, {.steps = 100}).steps, 100);
}

}  // namespace
}  // namespace fedstein
