// SPDX-License-Identifier: Apache-2.0
#include "fedstein/serving/event_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fedstein/exchange/printable.h"

namespace fedstein {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

TEST(Printable, KeepsALineALineAndATerminalATerminal) {
  EXPECT_EQ(printable("all is well (0.5 %)"), "all is well (0.5 %)");
  EXPECT_EQ(printable("a\nb\r\t\x1b[2J\x7f\xc2\x9b"), "a\\x0ab\\x0d\\x09\\x1b[2J\\x7f\\xc2\\x9b");
  EXPECT_EQ(printable(std::string(1000, 'x'), 10), "xxxxxxxxxx...");
}

class Events : public testing::Test {
 protected:
  std::vector<std::string> lines_;
  EventLog log_{{"ann", "bob"}, [this](const std::string& line) { lines_.push_back(line); }};
};

TEST_F(Events, OneEventIsOneLineOneCountAndOneEntry) {
  log_.add(EventKind::kRefusal, 1, "norm", "row 0 is too long");
  ASSERT_EQ(lines_.size(), 1U);
  EXPECT_THAT(lines_[0], EndsWith("Z refused bob (norm): row 0 is too long"));
  EXPECT_EQ(log_.counts(1).at({EventKind::kRefusal, "norm"}), 1);
  EXPECT_TRUE(log_.counts(0).empty());
  ASSERT_EQ(log_.latest().size(), 1U);
  EXPECT_EQ(log_.latest()[0].agent, "bob");
}

TEST_F(Events, StrangersAndTheServersOwnAreToldApart) {
  log_.add(EventKind::kRefusal, {}, "tls", "no handshake");
  log_.add(EventKind::kNotice, {}, "waiting", "round 1 waits for ann (away)");
  EXPECT_THAT(lines_[0], HasSubstr("refused a stranger (tls)"));
  EXPECT_THAT(lines_[1], EndsWith("notice (waiting): round 1 waits for ann (away)"));
}

TEST_F(Events, AFloodIsCountedWholeAndLoggedInPart) {
  for (int i = 0; i < 100000; ++i) log_.add(EventKind::kRefusal, 0, "late", "token " + std::to_string(i));
  EXPECT_EQ(log_.counts(0).at({EventKind::kRefusal, "late"}), 100000);
  EXPECT_LT(lines_.size(), 150U);
  EXPECT_LE(log_.latest().size(), 200U);
  // Nobody else's lines are lost by it.
  log_.add(EventKind::kRefusal, 1, "late", "token 7");
  EXPECT_THAT(lines_.back(), HasSubstr("bob"));
}

TEST_F(Events, TheSameAgainIsOneEntryWithItsNumber) {
  for (int i = 0; i < 3; ++i) log_.add(EventKind::kRefusal, 0, "late", "token 7");
  ASSERT_EQ(log_.latest().size(), 1U);
  EXPECT_EQ(log_.latest()[0].times, 3);
}

TEST_F(Events, OneOfASeriesThatWasToldIsCountedAndHasNoLine) {
  log_.add(EventKind::kRefusal, {}, "tls", "no handshake");
  for (int i = 0; i < 3; ++i) log_.add(EventKind::kRefusal, {}, "tls", "no handshake", EventLog::Line::kNone);
  EXPECT_EQ(lines_.size(), 1U);
  EXPECT_EQ(log_.counts({}).at({EventKind::kRefusal, "tls"}), 4);
  EXPECT_EQ(log_.latest()[0].times, 4);
}

TEST_F(Events, WordsToCountByDoNotGrowWithoutEnd) {
  for (int i = 0; i < 1000; ++i) log_.add(EventKind::kRefusal, 0, std::to_string(i), "");
  EXPECT_LE(log_.counts(0).size(), 66U);
  EXPECT_GT(log_.counts(0).at({EventKind::kRefusal, "other"}), 900);
}

}  // namespace
}  // namespace fedstein
