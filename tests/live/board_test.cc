// SPDX-License-Identifier: Apache-2.0
#include "fedstein/live/board.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <thread>

namespace fedstein {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

json data_of(const BoardEvent& event) {
  const std::size_t place = event.text.find("\ndata: ") + 7;
  return json::parse(event.text.substr(place, event.text.find("\n\n", place) - place));
}

std::string id_of(const BoardEvent& event) {
  return event.text.substr(4, event.text.find('\n') - 4);
}

TEST(Board, TellsAViewerWhatChangedSinceItLastLooked) {
  Board board;
  board.update({{"a", "1"}, {"b", "[2,3]"}});
  const BoardEvent first = board.since(0);
  EXPECT_THAT(first.text, HasSubstr("\nevent: whole\n"));
  EXPECT_EQ(data_of(first), (json{{"a", 1}, {"b", {2, 3}}}));
  EXPECT_THAT(board.since(first.version).text, IsEmpty());
  board.update({{"a", "1"}, {"b", "[2,4]"}, {"c", "\"x\""}});
  const BoardEvent second = board.since(first.version);
  EXPECT_THAT(second.text, HasSubstr("\nevent: change\n"));
  EXPECT_EQ(data_of(second), (json{{"b", {2, 4}}, {"c", "x"}}));
}

TEST(Board, APartThatIsGoneIsToldOnceAndNotToNewcomers) {
  Board board;
  board.update({{"a", "1"}, {"b", "2"}});
  const std::uint64_t seen = board.since(0).version;
  board.update({{"a", "1"}});
  EXPECT_EQ(data_of(board.since(seen)), (json{{"b", nullptr}}));
  EXPECT_EQ(data_of(board.since(0)), (json{{"a", 1}}));
  board.update({{"a", "1"}});
  EXPECT_THAT(board.since(seen + 1).text, IsEmpty());
}

TEST(Board, AViewerThatComesBackGoesOnWhereItWasButNotAfterARestart) {
  Board board;
  board.update({{"a", "1"}});
  const BoardEvent first = board.since(0);
  board.update({{"a", "2"}});
  EXPECT_EQ(board.version_of(id_of(first)), first.version);
  Board restarted;
  restarted.update({{"a", "1"}});
  EXPECT_EQ(restarted.version_of(id_of(first)), 0U);
  const std::string own = id_of(first).substr(0, id_of(first).find('.') + 1);
  for (const std::string& hostile :
       {std::string(), std::string("x"), own, own + "-1", own + "99999999999999999999999", own + "1e3", own + "77"}) {
    EXPECT_EQ(board.version_of(hostile), 0U) << hostile;
  }
}

TEST(Board, AViewerThatIsBehindGetsTheLatestAndNoQueue) {
  Board board;
  board.update({{"a", "0"}});
  const BoardEvent first = board.since(0);
  for (int round = 1; round <= 1000; ++round) board.update({{"a", std::to_string(round)}});
  const BoardEvent next = board.since(first.version);
  EXPECT_EQ(data_of(next), (json{{"a", 1000}}));
  EXPECT_LT(next.text.size(), 100U);
}

TEST(Board, WaitingEndsWithNewsOrWithTheBoard) {
  Board board;
  board.update({{"a", "1"}});
  std::thread later([&] { board.update({{"a", "2"}}); });
  board.wait_beyond(1, std::chrono::minutes(5));
  EXPECT_EQ(board.since(0).version, 2U);
  later.join();
  std::thread end([&] { board.close(); });
  board.wait_beyond(2, std::chrono::minutes(5));
  EXPECT_TRUE(board.closed());
  end.join();
}

}  // namespace
}  // namespace fedstein
