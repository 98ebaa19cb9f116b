// SPDX-License-Identifier: Apache-2.0
#include "fedstein/data/libsvm.h"

#include "fedstein/numeric/check.h"
#include "support/close.h"
#include "support/pack.h"
#include "support/temporary_folder.h"
#include "support/throws.h"

namespace fedstein {
namespace {

LabelledRows parse(std::string_view text, Index features = 4) {
  return parse_libsvm(text, "f", features);
}

TEST(ReadLibsvm, FillsWhatIsLeftOutWithZeros) {
  const Matrix x{{Real{1.5}, 0, 0, -2}, {0, 0, 0, 0}, {0, Real{0.25}, 7, 0}};
  const Vector y{{1, -1, 2}};
  const std::string text = "+1 1:1.5 4:-2\n-1\n2 2:25e-2 3:7\n";
  const TemporaryFolder folder;
  for (const LabelledRows& found : {parse(text),
                                    parse("+1 1:1.5  4:-2 \r\n -1\r\n2\t2:25e-2 3:7"),
                                    parse(bzipped(text)),
                                    read_libsvm(folder.write("a", gzipped(text)), 4)}) {
    EXPECT_TRUE(identical(found.x, x));
    EXPECT_TRUE(identical(found.y, y));
  }
}

TEST(ReadLibsvm, BadLabelsIndicesAndValuesNameTheLine) {
  EXPECT_THROW_MESSAGE(parse("1 1:1\nspam 1:1\n"), DataError, "f:2: label: found 'spam'; expected a number");
  EXPECT_THROW_MESSAGE(parse("1:1 2:2\n"), DataError, "f:1: label: found '1:1'; expected a number");
  EXPECT_THROW_MESSAGE(parse("nan 1:1\n"), DataError, "f:1: label: found 'nan'; expected a finite number");
  EXPECT_THROW_MESSAGE(parse("1 0:1\n"), DataError, "f:1: found index 0; expected ascending indices from 1 to 4");
  EXPECT_THROW_MESSAGE(parse("1 -2:1\n"), DataError, "f:1: found index -2; expected ascending");
  EXPECT_THROW_MESSAGE(parse("1 5:1\n"), DataError, "f:1: found index 5; expected ascending indices from 1 to 4");
  EXPECT_THROW_MESSAGE(parse("1 3:1 2:1\n"), DataError, "f:1: found index 2 after 3; expected ascending");
  EXPECT_THROW_MESSAGE(parse("1 3:1 3:1\n"), DataError, "f:1: found index 3 after 3; expected ascending");
  EXPECT_THROW_MESSAGE(
      parse("1 99999999999999999999:1\n"), DataError, "found '99999999999999999999:1'; expected index");
  EXPECT_THROW_MESSAGE(parse("1 word\n"), DataError, "f:1: found 'word'; expected index:value");
  EXPECT_THROW_MESSAGE(parse("1 qid:3\n"), DataError, "f:1: found 'qid:3'; expected index:value");
  EXPECT_THROW_MESSAGE(parse("1 :3\n"), DataError, "f:1: found ':3'; expected index:value");
  EXPECT_THROW_MESSAGE(parse("1 1:\n"), DataError, "f:1: value of an index: found ''; expected a number");
  EXPECT_THROW_MESSAGE(parse("1 1:x\n"), DataError, "f:1: value of an index: found 'x'; expected a number");
  EXPECT_THROW_MESSAGE(parse("1 1:inf\n"), DataError, "f:1: value of an index: found 'inf'; expected a finite number");
  EXPECT_THROW_MESSAGE(parse("1 1:1:1\n"), DataError, "found '1:1'; expected a number");
}

TEST(ReadLibsvm, EmptyFilesAndMissingRowsAreRefused) {
  EXPECT_THROW_MESSAGE(parse(""), DataError, "f: the file is empty");
  EXPECT_THROW_MESSAGE(parse("\n\n"), DataError, "f: there is no row; expected at least one");
  EXPECT_THROW_MESSAGE(parse("1 1:1\n\n1 1:1\n"), DataError, "f:2: found an empty line");
  EXPECT_THROW_MESSAGE(parse("1 1:1\n", 0), InvalidArgument, "parse_libsvm: features is 0; it must be at least 1");
}

// Two bytes of text are a whole dense row: the limit must hold for what comes out, before memory is taken for it.
TEST(ReadLibsvm, ShortLinesCannotBecomeMoreMemoryThanTheLimit) {
  EXPECT_THROW_MESSAGE(parse_libsvm("1\n1\n", "f", Index{1} << 40),
                       DataError,
                       "f:1: the rows so far, with 1099511627776 features each, pass the limit of 8589934592 bytes");
  std::string text;
  for (int i = 0; i < 100; ++i) text += "1\n";
  EXPECT_THROW_MESSAGE(parse_libsvm(text, "f", 100, 50 * 100 * sizeof(Real)), DataError, "f:51: the rows so far");
}

}  // namespace
}  // namespace fedstein
