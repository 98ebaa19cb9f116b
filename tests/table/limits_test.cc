// SPDX-License-Identifier: Apache-2.0
// Tables that are large, or made to be: time goes with their size, memory has a bound, and what is too much is said.
#include <ctime>
#include <functional>

#include "fedstein/table/table_rows.h"
#include "support/pack.h"
#include "support/peak_memory.h"
#include "table/tables.h"

namespace fedstein {
namespace {

using testing::AllOf;
using testing::Ge;
using testing::HasSubstr;
using testing::Lt;

// Of the processor: other programs of the machine do not count.
double seconds_of(const std::function<void()>& work) {
  const std::clock_t start = std::clock();
  work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

std::string wide_table(int columns, bool header) {
  std::string text;
  if (header) {
    for (int k = 0; k < columns; ++k) text += "c" + std::to_string(k) + ",";
    text += "y\n";
  }
  for (int row = 0; row < 3; ++row) {
    for (int k = 0; k < columns; ++k) text += std::to_string((k * 7 + row * row) % 100) + ",";
    text += row == 1 ? "1\n" : "0\n";
  }
  return text;
}

// All ways through the columns' names: told, agreed, ignored, streamed. Any that walks through all names for each of
// them takes minutes.
TEST(TableLimits, AHundredThousandColumnsTakeLinearTime) {
  constexpr int kColumns = 100'000;
  for (const bool header : {true, false}) {
    const std::string text = wide_table(kColumns, header);
    EXPECT_LT(seconds_of([&] {
                const UnderstoodTable table = understand(text);
                ASSERT_EQ(table.rows.x.cols(), kColumns);
                TableOptions agreed{.header = header, .label = Index{kColumns}, .columns = table.schema.columns};
                EXPECT_EQ(understand(text, agreed).schema.columns, table.schema.columns);
                TableRows rows(ByteSource::over(text, "f"), table.schema, {});
                EXPECT_TRUE(rows.next());
                TableOptions ignoring;
                for (int k = 0; k + 1 < kColumns; ++k) {
                  if (header) ignoring.ignore.emplace_back("c" + std::to_string(k));
                  if (!header) ignoring.ignore.emplace_back(Index{k});
                }
                EXPECT_EQ(understand(text, ignoring).rows.x.cols(), 1);
              }),
              30.0);
  }
}

TEST(TableLimits, ALineOfCommasIsRefusedInLittleMemory) {
  const std::string line(64 << 20, ',');
  EXPECT_THAT(peak_growth([&] {
                if (refusal(line).find("f:1: the row has more than 1000000 columns; is the separator the right one?") ==
                    std::string::npos) {
                  throw std::logic_error(refusal(line));
                }
              }),
              AllOf(Ge(0), Lt(kMemoryFactor * (200 << 20))));
}

TEST(TableLimits, AQuoteThatNeverClosesIsOneSentence) {
  std::string text = "a,y\n1,\"0\n";
  text.append(32 << 20, '\n');
  EXPECT_THAT(refusal(text), HasSubstr("f:2: the quote that opens here is never closed"));
}

TEST(TableLimits, ManyDifferentValuesAreCountedOnlySoFar) {
  std::string text = "id,site,y\n";
  for (int i = 0; i < 300'000; ++i)
    text += "p" + std::to_string(i) + ",s" + std::to_string(i) + (i % 2 ? ",1\n" : ",0\n");
  EXPECT_LT(
      peak_growth([&] {
        const std::string said = refusal(text, {.group = "site"});
        if (said.find("the groups, column 'site': found more than 100000 different values") == std::string::npos ||
            said.find("of more than 50 different values in 300000 rows") == std::string::npos) {
          throw std::logic_error(said);
        }
      }),
      150 << 20);
}

TEST(TableLimits, APackedTableThatUnpacksToMuchIsRefused) {
  EXPECT_THAT(refusal(gzip_bomb("a,y\n1,0\n2,", 96)), HasSubstr("the data unpacks to"));
}

TEST(TableLimits, MoreNumbersThanTheLimitAreRefused) {
  TableSchema schema{.columns = {{.name = "a"}}, .label = "y", .labels = LabelKind::kRegression};
  for (int i = 0; i < 500'000; ++i) schema.columns[0].categories.push_back(std::to_string(i));
  std::string text = "a,y\n";
  for (int row = 0; row < 4300; ++row) text += "7,1\n";
  EXPECT_THROW_MESSAGE(parse_table(text, "f", schema),
                       DataError,
                       "f: 4300 rows of 499999 features are more than the limit of 2147483648 numbers");
}

}  // namespace
}  // namespace fedstein
