// SPDX-License-Identifier: Apache-2.0
#include "table/tables.h"

namespace fedstein {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kHoles = "age,sex,ill\n20,m,1\n,f,0\n40,?,1\nNA,f,0\n30,m,nan\n";

TEST(TableMissing, AreCountedByColumnAndRefused) {
  EXPECT_EQ(refusal(kHoles),
            "f: 3 columns cannot be used as they are:\n"
            "  column 'age': 2 values missing, first in line 3; missing = \"drop\" leaves such rows out, \"impute\" "
            "fills them in\n"
            "  column 'sex': 1 value missing, first in line 4; missing = \"drop\" leaves such rows out, \"impute\" "
            "fills them in\n"
            "  column 'ill': 1 value missing, first in line 6; missing = \"drop\" and \"impute\" leave such rows out");
  EXPECT_EQ(understand("a,b,y\n1,,0\n2,,1\n", {.ignore = {"b"}}).rows.x.rows(), 2);  // where nobody looks
}

TEST(TableMissing, EveryWordForIt) {
  for (const char* word :
       {"", "NA", "na", "N/A", "nan", "NaN", "-nan", "NULL", "null", "None", "?", " ? ", "\"\"", "#N/A", "<NA>"}) {
    const UnderstoodTable table =
        understand(std::string("y,a\n0,1\n1,") + word + "\n1,3\n0,8\n", {.label = "y", .missing = MissingRule::kDrop});
    EXPECT_EQ(table.lines, (std::vector<Index>{2, 4, 5})) << word;
    EXPECT_EQ(table.dropped, 1);
    EXPECT_EQ(table.records, 4);
  }
}

TEST(TableMissing, DroppedRowsTeachNothing) {
  // 'z' and the class 2 stand in rows that are left out only; so does 1e9.
  const std::string text = "a,b,y\n1,x,0\nNA,z,1\n1e9,w,?\n4,x,1\n5,w,0\nNA,x,2\n";
  const UnderstoodTable table = understand(text, {.missing = MissingRule::kDrop});
  EXPECT_EQ(table.schema.columns[1].categories, (Names{"w", "x"}));
  EXPECT_EQ(table.schema.classes, (Names{"0", "1"}));
  EXPECT_TRUE(identical(table.rows.x, Matrix{{1, 1}, {4, 1}, {5, 0}}));
  EXPECT_EQ(table.columns[0].high, 5);
  EXPECT_EQ(table.dropped, 3);
  EXPECT_THAT(remarks(table), HasSubstr("3 rows left out for missing values"));
  EXPECT_EQ(parse_table(text, "f", table.schema).x.rows(), 3);
}

TEST(TableMissing, NothingLeftIsSaidOnce) {
  EXPECT_EQ(refusal("a,b,y\n1,,0\n,2,1\n", {.missing = MissingRule::kDrop}),
            "f: every row lacks a value and is left out; expected one whole row at least");
  EXPECT_THAT(refusal("a,b,y\n1,,0\n2,,1\n", {.missing = MissingRule::kDrop}),
              HasSubstr("column 'b': 2 values missing, first in line 2, and so no row is left; ignore = ['b']"));
}

TEST(TableMissing, ImputedNumbersAreMediansWithASign) {
  const UnderstoodTable table =
      understand("a,c,y\n1,u,0\n,v,1\n10,,1\n3,v,0\n8,u,1\n", {.missing = MissingRule::kImpute});
  EXPECT_EQ(feature_names(table.schema), (Names{"a", "a missing", "c=v", "c missing"}));
  EXPECT_EQ(table.schema.columns[0].fill, 5.5);  // between 3 and 8
  EXPECT_TRUE(
      identical(table.rows.x, Matrix{{1, 0, 0, 0}, {Real(5.5), 1, 1, 0}, {10, 0, 0, 1}, {3, 0, 1, 0}, {8, 0, 0, 0}}));
  EXPECT_EQ(understand("a,y\n1,0\n,1\n10,1\n3,0\n", {.missing = MissingRule::kImpute}).schema.columns[0].fill, 3);
  // Nothing missing: no feature for it, and later gaps are refused.
  const UnderstoodTable whole = understand("a,y\n1,0\n7,1\n", {.missing = MissingRule::kImpute});
  EXPECT_EQ(whole.rows.x.cols(), 1);
  EXPECT_THROW_MESSAGE(parse_table("a,y\n,0\n", "f", whole.schema),
                       DataError,
                       "f:2: column 'a': the value is missing; expected one in every row, since the column was agreed");
}

TEST(TableMissing, LabelsAndGroupsAreNotImputed) {
  const UnderstoodTable table =
      understand("a,g,y\n1,s,0\n2,t,\n3,,1\n4,t,1\n,z,\n", {.group = "g", .missing = MissingRule::kImpute});
  EXPECT_EQ(table.lines, (std::vector<Index>{2, 5}));
  EXPECT_EQ(table.schema.groups, (Names{"s", "t"}));
  EXPECT_EQ(table.rows.x.cols(), 1);  // the gap in `a` is in a row that is left out
}

TEST(TableMissing, AToldValueIsThere) {
  TableOptions options{.missing = MissingRule::kDrop, .columns = {{.name = "c", .categories = {"None", "some"}}}};
  options.label = "y";
  options.classes = {"0", "1"};
  const UnderstoodTable table = understand("c,y\nNone,0\nsome,1\nNA,1\n", options);
  EXPECT_EQ(table.rows.x.rows(), 2);
  EXPECT_EQ(table.dropped, 1);
}

// Of 300 rows two lack a colour and one a size: a feature that marks them would be learned from nothing.
TEST(TableMissing, AHandfulAmongManyIsFilledInWithoutAMark) {
  std::string text = "colour,size,y\n";
  for (int i = 0; i < 300; ++i) {
    text += std::string(i < 2        ? ""
                        : i % 3 == 0 ? "blue"
                                     : "red") +
            "," + (i == 9 ? "NA" : std::to_string(i % 50)) + "," + std::to_string(i % 2) + "\n";
  }
  const UnderstoodTable table = understand(text, {.missing = MissingRule::kImpute});
  EXPECT_EQ(feature_names(table.schema), (Names{"colour=red", "size"}));
  EXPECT_EQ(table.schema.columns[0].fill, 1);  // red, of which there are more
  EXPECT_EQ(table.rows.x(0, 0), 1);
  EXPECT_EQ(table.rows.x(9, 1), static_cast<Real>(*table.schema.columns[1].fill));
  EXPECT_THAT(remarks(table), HasSubstr("column 'colour': 2 missing values filled in, too few for a feature that"));
  EXPECT_TRUE(identical(parse_table(text, "f", table.schema).x, table.rows.x));
}

}  // namespace
}  // namespace fedstein
