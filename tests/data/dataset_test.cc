// SPDX-License-Identifier: Apache-2.0
#include "fedstein/data/dataset.h"

#include <limits>

#include "data/small_sets.h"
#include "fedstein/numeric/check.h"
#include "support/close.h"
#include "support/throws.h"

namespace fedstein {
namespace {

TEST(Dataset, GoodSetsPassValidation) {
  EXPECT_NO_THROW(validate(striped_set(5, 2)));
  EXPECT_NO_THROW(validate(striped_set(5, 4)));
  EXPECT_NO_THROW(validate(grouped_set({3, 3, kNoGroup})));
  Dataset regression = striped_set(5, 2);
  regression.labels = LabelKind::kRegression;
  regression.classes = 0;
  regression.y(2) = Real{0.25};
  EXPECT_NO_THROW(validate(regression));
}

TEST(Dataset, ValidationNamesWhatIsWrong) {
  Dataset few_labels = striped_set(5, 2);
  few_labels.y.conservativeResize(4);
  EXPECT_THROW_MESSAGE(validate(few_labels), InvalidArgument, "striped has 4 labels for 5 rows");

  Dataset few_groups = grouped_set({1, 2, 3});
  few_groups.group.pop_back();
  EXPECT_THROW_MESSAGE(validate(few_groups), InvalidArgument, "2 groups for 3 rows");

  Dataset zero = striped_set(5, 2);
  zero.y(3) = 0;
  EXPECT_THROW_MESSAGE(validate(zero), InvalidArgument, "label 0 in row 4; it must be -1 or 1");

  Dataset half = striped_set(5, 3);
  half.y(1) = Real{0.5};
  EXPECT_THROW_MESSAGE(validate(half), InvalidArgument, "whole number from 0 to 2");
  half.y(1) = 3;
  EXPECT_THROW_MESSAGE(validate(half), InvalidArgument, "label 3 in row 2");

  Dataset infinite = striped_set(5, 2);
  infinite.x(4, 2) = std::numeric_limits<Real>::infinity();
  EXPECT_THROW_MESSAGE(validate(infinite), InvalidArgument, "striped holds inf in row 4, column 2");

  Dataset target = striped_set(5, 2);
  target.labels = LabelKind::kRegression;
  EXPECT_THROW_MESSAGE(validate(target), InvalidArgument, "2 classes; a regression set has 0");
  target.classes = 0;
  target.y(0) = std::numeric_limits<Real>::quiet_NaN();
  EXPECT_THROW_MESSAGE(validate(target), InvalidArgument, "finite number");
}

TEST(Dataset, ClassesOfBothKindsOfLabel) {
  const Dataset binary = striped_set(3, 2);
  EXPECT_EQ(class_of(binary, 0), 0);
  EXPECT_EQ(class_of(binary, 1), 1);
  EXPECT_EQ(class_counts(binary), (std::vector<Index>{2, 1}));
  const Dataset multi = striped_set(7, 3);
  EXPECT_EQ(class_of(multi, 5), 2);
  EXPECT_EQ(class_counts(multi), (std::vector<Index>{3, 2, 2}));
  EXPECT_EQ(class_counts(multi, std::vector<Index>{0, 3, 1}), (std::vector<Index>{2, 1, 0}));

  Dataset regression = binary;
  regression.labels = LabelKind::kRegression;
  EXPECT_THROW_MESSAGE(class_of(regression, 0), InvalidArgument, "only binary and multiclass sets have classes");
}

TEST(Dataset, RowsAreCopiedInTheOrderGiven) {
  const Dataset set = grouped_set({7, 8, 9});
  const Dataset some = rows(set, std::vector<Index>{2, 0, 2});
  EXPECT_TRUE(identical(some.x.row(0), set.x.row(2)));
  EXPECT_TRUE(identical(some.x.row(1), set.x.row(0)));
  EXPECT_EQ(some.y(2), set.y(2));
  EXPECT_EQ(some.group, (std::vector<Index>{9, 7, 9}));
  EXPECT_EQ(some.name, set.name);
  EXPECT_EQ(some.classes, 2);
  EXPECT_EQ(rows(set, {}).x.rows(), 0);
  EXPECT_THROW_MESSAGE(rows(set, std::vector<Index>{3}), InvalidArgument, "row 3 of grouped is asked for");
  EXPECT_THROW_MESSAGE(rows(set, std::vector<Index>{-1}), InvalidArgument, "rows 0 to 2");
}

// By hand: for one row with x = 1 and y = -1 the words are 0x3f800000 and 0xbf800000.
TEST(Dataset, ChecksumIsFnvOverSinglePrecisionWords) {
  Dataset set = striped_set(1, 2, 1);
  set.x(0, 0) = 1;
  std::uint64_t expected = 0xcbf29ce484222325ULL;
  expected = (expected ^ 0x3f800000U) * 0x100000001b3ULL;
  expected = (expected ^ 0xbf800000U) * 0x100000001b3ULL;
  EXPECT_EQ(checksum(set), expected);
  set.x(0, 0) = static_cast<Real>(1.000001);
  EXPECT_NE(checksum(set), expected);
}

TEST(Dataset, ChecksumDependsOnTheOrder) {
  const Dataset set = striped_set(2, 2);
  EXPECT_NE(checksum(set), checksum(rows(set, std::vector<Index>{1, 0})));
}

}  // namespace
}  // namespace fedstein
