// SPDX-License-Identifier: Apache-2.0
#include "table/tables.h"

namespace fedstein {
namespace {

using testing::HasSubstr;

// A table with the feature x and these labels.
std::string labelled(const std::vector<std::string>& labels) {
  std::string text = "x,y\n";
  int x = 0;
  for (const std::string& label : labels) {
    ++x;
    text += std::to_string(x * x) + "," + label + "\n";
  }
  return text;
}

TEST(TableLabels, TwoValuesAreTwoClasses) {
  const std::vector<Names> pairs{
      {"no", "yes"}, {"0", "1"}, {"1", "2"}, {"-1", "1"}, {"False", "True"}, {"healthy", "ill"}, {"-1.5", "3"}};
  for (const Names& pair : pairs) {
    const UnderstoodTable table = understand(labelled({pair[1], pair[0], pair[1]}));
    EXPECT_EQ(table.schema.labels, LabelKind::kBinary) << pair[0];
    EXPECT_EQ(table.schema.classes, pair);  // the second, the greater, is +1
    EXPECT_EQ(table.rows.y, (Vector{{1, -1, 1}})) << pair[0];
    EXPECT_EQ(table.rows.classes, 2);
    EXPECT_THAT(remarks(table), HasSubstr("the labels are taken as binary"));
  }
}

TEST(TableLabels, ToldClassesAreInTheirOrder) {
  const UnderstoodTable table = understand(labelled({"yes", "no", "yes"}), {.classes = {"yes", "no"}});
  EXPECT_EQ(table.rows.y, (Vector{{-1, 1, -1}}));
  const UnderstoodTable more = understand(labelled({"b", "a", "b"}), {.classes = {"a", "b", "c"}});
  EXPECT_EQ(more.schema.labels, LabelKind::kMulticlass);
  EXPECT_EQ(more.rows.classes, 3);
  EXPECT_EQ(understand(labelled({"1.0", "0", "1"}), {.classes = {"1", "0"}}).rows.y, (Vector{{-1, 1, -1}}));
  EXPECT_EQ(understand(labelled({"NA", "x", "NA"}), {.classes = {"NA", "x"}}).rows.y, (Vector{{-1, 1, -1}}));
  EXPECT_THAT(refusal(labelled({"b", "a", "d"}), {.classes = {"a", "b"}}),
              HasSubstr("the label, column 'y': found the classes 'd'; expected one of 'a', 'b'"));
  EXPECT_THAT(refusal(labelled({"b", "a", "c"}), {.labels = LabelKind::kBinary}),
              HasSubstr("found the 3 classes 'a', 'b', 'c'; binary labels have 2"));
}

TEST(TableLabels, ManyValuesAreClassesOrNumbers) {
  EXPECT_EQ(understand(labelled({"2", "1", "3", "1", "2", "3"})).schema.classes, (Names{"1", "2", "3"}));
  EXPECT_EQ(understand(labelled({"a", "b", "c", "a"})).schema.labels, LabelKind::kMulticlass);
  for (const auto& numbers : {Names{"2", "1", "3"}, Names{"2", "4", "6", "2", "4", "6"}, Names{"0.5", "1", "1.5"}}) {
    const UnderstoodTable table = understand(labelled(numbers));
    EXPECT_EQ(table.schema.labels, LabelKind::kRegression);
    EXPECT_EQ(table.rows.y(0), static_cast<Real>(std::stod(numbers[0])));
  }
  EXPECT_EQ(understand(labelled({"0", "1", "1"}), {.labels = LabelKind::kRegression}).rows.y, (Vector{{0, 1, 1}}));
  EXPECT_EQ(understand(labelled({"3.5", "1", "1"}), {.labels = LabelKind::kMulticlass}).schema.classes,
            (Names{"1", "3.5"}));
}

TEST(TableLabels, OneClassOnlyIsRefused) {
  EXPECT_THAT(refusal(labelled({"yes", "yes"})), HasSubstr("every row is of the class 'yes'; expected two classes"));
  EXPECT_THAT(refusal(labelled({"1", "1.0"})), HasSubstr("it is '1' in every row; expected two different values"));
  EXPECT_THAT(refusal(labelled({"1", "1"}), {.labels = LabelKind::kBinary}),
              HasSubstr("every row is of the class '1'"));
  // An agent of a federation may have one of the agreed classes only.
  EXPECT_EQ(understand(labelled({"b", "b"}), {.classes = {"a", "b"}}).rows.y, (Vector{{1, 1}}));
}

TEST(TableLabels, CountsAreWholeAndNotNegative) {
  const TableOptions counts{.labels = LabelKind::kCounts};
  EXPECT_EQ(understand(labelled({"0", "12", "3.0"}), counts).rows.y, (Vector{{0, 12, 3}}));
  for (const char* bad : {"1.5", "-1", "2.9999999999", "16777217"}) {
    EXPECT_THAT(
        refusal(labelled({"0", bad, "3"}), counts),
        HasSubstr(std::string("f:3: column 'y': found '") + bad + "'; expected a count: a whole number from 0"));
  }
  EXPECT_THAT(refusal(labelled({"0", "x", "3"}), counts), HasSubstr("found 'x' in line 3; expected a number"));
}

TEST(TableLabels, WhatCannotBeALabelIsRefused) {
  Names names;
  for (int i = 0; i < 12; ++i) names.push_back("name" + std::to_string(i));
  EXPECT_THAT(refusal(labelled(names)), HasSubstr("found 12 different texts in 12 rows; expected classes that occur"));
  EXPECT_THAT(refusal(labelled({"2024-01-31", "2024-02-01", "2024-02-03"})),
              HasSubstr("found dates such as '2024-01-31'; expected classes or numbers"));
  Names numbers(40, "1.5");
  numbers[7] = "l.5";
  numbers[8] = "2.5";
  EXPECT_THAT(refusal(labelled(numbers)), HasSubstr("found 'l.5' in line 9; expected a number, since other rows"));
  EXPECT_THAT(refusal(labelled({"1", "inf", "3"}), {.labels = LabelKind::kRegression}),
              HasSubstr("found 'inf' in line 3; expected a finite number"));
  EXPECT_THAT(refusal(labelled({"1", "2", "3"}), {.labels = LabelKind::kDensity}), HasSubstr("cannot be of the kind"));
}

TEST(TableLabels, LabelsFarFromZeroAreRemarked) {
  EXPECT_THAT(remarks(understand(labelled({"1700000001", "1700000002", "1700000009"}))),
              HasSubstr("loses digits; subtract a fixed number in the file"));
  EXPECT_THAT(remarks(understand(labelled({"3", "3", "3"}), {.labels = LabelKind::kRegression})),
              HasSubstr("the label, column 'y', is 3 in every row"));
}

}  // namespace
}  // namespace fedstein
