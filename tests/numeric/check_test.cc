// SPDX-License-Identifier: Apache-2.0
#include "fedstein/numeric/check.h"

#include <limits>

#include "support/throws.h"

namespace fedstein {
namespace {

constexpr Real kNan = std::numeric_limits<Real>::quiet_NaN();

TEST(Check, NamesFunctionArgumentValueAndWhatIsAllowed) {
  EXPECT_THROW_MESSAGE(check_positive("kde", "bandwidth", 0), InvalidArgument, "kde: bandwidth is 0; it must be");
  EXPECT_THROW_MESSAGE(check_positive("kde", "bandwidth", -0.5), InvalidArgument, "bandwidth is -0.5");
  EXPECT_THROW_MESSAGE(check_positive("kde", "bandwidth", INFINITY), InvalidArgument, "bandwidth is inf");
  EXPECT_THROW_MESSAGE(check_positive("kde", "bandwidth", NAN), InvalidArgument, "bandwidth is nan");
  EXPECT_NO_THROW(check_positive("kde", "bandwidth", 0.55));
}

TEST(Check, ShapeComplaintsShowBothShapes) {
  const Matrix a = Matrix::Zero(2, 3);
  const Matrix b = Matrix::Zero(2, 4);
  EXPECT_THROW_MESSAGE(check_same_shape("f", "score", b, "x", a),
                       InvalidArgument,
                       "f: score is 2 x 4; it must have the shape of x, 2 x 3");
  EXPECT_THROW_MESSAGE(check_columns("f", "y", b, 3), InvalidArgument, "y is 2 x 4; it must have 3 columns");
  EXPECT_THROW_MESSAGE(check_not_empty("f", "x", Matrix(0, 3)), InvalidArgument, "x is 0 x 3");
  EXPECT_NO_THROW(check_same_shape("f", "score", a, "x", a));
}

TEST(Check, FindsTheFirstNonFiniteValue) {
  Matrix m = Matrix::Constant(3, 5, std::numeric_limits<Real>::max() / 2);  // finite, though the sum of a row is not
  EXPECT_EQ(first_non_finite(m).row, -1);
  EXPECT_NO_THROW(check_finite("f", "m", m));
  m(2, 1) = kNan;
  m(1, 4) = -std::numeric_limits<Real>::infinity();
  EXPECT_EQ(first_non_finite(m).row, 1);
  EXPECT_EQ(first_non_finite(m).column, 4);
  EXPECT_THROW_MESSAGE(check_finite("f", "m", m), InvalidArgument, "f: m holds -inf in row 1, column 4");
}

}  // namespace
}  // namespace fedstein
