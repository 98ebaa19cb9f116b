// SPDX-License-Identifier: Apache-2.0
#include "fedstein/data/idx.h"

#include "support/pack.h"
#include "support/temporary_folder.h"
#include "support/throws.h"

namespace fedstein {
namespace {

using namespace std::string_literals;

const std::string kLabels = "\0\0\x08\1\0\0\0\3\7\0\xff"s;
const std::string kImages = "\0\0\x08\3\0\0\0\1\0\0\0\2\0\0\0\2\1\2\3\4"s;

IdxArray parse(std::string_view bytes) {
  return parse_idx(bytes, "f");
}

TEST(ReadIdx, ReadsShapeAndValues) {
  const TemporaryFolder folder;
  for (const IdxArray& labels : {parse(kLabels),
                                 parse(gzipped(kLabels)),
                                 read_idx(folder.write("a", kLabels)),
                                 read_idx(folder.write("b", gzipped(kLabels)))}) {
    EXPECT_EQ(labels.shape, (std::vector<Index>{3}));
    EXPECT_EQ(labels.values, (std::vector<std::uint8_t>{7, 0, 255}));
  }
  const IdxArray images = parse(kImages);
  EXPECT_EQ(images.shape, (std::vector<Index>{1, 2, 2}));
  EXPECT_EQ(images.values, (std::vector<std::uint8_t>{1, 2, 3, 4}));
}

TEST(ReadIdx, WrongMagicIsShown) {
  EXPECT_THROW_MESSAGE(parse("\x89PNG\r\n"),
                       DataError,
                       "f: byte 0: found '\\x89PNG'; expected an IDX file of unsigned bytes, which starts with "
                       "'\\x00\\x00\\x08' and the number of dimensions");
  EXPECT_THROW_MESSAGE(
      parse("\0\0\x0d\1\0\0\0\1\0\0\0\0"s), DataError, "byte 0: found '\\x00\\x00\\x0d\\x01'; expected");
  EXPECT_THROW_MESSAGE(parse("\0\0\x08\0"s), DataError, "byte 0: found '\\x00\\x00\\x08\\x00'; expected");
}

TEST(ReadIdx, EveryCutAndEveryAdditionIsFound) {
  for (std::size_t size = 1; size < 16; ++size) {
    EXPECT_THROW_MESSAGE(
        parse(kImages.substr(0, size)),
        DataError,
        "f: byte " + std::to_string(size) + ": the file ends inside the header; expected an IDX magic");
  }
  for (std::size_t size = 16; size < 20; ++size) {
    EXPECT_THROW_MESSAGE(parse(kImages.substr(0, size)),
                         DataError,
                         "f: byte " + std::to_string(size) + ": the file ends after " + std::to_string(size - 16) +
                             " values; expected 4, which the header promises");
  }
  EXPECT_THROW_MESSAGE(parse(kImages + "x"),
                       DataError,
                       "f: byte 20: found 'x' after the last value; expected the end, as the header promises 4 values");
  EXPECT_THROW_MESSAGE(parse(""), DataError, "f: the file is empty");
  const std::string packed = gzipped(kImages);
  EXPECT_THROW_MESSAGE(parse(packed.substr(0, packed.size() - 2)), DataError, "the gzip data ends in the middle");
}

// Under asan-ubsan and in the fuzzers an allocation of the claimed size would be seen; here the message is.
TEST(ReadIdx, ClaimsOfGigabytesAreFoundWithoutBelievingThem) {
  EXPECT_THROW_MESSAGE(parse("\0\0\x08\1\x7f\xff\xff\xff\1\2"s),
                       DataError,
                       "f: byte 10: the file ends after 2 values; expected 2147483647, which the header promises");
  EXPECT_THROW_MESSAGE(
      parse("\0\0\x08\2\0\0\x27\x10\0\x0f\x42\x40\1\2"s),
      DataError,
      "f: byte 8: the header promises 10000 times 1000000 values or more; expected at most 8589934592");
  EXPECT_THROW_MESSAGE(parse("\0\0\x08\3\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"s),
                       DataError,
                       "f: byte 8: the header promises 4294967295 times 4294967295 values or more");
  EXPECT_THROW_MESSAGE(
      parse("\0\0\x08\2\0\0\0\0\0\0\0\2"s), DataError, "f: byte 4: a dimension is 0; expected at least 1");
}

}  // namespace
}  // namespace fedstein
