// SPDX-License-Identifier: Apache-2.0
#include "fedstein/numeric/elementwise.h"

#include <cmath>

#include "support/close.h"
#include "support/random_matrix.h"

namespace fedstein {
namespace {

TEST(Elementwise, ExponentialsAndSumsOfEveryLength) {
  for (Index count = 1; count < 70; ++count) {
    Matrix values = random_matrix(1, count, static_cast<std::uint64_t>(count), 0, 5);
    const DoubleMatrix expected = values.cast<double>().array().exp();
    const Real guard = 7;
    Matrix with_guard(1, count + 1);
    with_guard << values, guard;
    exp_in_place(with_guard.data(), count);
    EXPECT_TRUE(close(with_guard.leftCols(count), expected)) << count;
    EXPECT_EQ(with_guard(0, count), guard) << count;
    EXPECT_NEAR(sum_of(values.data(), count), values.cast<double>().sum(), 1e-9) << count;
  }
}

TEST(Elementwise, AFarExponentIsNothingAndNoNumberStaysOne) {
  Real values[2] = {-1000, std::nan("")};
  exp_in_place(values, 2);
  EXPECT_LT(values[0], 1e-30);
  EXPECT_TRUE(std::isnan(values[1]));
}

}  // namespace
}  // namespace fedstein
