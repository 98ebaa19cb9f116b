// SPDX-License-Identifier: Apache-2.0
#include "fedstein/data/text.h"

#include <cmath>

#include "fedstein/numeric/check.h"
#include "fedstein/numeric/rng.h"
#include "support/close.h"
#include "support/pack.h"
#include "support/temporary_folder.h"
#include "support/throws.h"

namespace fedstein {
namespace {

Matrix parse(std::string_view text, const TextOptions& options = {}) {
  return parse_text(text, "f", options);
}

Matrix rows(std::initializer_list<std::initializer_list<Real>> values) {
  return Matrix(values);
}

TEST(ReadText, ReadsCommasLineEndsAndBlanksAroundFields) {
  const Matrix expected = rows({{1, Real{-2.5}, 3}, {4, 0, Real{0.125}}});
  EXPECT_TRUE(identical(parse("1,-2.5,3\n4,0,0.125\n"), expected));
  EXPECT_TRUE(identical(parse("1,-2.5,3\n4,0,0.125"), expected));
  EXPECT_TRUE(identical(parse("1,-2.5,3\r\n4,0,0.125\r\n"), expected));
  EXPECT_TRUE(identical(parse("+1.0, -25e-1 ,\t3\n4.,-0,.125\n"), expected));
  EXPECT_TRUE(identical(parse("\xef\xbb\xbf"
                              "1,-2.5,3\n4,0,0.125\n\n  \n"),
                        expected));
  EXPECT_TRUE(identical(parse("a,b,c\n1,-2.5,3\n4,0,0.125", {.header = true}), expected));
  EXPECT_TRUE(identical(parse("1;-2.5;3\n4;0;0.125", {.separator = ';', .columns = 3}), expected));
  EXPECT_TRUE(identical(parse("1\t-2.5\t3\n4\t0\t0.125", {.separator = '\t'}), expected));
  EXPECT_TRUE(identical(parse("  1 -2.5\t 3  \n4 0   0.125\t\n", {.separator = ' '}), expected));
}

TEST(ReadText, LeavesIgnoredColumnsOutUnparsed) {
  EXPECT_TRUE(identical(parse("ann,1,x,2\nbob,3,,4\n", {.ignored_columns = {0, 2}}), rows({{1, 2}, {3, 4}})));
  EXPECT_TRUE(identical(parse("1 a 2\n", {.separator = ' ', .ignored_columns = {1}, .columns = 3}), rows({{1, 2}})));
}

// The quick path and std::from_chars must agree to the last bit, on numbers of every length and form.
TEST(ReadText, ReadsEveryNumberCorrectlyRounded) {
  Rng rng({.seed = 7, .purpose = Purpose::kTest});
  std::string text;
  std::vector<double> expected;
  for (int i = 0; i < 20000; ++i) {
    std::string number = rng.below(2) == 0 ? "-" : "";
    const std::uint64_t before = rng.below(12);
    for (std::uint64_t k = 0; k < before; ++k) number += static_cast<char>('0' + rng.below(10));
    if (const std::uint64_t after = rng.below(12); after > 0 || before == 0) {
      number += '.';
      for (std::uint64_t k = 0; k < after + 1; ++k) number += static_cast<char>('0' + rng.below(10));
    }
    if (rng.below(4) == 0) number += "e" + std::to_string(static_cast<int>(rng.below(30)) - 15);
    expected.push_back(std::stod(number));
    text += number + "\n";
  }
  const Matrix found = parse(text);
  ASSERT_EQ(found.rows(), 20000);
  for (Index row = 0; row < found.rows(); ++row) {
    ASSERT_EQ(found(row, 0), static_cast<Real>(expected[static_cast<std::size_t>(row)])) << row;
  }
}

TEST(ReadText, ReadsFilesAcrossBlocksPlainAndPacked) {
  std::string text;
  for (int i = 0; i < 100000; ++i) text += std::to_string(i) + "," + std::to_string(-i) + "\r\n";
  const TemporaryFolder folder;
  for (const std::string& path :
       {folder.write("a", text), folder.write("b", gzipped(text)), folder.write("c", bzipped(text))}) {
    const Matrix found = read_text(path, {.columns = 2});
    ASSERT_EQ(shape_of(found), "100000 x 2");
    for (Index row = 0; row < found.rows(); ++row) {
      ASSERT_EQ(found(row, 0), static_cast<Real>(row));
      ASSERT_EQ(found(row, 1), static_cast<Real>(-row));
    }
  }
}

TEST(ReadText, RaggedRowsNameLineFoundAndExpected) {
  EXPECT_THROW_MESSAGE(parse("1,2,3\n4,5\n"), DataError, "f:2: found 2 columns in '4,5'; expected 3");
  EXPECT_THROW_MESSAGE(parse("1,2\n4,5,6\n"), DataError, "f:2: found 3 columns in '4,5,6'; expected 2");
  EXPECT_THROW_MESSAGE(parse("1,2\n3,4,\n"), DataError, "f:2: found 3 columns in '3,4,'; expected 2");
  EXPECT_THROW_MESSAGE(parse("1,2\n", {.columns = 3}), DataError, "f:1: found 2 columns in '1,2'; expected 3");
  EXPECT_THROW_MESSAGE(parse("1 2\n3\n", {.separator = ' '}), DataError, "f:2: found 1 column in '3'; expected 2");
  EXPECT_THROW_MESSAGE(parse("h\n1,2\n3\n", {.header = true}), DataError, "f:3: found 1 column in '3'; expected 2");
  EXPECT_THROW_MESSAGE(parse("1\n\n2\n"), DataError, "f:2: found an empty line before the last row; expected a row");
}

TEST(ReadText, WordsAndNumbersThatAreNotFiniteNameTheColumn) {
  EXPECT_THROW_MESSAGE(parse("1,2\n3,four\n"), DataError, "f:2: column 1 (from 0): found 'four'; expected a number");
  EXPECT_THROW_MESSAGE(parse("age,ill\n3,4\n"),
                       DataError,
                       "f:1: column 0 (from 0): found 'age'; expected a number; a first line of names is");
  EXPECT_THROW_MESSAGE(parse("1,,3\n"), DataError, "f:1: column 1 (from 0): found ''; expected a number");
  EXPECT_THROW_MESSAGE(parse("1,2,\n"), DataError, "f:1: column 2 (from 0): found ''; expected a number");
  EXPECT_THROW_MESSAGE(parse("1,0x10\n"), DataError, "column 1 (from 0): found '0x10'; expected a number");
  EXPECT_THROW_MESSAGE(parse("1,2 3\n"), DataError, "column 1 (from 0): found '2 3'; expected a number");
  EXPECT_THROW_MESSAGE(parse("1,--2\n"), DataError, "found '--2'; expected a number");
  EXPECT_THROW_MESSAGE(parse("1,+-2\n"), DataError, "found '+-2'; expected a number");
  EXPECT_THROW_MESSAGE(parse("1,-\n"), DataError, "found '-'; expected a number");
  EXPECT_THROW_MESSAGE(parse("1,.\n"), DataError, "found '.'; expected a number");
  EXPECT_THROW_MESSAGE(parse("1,\"2\"\n"), DataError, "found '\"2\"'; expected a number");
  EXPECT_THROW_MESSAGE(parse("1,nan\n"), DataError, "f:1: column 1 (from 0): found 'nan'; expected a finite number");
  EXPECT_THROW_MESSAGE(parse("1,-inf\n"), DataError, "f:1: column 1 (from 0): found '-inf'; expected a finite number");
  EXPECT_THROW_MESSAGE(parse("1,Infinity\n"), DataError, "found 'Infinity'; expected a finite number");
  EXPECT_THROW_MESSAGE(parse("1,1e999\n"), DataError, "found '1e999'; expected a number in the range of double");
  EXPECT_THROW_MESSAGE(
      parse(std::string_view("1,2\0\n", 5)), DataError, "column 1 (from 0): found '2\\x00'; expected a number");
  EXPECT_THROW_MESSAGE(parse("1,\xc3\xa9"
                             "2\n"),
                       DataError,
                       "found '\xc3\xa9"
                       "2'; expected a number");
  EXPECT_THROW_MESSAGE(
      parse("1," + std::string(100, 'x')), DataError, "found '" + std::string(40, 'x') + "'...; expected a number");
#if FEDSTEIN_REAL_IS_DOUBLE
  EXPECT_EQ(parse("1e300")(0, 0), 1e300);
#else
  EXPECT_THROW_MESSAGE(parse("1e300"), DataError, "found '1e300'; expected a number that fits into float");
#endif
}

TEST(ReadText, FilesWithoutRowsOrWithBrokenPackingAreRefused) {
  EXPECT_THROW_MESSAGE(parse(""), DataError, "f: the file is empty");
  EXPECT_THROW_MESSAGE(parse("\n\r\n \n"), DataError, "f: there is no row; expected at least one");
  EXPECT_THROW_MESSAGE(parse("a,b\n", {.header = true}), DataError, "f: there is no row");
  EXPECT_THROW_MESSAGE(parse(gzipped("")), DataError, "f: there is no row");
  const std::string packed = gzipped("1,2\n3,4\n");
  EXPECT_THROW_MESSAGE(parse(packed.substr(0, packed.size() - 3)), DataError, "the gzip data ends in the middle");
  EXPECT_THROW_MESSAGE(
      parse(gzipped(std::string(1 << 20, '\n')), {.byte_limit = 1 << 16}), DataError, "limit of 65536");
  EXPECT_THROW_MESSAGE(
      parse(gzipped(std::string((1 << 24) + 1, '1'))), DataError, "f:1: the line has more than 16777216 bytes");
}

TEST(ReadText, OptionsThatCannotBeMeantAreRefused) {
  EXPECT_THROW_MESSAGE(
      parse("1", {.separator = '.'}), InvalidArgument, "TextOptions: separator is '.'; it must not be");
  EXPECT_THROW_MESSAGE(parse("1", {.separator = '\n'}), InvalidArgument, "separator is '\\x0a'");
  EXPECT_THROW_MESSAGE(parse("1", {.columns = -1}), InvalidArgument, "columns is -1");
  EXPECT_THROW_MESSAGE(parse("1", {.ignored_columns = {-1}}), InvalidArgument, "ignored_columns holds -1");
  EXPECT_THROW_MESSAGE(
      parse("1,2", {.ignored_columns = {2}, .columns = 2}), InvalidArgument, "ignored_columns holds 2");
  EXPECT_THROW_MESSAGE(parse("1,2", {.ignored_columns = {2}}),
                       DataError,
                       "f:1: found 2 columns; expected at least 3, of which column 2 (from 0) is to be ignored");
  EXPECT_THROW_MESSAGE(parse("1,2", {.ignored_columns = {0, 1}}), DataError, "f:1: all columns are to be ignored");
}

// What people do most often wrong with a table of numbers is said with what to do.
TEST(ReadText, HintsFitWhatWasFound) {
  EXPECT_THROW_MESSAGE(
      parse("1\t2\n3\t4\n"), DataError, "; the columns seem to be separated by tabs: separator = \"\\t\"");
  EXPECT_THROW_MESSAGE(
      parse("1;2\n3;4\n"), DataError, "; the columns seem to be separated by semicolons: separator = \";\"");
  EXPECT_THROW_MESSAGE(
      parse("1 2\n3 4\n"), DataError, "; the columns seem to be separated by blanks: separator = \" \"");
  for (const char* mark : {"nan", "NA", "n/a", "?", "None"}) {
    EXPECT_THROW_MESSAGE(
        parse(std::string(mark) + ",1\n2,3\n"), DataError, "; it stands for a missing value, and a table of");
  }
  EXPECT_THROW_MESSAGE(parse("age,ill\n3,4\n"), DataError, "; a first line of names is skipped with `header`");
}

}  // namespace
}  // namespace fedstein
