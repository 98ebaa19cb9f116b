// SPDX-License-Identifier: Apache-2.0
#include "fedstein/table/record_stream.h"

#include <rapidcheck/gtest.h>

#include <ctime>

#include "fedstein/table/record_end.h"
#include "fedstein/table/table_text.h"
#include "support/pack.h"
#include "support/peak_memory.h"
#include "support/pieces.h"
#include "table/tables.h"

namespace fedstein {
namespace {

using testing::HasSubstr;

// Text of which every second character matters to the scanner.
rc::Gen<std::string> odd_text() {
  return rc::gen::container<std::string>(rc::gen::elementOf(std::string("\"\"\",,;\n\n\n\r# \tab12\xc3\xa4")));
}

// Fields of all records, or what is said of a line, one line each.
std::vector<std::string> records_of(ByteSource source, char separator) {
  RecordStream stream(std::move(source));
  stream.begin(separator);
  std::vector<std::string> out;
  while (out.size() < 10'000) {
    try {
      const bool at_hand = stream.has_record_at_hand();
      if (!stream.next()) {
        RC_ASSERT(!at_hand);
        break;
      }
      std::string text = std::to_string(stream.line());
      for (const std::string_view field : stream.fields()) text += "[" + std::string(field) + "]";
      out.push_back(text);
    } catch (const DataError& error) {
      out.emplace_back(error.what());
    }
  }
  return out;
}

RC_GTEST_PROP(RecordStream, AnySplitGivesTheSameRecords, ()) {
  const std::string text = "a" + *odd_text();
  const char separator = *rc::gen::element(',', ';', '\t', ' ');
  const auto piece = *rc::gen::inRange<std::size_t>(1, 9);
  const std::string packed = in_pieces(text, piece);
  RC_ASSERT(records_of(ByteSource::over(packed, "f", kNoByteLimit), separator) ==
            records_of(ByteSource::over(text, "f", kNoByteLimit), separator));
}

// Where the watcher sees an end the scanner needs nothing more, and before it the scanner cannot end.
RC_GTEST_PROP(RecordStream, TheEndIsSeenWhereTheScannerSeesIt, ()) {
  const std::string text = "a" + *odd_text();
  const char separator = *rc::gen::element(',', ';', '\t', ' ');
  const std::string name = "f";
  RecordEnd record_end(separator);
  for (std::size_t size = 1; size <= text.size(); ++size) {
    const bool ended = record_end.is_in(std::string_view(text).substr(size - 1, 1));
    RecordScanner scanner(name, separator);
    const char* at = text.data();
    bool needs_more = false;
    try {
      needs_more = scanner.scan(at, text.data() + size, false) == RecordScanner::Found::kUnfinished;
    } catch (const DataError&) {
    }
    RC_ASSERT(needs_more == !ended);
    if (ended) return;
  }
}

TEST(RecordStream, WholeTextAndStreamAgree) {
  const std::string text = "a,b\n1,\"x\ny\"\n\n# c\n\"q\"\"\",2\r\n3,4";
  const TableText whole(ByteSource::over(text, "f"));
  Records records(whole, ',');
  RecordStream stream(ByteSource::over(text, "f"));
  stream.begin(',');
  while (records.next()) {
    ASSERT_TRUE(stream.next());
    EXPECT_EQ(stream.fields(), records.fields());
    EXPECT_EQ(stream.line(), records.line());
  }
  EXPECT_FALSE(stream.next());
}

TEST(RecordStream, AQuoteThatNeverClosesDoesNotSwallowTheStream) {
  std::string text = "1,2\n\"3,4\n";
  for (int i = 0; i < 300'000; ++i) text += "5,6\n";
  RecordStream stream(ByteSource::over(text, "f"));
  stream.begin(',');
  ASSERT_TRUE(stream.next());
  EXPECT_THROW_MESSAGE(stream.next(), DataError, "f:2: the row has more than 1048576 bytes; is a quote never closed?");
  ASSERT_TRUE(stream.next());
  EXPECT_EQ(stream.line(), 3);
}

// Line by line, as from a pipe: every line is looked at once, not once for every line behind it.
TEST(RecordStream, ALongRecordInManyPiecesTakesLinearTime) {
  std::string text = "\"";
  for (int i = 0; i < 250'000; ++i) text += "\"\"\n";
  text += "\",1\n";
  const std::string packed = in_pieces(text, 3);
  const std::clock_t start = std::clock();
  RecordStream stream(ByteSource::over(packed, "f", kNoByteLimit));
  stream.begin(',');
  ASSERT_TRUE(stream.next());
  EXPECT_EQ(stream.fields()[0].size(), 500'000U);
  EXPECT_LT(std::clock() - start, 10 * CLOCKS_PER_SEC);  // minutes if it were not so
}

// Each record has its long field, with a doubled quote in it, at another place.
TEST(RecordStream, KeepsNoMoreThanARecord) {
  constexpr std::size_t kFields = 60;
  std::string text;
  for (std::size_t i = 0; i < kFields; ++i) {
    for (std::size_t k = 0; k < kFields; ++k) {
      text += "\"" + std::string(k == i ? 900'000 : 1, 'x') + "\"\"\"" + (k + 1 < kFields ? "," : "\n");
    }
  }
  const std::string packed = gzipped(text);
  const long growth = peak_growth([&] {
    RecordStream stream(ByteSource::over(packed, "f", kNoByteLimit));
    stream.begin(',');
    for (std::size_t i = 0; i < kFields; ++i) {
      if (!stream.next() || stream.fields()[i].size() != 900'001) throw std::logic_error("another record");
    }
  });
  EXPECT_GE(growth, 0);
  EXPECT_LT(growth, kMemoryFactor * (16 << 20));
}

}  // namespace
}  // namespace fedstein
