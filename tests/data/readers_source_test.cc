// SPDX-License-Identifier: Apache-2.0
#include "fedstein/data/source.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fedstein/data/line_reader.h"
#include "support/pack.h"
#include "support/peak_memory.h"
#include "support/temporary_folder.h"
#include "support/throws.h"

namespace fedstein {
namespace {

std::string unpacked(std::string_view bytes, std::uint64_t limit = kByteLimit) {
  return ByteSource::over(bytes, "f", limit).rest();
}

// Some text of many blocks that does not repeat with the blocks' length.
std::string long_text() {
  std::string text;
  for (int i = 0; i < 120000; ++i) text += std::to_string(i * 7919) + ",";
  return text;
}

TEST(ByteSource, ReadsPlainGzipAndBzip2ByTheirFirstBytesWhateverTheName) {
  const TemporaryFolder folder;
  const std::string text = long_text();
  EXPECT_EQ(ByteSource::open(folder.write("a.gz", text)).rest(), text);
  EXPECT_EQ(ByteSource::open(folder.write("b.txt", gzipped(text))).rest(), text);
  EXPECT_EQ(ByteSource::open(folder.write("c.csv", bzipped(text))).rest(), text);
  EXPECT_EQ(unpacked(text), text);
  EXPECT_EQ(unpacked(gzipped(text)), text);
  EXPECT_EQ(unpacked(bzipped(text)), text);
  EXPECT_EQ(unpacked("B"), "B");
  EXPECT_EQ(unpacked("BZx"), "BZx");
  EXPECT_EQ(unpacked("\x1f"), "\x1f");
}

TEST(ByteSource, TheEndStaysTheEnd) {
  for (const std::string& bytes : {std::string("ab"), gzipped("ab"), bzipped("ab")}) {
    ByteSource source = ByteSource::over(bytes, "f");
    EXPECT_EQ(source.next(), "ab");
    EXPECT_EQ(source.next(), "");
    EXPECT_EQ(source.next(), "");
  }
}

TEST(ByteSource, JoinsPackedStreamsThatFollowEachOther) {
  EXPECT_EQ(unpacked(gzipped("one ") + gzipped("") + gzipped("two")), "one two");
  EXPECT_EQ(unpacked(bzipped("one ") + bzipped("") + bzipped("two")), "one two");
  const TemporaryFolder folder;  // across the border of a block
  const std::string text = long_text();
  EXPECT_EQ(ByteSource::open(folder.write("a", gzipped(text) + gzipped(text))).rest(), text + text);
}

TEST(ByteSource, EveryCutOfAPackedFileIsFound) {
  const std::string gzip = gzipped("1,2,3\n4,5,6\n");
  for (std::size_t size = 2; size < gzip.size(); ++size) {
    EXPECT_THROW_MESSAGE(unpacked(gzip.substr(0, size)),
                         DataError,
                         "f: byte " + std::to_string(size) + ": the gzip data ends in the middle; expected the rest");
  }
  const std::string bzip2 = bzipped("1,2,3\n4,5,6\n");
  for (std::size_t size = 4; size < bzip2.size(); ++size) {
    EXPECT_THROW_MESSAGE(unpacked(bzip2.substr(0, size)),
                         DataError,
                         "f: byte " + std::to_string(size) + ": the bzip2 data ends in the middle; expected the rest");
  }
}

TEST(ByteSource, EveryChangedByteOfThePackedContentIsFound) {
  const std::string text = "1,2,3\n4,5,6\n";
  const std::string gzip = gzipped(text);
  std::size_t refused = 0;
  for (std::size_t at = 10; at < gzip.size(); ++at) {  // the ten bytes before hold time and system, which may be any
    std::string damaged = gzip;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    // The last byte of the packed content may have bits to spare; then nothing has changed.
    std::string found;
    try {
      found = unpacked(damaged);
    } catch (const DataError&) {
      found = text;
      ++refused;
    }
    EXPECT_EQ(found, text) << at;
  }
  EXPECT_GE(refused, gzip.size() - 11);
  std::string bad_sum = gzip;
  bad_sum[gzip.size() - 8] = static_cast<char>(bad_sum[gzip.size() - 8] ^ 1);
  EXPECT_THROW_MESSAGE(unpacked(bad_sum), DataError, "the gzip data is damaged (incorrect data check)");
  std::string bad_length = gzip;
  bad_length[gzip.size() - 1] = 1;
  EXPECT_THROW_MESSAGE(unpacked(bad_length), DataError, "the gzip data is damaged (incorrect length check)");
  std::string bad_block = bzipped(text);
  bad_block[bad_block.size() / 2] = static_cast<char>(bad_block[bad_block.size() / 2] ^ 0x10);
  EXPECT_THROW_MESSAGE(unpacked(bad_block), DataError, "the bzip2 data is damaged; expected a sound bzip2 file");
}

TEST(ByteSource, GarbageAfterThePackedDataIsRefused) {
  const std::string gzip = gzipped("1,2\n");
  EXPECT_THROW_MESSAGE(unpacked(gzip + "tail\n"),
                       DataError,
                       "f: byte " + std::to_string(gzip.size()) +
                           ": found 'tail\\x0a' after the gzip data; expected the end of the file or another gzip");
  EXPECT_THROW_MESSAGE(unpacked(gzip + std::string(3, '\0')), DataError, "found '\\x00\\x00\\x00' after the gzip data");
  EXPECT_THROW_MESSAGE(unpacked(gzip + "\x1fxyz"), DataError, "the gzip data is damaged (incorrect header check)");
  EXPECT_THROW_MESSAGE(unpacked(bzipped("1,2\n") + "tail"), DataError, "found 'tail' after the bzip2 data");
  EXPECT_THROW_MESSAGE(unpacked(bzipped("1,2\n") + "Bad"), DataError, "the bzip2 data is damaged");
}

TEST(ByteSource, StopsAtTheLimitOfUnpackedBytes) {
  const std::string bomb(std::size_t{3} << 20, '0');  // packs to 3 KiB
  EXPECT_EQ(unpacked(gzipped(bomb), bomb.size()).size(), bomb.size());
  for (const std::string& bytes : {bomb, gzipped(bomb), bzipped(bomb)}) {
    EXPECT_THROW_MESSAGE(unpacked(bytes, bomb.size() - 1),
                         DataError,
                         "f: byte 3145727: there are more unpacked bytes than the limit of 3145727");
  }
}

// How much a source gives before it refuses, and with which sentence.
std::pair<std::uint64_t, std::string> given_before_refusal(std::string_view bytes, std::uint64_t limit) {
  ByteSource source = ByteSource::over(bytes, "bomb", limit);
  std::uint64_t given = 0;
  try {
    for (std::string_view block = source.next(); !block.empty(); block = source.next()) given += block.size();
  } catch (const DataError& error) {
    return {given, error.what()};
  }
  return {given, ""};
}

TEST(ByteSource, StopsWhatUnpacksToNothingButMore) {
  const std::string gzip = gzip_bomb("", 512);
  const auto [given, said] = given_before_refusal(gzip, kByteLimit);
  EXPECT_LE(given, kUnsuspicious);
  EXPECT_THAT(said, testing::HasSubstr("bomb: byte "));
  EXPECT_THAT(said, testing::HasSubstr("times as many bytes as are packed"));
  std::string bzip2;
  for (int i = 0; i < 6; ++i) bzip2 += bzipped(std::string(std::size_t{16} << 20, '0'));
  EXPECT_LE(given_before_refusal(bzip2, kByteLimit).first, kUnsuspicious);
  EXPECT_NE(given_before_refusal(bzip2, kByteLimit).second, "");
  // Who keeps nothing may go on for ever.
  EXPECT_EQ(given_before_refusal(gzip, kNoByteLimit).first, std::uint64_t{512} << 20);
  EXPECT_EQ(given_before_refusal(gzip, kNoByteLimit).second, "");
}

// A line without an end, packed: the line's own limit ends it.
TEST(ByteSource, ALineThatNeverEndsIsNotGathered) {
  const std::string bomb = gzip_bomb("", 512);
  for (const std::uint64_t limit : {kByteLimit, kNoByteLimit}) {
    const long growth = peak_growth([&] {
      LineReader lines(ByteSource::over(bomb, "bomb", limit));
      std::string_view line;
      try {
        lines.next(line);
        _exit(1);
      } catch (const DataError&) {
      }
    });
    EXPECT_GE(growth, 0);
    EXPECT_LT(growth, 96L << 20);
  }
}

TEST(ByteSource, SaysWhatIsWrongWithTheFileItself) {
  const TemporaryFolder folder;
  const std::string missing = folder.path("missing.csv");
  EXPECT_THROW_MESSAGE(ByteSource::open(missing), DataError, missing + ": there is no such file");
  EXPECT_THROW_MESSAGE(ByteSource::open(folder.path("")), DataError, ": this is a directory; expected a file");
  const std::string empty = folder.write("empty.csv", "");
  EXPECT_THROW_MESSAGE(ByteSource::open(empty), DataError, empty + ": the file is empty; expected data");
  EXPECT_THROW_MESSAGE(ByteSource::over("", "f"), DataError, "f: the file is empty");
  EXPECT_THROW_MESSAGE(ByteSource::open(""), DataError, "there is no such file");
}

TEST(ByteSource, SaysThatAFileMayNotBeRead) {
  if (geteuid() == 0) GTEST_SKIP() << "root may read every file; this test needs another user";
  const TemporaryFolder folder;
  const std::string secret = folder.write("secret.csv", "1\n");
  ASSERT_EQ(chmod(secret.c_str(), 0), 0);
  EXPECT_THROW_MESSAGE(ByteSource::open(secret), DataError, secret + ": the file cannot be opened: Permission denied");
}

TEST(ByteSource, SaysThatAFileCannotBeOpenedOrRead) {
  const TemporaryFolder folder;
  const std::string loop = folder.path("loop");
  std::filesystem::create_symlink(loop, loop);
  EXPECT_THROW_MESSAGE(ByteSource::open(loop), DataError, loop + ": the file cannot be opened: ");
  // This file opens, but its first page is not there to be read.
  EXPECT_THROW_MESSAGE(ByteSource::open("/proc/self/mem"), DataError, "byte 0: the file cannot be read: ");
}

TEST(DataErrorText, QuotesAtMostFortyPrintableCharacters) {
  EXPECT_EQ(in_quotes("abc"), "'abc'");
  EXPECT_EQ(in_quotes(""), "''");
  EXPECT_EQ(in_quotes(std::string_view("a\0\n\xff'\\", 6)), "'a\\x00\\x0a\\xff\\'\\\\'");
  EXPECT_EQ(in_quotes(std::string(40, 'x')), "'" + std::string(40, 'x') + "'");
  EXPECT_EQ(in_quotes(std::string(41, 'x')), "'" + std::string(40, 'x') + "'...");
}

}  // namespace
}  // namespace fedstein
