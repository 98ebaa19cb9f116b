// SPDX-License-Identifier: Apache-2.0
#include "fedstein/federated/message_bytes.h"

#include <cstring>
#include <functional>
#include <limits>

#include "support/close.h"
#include "support/random_matrix.h"
#include "support/throws.h"

namespace fedstein {
namespace {

Task sample_task() {
  return {.round = 3,
          .agent = 1,
          .version = 2,
          .belief = {random_matrix(3, 4, 1), Matrix(0, 5)},
          .verdict = Verdict{.round = 2, .agent = 1, .folded = true, .weight = 0.1}};
}

Update sample_update() {
  return {3, 1, {random_matrix(2, 2, 4), random_matrix(1, 3, 5)}};
}

void expect_same(const Belief& found, const Belief& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_TRUE(identical(found[i], expected[i]));
}

// Bytes with a right checksum that say what nobody could say.
std::string verdict_saying(std::int64_t round, std::int64_t agent, std::int64_t folded, double weight) {
  StateWriter writer("verdict");
  writer.integer(round);
  writer.integer(agent);
  writer.integer(folded);
  writer.number(weight);
  return std::move(writer).finish();
}

// With the checksum (FNV-1a, the last eight bytes) that the others now have.
std::string resealed(std::string bytes) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (std::size_t i = 0; i + 8 < bytes.size(); ++i) {
    hash = (hash ^ static_cast<unsigned char>(bytes[i])) * 1099511628211ULL;
  }
  std::memcpy(bytes.data() + bytes.size() - 8, &hash, sizeof hash);
  return bytes;
}

TEST(MessageBytes, ATaskComesBackToTheBit) {
  const Task task = sample_task();
  const Task found = task_from(bytes_of(task));
  EXPECT_EQ(found.round, 3);
  EXPECT_EQ(found.agent, 1);
  EXPECT_EQ(found.version, 2);
  expect_same(found.belief, task.belief);
  ASSERT_TRUE(found.verdict);
  EXPECT_EQ(found.verdict->round, 2);
  EXPECT_TRUE(found.verdict->folded);
  EXPECT_EQ(found.verdict->weight, 0.1);
  Task plain = task;
  plain.verdict.reset();
  EXPECT_FALSE(task_from(bytes_of(plain)).verdict);
}

TEST(MessageBytes, UpdateVerdictAndReplyComeBackToTheBit) {
  const Update update = sample_update();
  const Update found = update_from(bytes_of(update));
  EXPECT_EQ(found.round, 3);
  EXPECT_EQ(found.agent, 1);
  expect_same(found.belief, update.belief);

  const Verdict verdict = verdict_from(bytes_of(Verdict{.round = 5, .agent = 2, .folded = false, .weight = 0.25}));
  EXPECT_EQ(verdict.round, 5);
  EXPECT_EQ(verdict.agent, 2);
  EXPECT_FALSE(verdict.folded);
  EXPECT_EQ(verdict.weight, 0.25);

  const Reply reply = reply_from(bytes_of(Reply(Failure{1, 2, Failure::Kind::kDiverged, "why"})));
  EXPECT_EQ(std::get<Failure>(reply).reason, "why");
}

TEST(MessageBytes, EveryTruncationAndEveryFlippedBitIsRefused) {
  const std::vector<std::pair<std::string, std::function<void(const std::string&)>>> messages = {
      {bytes_of(sample_task()), [](const std::string& bytes) { task_from(bytes); }},
      {bytes_of(sample_update()), [](const std::string& bytes) { update_from(bytes); }},
      {bytes_of(Verdict{.round = 1, .agent = 0, .folded = true}),
       [](const std::string& bytes) { verdict_from(bytes); }},
  };
  for (const auto& [bytes, read] : messages) {
    EXPECT_NO_THROW(read(bytes));
    for (std::size_t length = 0; length < bytes.size(); ++length) {
      EXPECT_THROW(read(bytes.substr(0, length)), BadState) << length;
    }
    for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
      std::string damaged = bytes;
      damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
      EXPECT_THROW(read(damaged), BadState) << bit;
    }
  }
}

