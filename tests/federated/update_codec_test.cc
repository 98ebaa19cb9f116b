// SPDX-License-Identifier: Apache-2.0
// The eight-bit codec, and a hostile agent behind it. tests/methods/with_codec_test.cc has the methods behind codecs.
#include <limits>

#include "fedstein/federated/eight_bit_codec.h"
#include "support/close.h"
#include "support/random_matrix.h"
#include "support/throws.h"

namespace fedstein {
namespace {

using testing::HasSubstr;

const EightBitCodec kCodec;

Task sample_task() {
  return {
      .round = 1, .agent = 0, .version = 0, .belief = {random_matrix(5, 7, 1), random_matrix(1, 7, 2)}, .verdict = {}};
}

// The first matrix moved, the second as it was, the third of no shape that the task has.
Update sample_update(const Task& task) {
  return {1, 0, {task.belief[0] + 0.1_r * random_matrix(5, 7, 3), task.belief[1], random_matrix(2, 4, 4)}};
}

TEST(EightBitCodec, NumbersAreOffByHalfAStepAtMost) {
  const Task task = sample_task();
  const Update update = sample_update(task);
  const Update coded = kCodec.encode(update, task);
  EXPECT_EQ(kCodec.objection(coded, task), "");
  const Update decoded = kCodec.decode(coded, task);
  ASSERT_EQ(decoded.belief.size(), 3U);
  const Matrix moved = update.belief[0] - task.belief[0];
  const double half_a_step = static_cast<double>(moved.cwiseAbs().maxCoeff()) / 254;
  EXPECT_LE((decoded.belief[0] - update.belief[0]).cwiseAbs().maxCoeff(), half_a_step * 1.001);
  EXPECT_FALSE(identical(decoded.belief[0], update.belief[0]));
  EXPECT_TRUE(identical(decoded.belief[1], task.belief[1]));
  EXPECT_LE((decoded.belief[2] - update.belief[2]).cwiseAbs().maxCoeff(),
            static_cast<double>(update.belief[2].cwiseAbs().maxCoeff()) / 254 * 1.001);
}

TEST(EightBitCodec, IsSmallerAndTheSameEveryTime) {
  const Task task{.round = 1, .agent = 0, .version = 0, .belief = {random_matrix(20, 50, 1)}, .verdict = {}};
  const Update update{1, 0, {random_matrix(20, 50, 2)}};
  const Update coded = kCodec.encode(update, task);
  const double saving =
      static_cast<double>(payload_bytes(update.belief)) / static_cast<double>(payload_bytes(coded.belief));
  EXPECT_GT(saving, sizeof(Real) == 4 ? 2.6 : 5.8);
  EXPECT_TRUE(identical(kCodec.encode(update, task).belief[0], coded.belief[0]));
}

TEST(EightBitCodec, ExtremeNumbersStayFiniteOrAreRefused) {
  constexpr Real kMost = std::numeric_limits<Real>::max();
  Task task = sample_task();
  task.belief = {Matrix::Constant(1, 3, -kMost)};
  const Update far = kCodec.encode({1, 0, {Matrix::Constant(1, 3, kMost)}}, task);
  EXPECT_THAT(kCodec.objection(far, task), HasSubstr("a scale of inf"));
  const Update broken = kCodec.encode({1, 0, {Matrix::Constant(1, 3, std::numeric_limits<Real>::quiet_NaN())}}, task);
  EXPECT_THAT(kCodec.objection(broken, task), HasSubstr("a scale of nan"));
  task.belief = {Matrix::Zero(1, 3)};
  const Update tiny = kCodec.encode({1, 0, {Matrix::Constant(1, 3, std::numeric_limits<Real>::denorm_min())}}, task);
  EXPECT_EQ(kCodec.objection(tiny, task), "");
  EXPECT_TRUE(kCodec.decode(tiny, task).belief[0].allFinite());
}

TEST(EightBitCodec, HostileMatricesAreRefusedInASentence) {
  const Task task = sample_task();
  const Update good = kCodec.encode(sample_update(task), task);
  const auto objection_with = [&](Index at, Real value) {
    Update bad = good;
    bad.belief[0](0, at) = value;
    return kCodec.objection(bad, task);
  };
  EXPECT_THAT(objection_with(0, -1), HasSubstr("names a size of -1"));
  EXPECT_THAT(objection_with(0, 2.5_r), HasSubstr("names a size of 2.5"));
  EXPECT_THAT(objection_with(0, 1e30_r), HasSubstr("names a size of"));
  EXPECT_THAT(objection_with(0, 65536), HasSubstr("words of codes for"));
  EXPECT_THAT(objection_with(1, 6), HasSubstr("words of codes for 30 numbers"));
  EXPECT_THAT(objection_with(1, std::numeric_limits<Real>::quiet_NaN()), HasSubstr("names a size of nan"));
  EXPECT_THAT(objection_with(2, -0.5_r), HasSubstr("a scale of -0.5"));
  EXPECT_THAT(objection_with(3, 0.5_r), HasSubstr("where codes are expected"));
  EXPECT_THAT(objection_with(3, -1), HasSubstr("where codes are expected"));
  EXPECT_THAT(objection_with(3, 255), HasSubstr("the code 255, which means nothing"));
  EXPECT_THAT(
      objection_with(good.belief[0].cols() - 1, std::ldexp(1.0_r, std::numeric_limits<Real>::digits / 8 * 8 - 1)),
      HasSubstr("which means nothing"));  // codes behind the last number
  Update bad = good;
  bad.belief[1] = Matrix(2, 3);
  EXPECT_THAT(kCodec.objection(bad, task), HasSubstr("eight-bit matrix 1 is 2 x 3"));
  bad.belief[1] = Matrix(1, 2);
  EXPECT_THAT(kCodec.objection(bad, task), HasSubstr("is 1 x 2, expected 1 x at least 3"));
}

}  // namespace
}  // namespace fedstein
