// SPDX-License-Identifier: Apache-2.0
// What stands in a text besides its cells: quotes, line ends, comments, and bytes that are no text.
#include "table/tables.h"

namespace fedstein {
namespace {

using testing::HasSubstr;

TEST(TableText, QuotesHoldSeparatorsLineEndsAndQuotes) {
  const UnderstoodTable table = understand(
      "who,y\n\"Lee, Ann\",1\n\"Ray\nBob\",0\n\"the \"\"old\"\" one\",1\n\"Ray\nBob\",0\nsix \"6\",1\n\"\",0\n",
      {.missing = MissingRule::kDrop});
  EXPECT_EQ(table.schema.columns[0].categories, (Names{"Lee, Ann", "Ray\nBob", "six \"6\"", "the \"old\" one"}));
  EXPECT_EQ(table.lines, (std::vector<Index>{2, 3, 5, 6, 8}));
  EXPECT_EQ(table.dropped, 1);
}

TEST(TableText, QuotesThatMakeNoSenseNameTheirLine) {
  EXPECT_THAT(refusal("a,y\n1,2\n\"3,4\n5,6\n"), HasSubstr("f:3: the quote that opens here is never closed"));
  EXPECT_THAT(refusal("a,y\n\"1\"x,2\n"), HasSubstr("f:2: found 'x' behind a closing quote; expected a separator"));
}

TEST(TableText, LineEndsMarksBlankLinesAndCommentsAreNoRows) {
  const UnderstoodTable plain = understand("a,y\n1,0\n2,1\n9,1\n");
  for (const char* text : {"a,y\r\n1,0\r\n2,1\r\n9,1",
                           "\xef\xbb\xbf"
                           "a,y\n1,0\n2,1\n9,1\n",
                           "\n\na,y\n  \n1,0\n\t\n2,1\n9,1\n\n\n",
                           "# what this is\na,y\n1,0\n  # and that\n2,1\n9,1\n#",
                           " a , y \n 1 , 0 \n2,1\n9 ,1",
                           "\"a\",\"y\"\n\"1\",\"0\"\n\"2\" , \"1\"\n9,1\n"}) {
    const UnderstoodTable table = understand(text);
    EXPECT_EQ(table.schema, plain.schema) << text;
    EXPECT_TRUE(identical(table.rows.x, plain.rows.x)) << text;
  }
  const UnderstoodTable commented = understand("# one\na,y\n1,0\n# two\n2,1\n9,1\n");
  EXPECT_EQ(commented.lines, (std::vector<Index>{3, 5, 6}));
  EXPECT_THAT(remarks(commented), HasSubstr("2 lines beginning with # taken as comments, first line 1"));
  EXPECT_THAT(refusal("a,y\r1,0\r2,1\r"), HasSubstr("f:1: found a carriage return inside a line"));
}

TEST(TableText, RaggedRowsNameLineFoundAndExpected) {
  EXPECT_THAT(refusal("a,b,y\n1,2,3\n4,5\n"), HasSubstr("f:3: found 2 columns; expected 3, 'a', 'b', 'y'"));
  EXPECT_THAT(refusal("a,b,y\n1,2,3\n4,5,6,7\n"), HasSubstr("f:3: found 4 columns; expected 3"));
  EXPECT_THAT(refusal("1,2,3\n4\n"), HasSubstr("f:2: found 1 column; expected 3"));
}

TEST(TableText, SeparatorsAtLineEndsMakeNoColumn) {
  const UnderstoodTable table = understand("a,y,\n1,0,\n2,1,\n9,1,\n");
  EXPECT_EQ(feature_names(table.schema), (Names{"a"}));
  EXPECT_EQ(table.schema.label, "y");
  EXPECT_EQ(table.schema.ignored, (Names{"column 2"}));
  EXPECT_THAT(remarks(table), HasSubstr("every line ends with a separator"));
  EXPECT_EQ(parse_table("a,y,\n1,0,\n", "f", table.schema).x(0, 0), 1);
  EXPECT_EQ(understand("1,0,\n2,1,\n9,1,\n").schema.label, "column 1");
  std::string late = "a,y,\n";
  for (int i = 0; i < 1200; ++i) late += "1,0,\n2,1,\n";
  EXPECT_THAT(refusal(late + "9,1,x\n"),
              HasSubstr("column 2 (from 0) is empty at first, but not everywhere: found 'x' in line 2402"));
}

TEST(TableText, WhatIsNoTextIsRefused) {
  using std::string_literals::operator""s;
  EXPECT_THAT(refusal("\xff\xfe"
                      "a\0,\0"s),
              HasSubstr("f: this is UTF-16 text; save the table as UTF-8"));
  EXPECT_THAT(refusal("PK\x03\x04 xl"), HasSubstr("a zip archive or a spreadsheet; save the table as CSV"));
  EXPECT_THAT(refusal("MATLAB 5.0 MAT-file, Platform: GLNXA64"), HasSubstr("format = \"matlab\" in [data] reads it"));
  EXPECT_THAT(refusal("PAR1\x15"), HasSubstr("this is a Parquet file; save the table as CSV"));
  EXPECT_THAT(refusal("ARROW1\x15"), HasSubstr("this is an Arrow file"));
  EXPECT_THAT(refusal("a,y\n1,2\n3,\0\n"s), HasSubstr("f:3: found a NUL byte; expected a table as UTF-8 text"));
  EXPECT_THAT(refusal("a,y\ngr\xfcn,2\n"), HasSubstr("f:2: found '\\xfc', which is no UTF-8; save"));
  EXPECT_THAT(refusal("a,y\n\xed\xa0\x80,2\n"), HasSubstr("which is no UTF-8"));      // half a UTF-16 pair
  EXPECT_THAT(refusal("a,y\n\xc0\xaf,2\n"), HasSubstr("which is no UTF-8"));          // overlong
  EXPECT_THAT(refusal("a,y\n\xf4\x90\x80\x80,2\n"), HasSubstr("which is no UTF-8"));  // past the last character
  EXPECT_EQ(understand("gr\xc3\xbc\xc3\x9f"
                       "e,y\n1,0\n2,1\n")
                .schema.columns[0]
                .name,
            "gr\xc3\xbc\xc3\x9f"
            "e");
  EXPECT_THAT(refusal("a\x1b[2J,a\x1b[2J\n1,2\n3,4\n"), HasSubstr("'a\\x1b[2J'"));
}

// Of another format that is text: its rows fall into no columns.
TEST(TableText, LinesOfLibsvmAreKnown) {
  EXPECT_THAT(refusal("+1 1:0.5 7:2\r\n-1 2:3\r\n"), HasSubstr("f: the lines are of the form LABEL INDEX:VALUE"));
  EXPECT_THAT(refusal("0 0:1e-3 12:-4\n1 3:1\n1 1:1\n"), HasSubstr("format = \"libsvm\" and features = N"));
  for (const char* other :
       {"1 8:30\n", "1 12:30 8:00\n2 13:00 9:00\n", "a 1:2\nb 1:3\n", "1 1:x\n2 1:y\n", "1 2\n3 4\n"}) {
    EXPECT_THAT(refusal(other), testing::Not(HasSubstr("libsvm"))) << other;
  }
}

}  // namespace
}  // namespace fedstein