// A sender that lies on purpose has a right checksum. Whatever it changes, the reader refuses it with a sentence or
// gives a message whose numbers are in bounds; sizes are never believed.
TEST(MessageBytes, LiesWithARightChecksumAreRefusedOrSound) {
  const std::string bytes = bytes_of(sample_task());
  int refused = 0;
  for (std::size_t at = 0; at + 8 < bytes.size(); ++at) {
    for (const int value : {0x00, 0x01, 0x7f, 0x80, 0xff}) {
      std::string lie = bytes;
      lie[at] = static_cast<char>(value);
      try {
        const Task task = task_from(resealed(lie));
        EXPECT_GE(task.round, 1);
        EXPECT_GE(task.agent, 0);
        EXPECT_GE(task.version, 0);
        EXPECT_LE(payload_bytes(task.belief), static_cast<std::int64_t>(bytes.size()));
      } catch (const BadState& error) {
        ++refused;
        EXPECT_THAT(error.what(), testing::StartsWith("task: "));
      }
    }
  }
  EXPECT_GT(refused, 100);
}

TEST(MessageBytes, WhatNobodyCouldSayIsRefusedInASentence) {
  EXPECT_THROW_MESSAGE(verdict_from(bytes_of(sample_update())), BadState, "verdict: belongs to 'update'");
  EXPECT_THROW_MESSAGE(verdict_from(verdict_saying(0, 0, 1, 1)), BadState, "round is 0; it must be at least 1");
  EXPECT_THROW_MESSAGE(verdict_from(verdict_saying(1, -1, 1, 1)), BadState, "agent is -1; it must be at least 0");
  EXPECT_THROW_MESSAGE(verdict_from(verdict_saying(1, 0, 2, 1)), BadState, "folded is 2; it must be 0 or 1");
  EXPECT_THROW_MESSAGE(verdict_from(verdict_saying(1, 0, 1, std::numeric_limits<double>::infinity())),
                       BadState,
                       "verdict: the verdict's weight is inf");
  Task task = sample_task();
  task.version = -4;
  EXPECT_THROW_MESSAGE(task_from(bytes_of(task)), BadState, "task: version is -4");
  EXPECT_THROW_MESSAGE(update_from(bytes_of(Update{1, 0, {Matrix(7, 0)}})), BadState, "7 rows without columns");
  StateWriter writer("update");
  writer.integer(1);
  writer.integer(0);
  writer.integer(1);                      // matrices
  writer.integer(std::int64_t{1} << 40);  // rows that no message has
  writer.integer(std::int64_t{1} << 40);
  EXPECT_THROW_MESSAGE(update_from(std::move(writer).finish()), BadState, "update: a matrix of");
}

TEST(MessageBytes, RepliesAreBelievedNoMoreThanUpdates) {
  const auto reply_saying = [](std::int64_t marker, std::int64_t round, std::int64_t agent) {
    StateWriter writer("reply");
    writer.integer(marker);
    writer.integer(round);
    writer.integer(agent);
    writer.matrices({});
    return std::move(writer).finish();
  };
  EXPECT_NO_THROW(reply_from(reply_saying(1, 3, 0)));
  EXPECT_THROW_MESSAGE(reply_from(reply_saying(9, 3, 0)), BadState, "9 is neither an update (1) nor a failure (0)");
  EXPECT_THROW_MESSAGE(reply_from(reply_saying(1, -5, 0)), BadState, "round is -5");
  EXPECT_THROW_MESSAGE(reply_from(reply_saying(1, 3, -7)), BadState, "agent is -7");
  EXPECT_THROW_MESSAGE(reply_from(bytes_of(Reply(Update{1, 0, {Matrix(7, 0)}}))), BadState, "7 rows without columns");
}

TEST(MessageBytes, ATasksVerdictIsOnAnEarlierRoundOfItsAgent) {
  Task task = sample_task();
  task.verdict = Verdict{.round = task.round, .agent = task.agent, .folded = true, .weight = 1};
  EXPECT_THROW_MESSAGE(task_from(bytes_of(task)), BadState, "not on an earlier round of this agent");
}

}  // namespace
}  // namespace fedstein
