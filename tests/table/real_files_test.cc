// SPDX-License-Identifier: Apache-2.0
#include "data/data_folder.h"
#include "table/tables.h"

namespace fedstein {
namespace {

using testing::HasSubstr;

TEST(RealTables, TheTitanicAsPeopleExpect) {
  FEDSTEIN_DATA_FOLDER_OR_SKIP(folder);
  const std::string path = folder + "/tables/titanic.csv";
  const UnderstoodTable seen = describe_table(path, {.label = "survived"});
  EXPECT_EQ(seen.records, 891);
  ASSERT_EQ(seen.columns.size(), 11U);
  EXPECT_EQ(seen.columns[0].role, "label");
  EXPECT_EQ(seen.columns[4].name, "age");
  EXPECT_EQ(seen.columns[4].missing, 177);
  EXPECT_EQ(seen.columns[4].high, 80);
  EXPECT_EQ(seen.columns[9].missing, 687);  // cabin
  std::string problems;
  for (const std::string& problem : seen.problems) problems += problem + "\n";
  EXPECT_THAT(problems, HasSubstr("column 'name': found text such as 'Braund, Mr. Owen Harris' in line 2"));
  EXPECT_THAT(problems, HasSubstr("column 'age': 177 values missing, first in line 7"));

  const UnderstoodTable table = understand_table(
      path, {.label = "survived", .ignore = {"name", "ticket", "cabin"}, .missing = MissingRule::kImpute});
  EXPECT_EQ(feature_names(table.schema),
            (Names{"pclass",
                   "sex=male",
                   "age",
                   "age missing",
                   "sibsp",
                   "parch",
                   "fare",
                   "embarked=Q",
                   "embarked=S"}));             // two of 891 lack it
  EXPECT_EQ(table.schema.columns[2].fill, 28);  // the median that every book on this table gives
  EXPECT_EQ(table.schema.classes, (Names{"0", "1"}));
  EXPECT_EQ(class_counts(table.rows), (std::vector<Index>{549, 342}));
  EXPECT_EQ(table.rows.x.rows(), 891);
}

TEST(RealTables, MilesPerGallonAsPeopleExpect) {
  FEDSTEIN_DATA_FOLDER_OR_SKIP(folder);
  const UnderstoodTable table =
      understand_table(folder + "/tables/mpg.csv",
                       {.label = "mpg", .ignore = {"name"}, .categorical = {"origin"}, .missing = MissingRule::kDrop});
  EXPECT_EQ(table.schema.labels, LabelKind::kRegression);
  EXPECT_EQ(table.rows.x.rows() + table.dropped, table.records);
  EXPECT_EQ(
      feature_names(table.schema),
      (Names{
          "cylinders", "displacement", "horsepower", "weight", "acceleration", "model_year", "origin=2", "origin=3"}));
  EXPECT_EQ(table.rows.y(0), 18);
  EXPECT_EQ(table.rows.x(0, 3), 3504);
}

}  // namespace
}  // namespace fedstein
