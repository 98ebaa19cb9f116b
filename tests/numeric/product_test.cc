// SPDX-License-Identifier: Apache-2.0
#include "fedstein/numeric/product.h"

#include <rapidcheck/gtest.h>

#include "fedstein/numeric/check.h"
#include "support/close.h"
#include "support/random_matrix.h"
#include "support/throws.h"

namespace fedstein {
namespace {

RC_GTEST_PROP(AddProduct, EqualsEigensOwn, ()) {
  const auto m = *rc::gen::inRange<Index>(1, 70);
  const auto k = *rc::gen::inRange<Index>(1, 300);
  const auto n = *rc::gen::inRange<Index>(1, 70);
  const Matrix a = random_matrix(m, k, 1);
  const Matrix b = random_matrix(k, n, 2);
  const Matrix before = random_matrix(m, n, 3);
  const DoubleMatrix expected = before.cast<double>() - 0.5 * a.cast<double>() * b.cast<double>();
  Matrix out = before;
  add_product(-0.5_r, a, b, out);
  RC_ASSERT(compare(out, expected, kValueTolerance));
  out = before;
  add_product_transposed(-0.5_r, a, b.transpose(), out);
  RC_ASSERT(compare(out, expected, kValueTolerance));
  out = before;
  add_transposed_product(-0.5_r, a.transpose(), b, out);
  RC_ASSERT(compare(out, expected, kValueTolerance));
}

TEST(AddProduct, WorksOnBlocksOfLargerMatrices) {
  const Matrix a = random_matrix(40, 50, 4);
  const Matrix b = random_matrix(60, 90, 5);
  Matrix out = Matrix::Zero(30, 80);
  add_product(1, a.block(3, 7, 20, 33), b.block(5, 11, 33, 70), out.block(2, 4, 20, 70));
  Matrix expected = Matrix::Zero(30, 80);
  expected.block(2, 4, 20, 70) = a.block(3, 7, 20, 33) * b.block(5, 11, 33, 70);
  EXPECT_TRUE(close(out, expected));
}

TEST(AddProduct, RefusesShapesThatDoNotFit) {
  Matrix out = Matrix::Zero(2, 2);
  EXPECT_THROW_MESSAGE(add_product(1, Matrix::Zero(2, 3), Matrix::Zero(4, 2), out), InvalidArgument, "do not fit");
}

}  // namespace
}  // namespace fedstein
