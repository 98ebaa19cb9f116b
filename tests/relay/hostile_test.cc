// SPDX-License-Identifier: Apache-2.0
// Bytes from outside are believed by neither side.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "fedstein/relay/relay_messages.h"
#include "relay/relay_world.h"
#include "support/close.h"
#include "support/random_matrix.h"
#include "support/throws.h"

namespace fedstein {
namespace {

RelayMessage full_message() {
  return {.serial = 3,
          .instance = 9,
          .charter = Charter{"run", 1, 3, "[experiment]", 2.5},
          .addressed = Hello{.run = "run", .settled = 4, .in_hand = Attempt{5, 6}, .forgets = true},
          .letters = {Beginning{3, 70, "sums", 4, 5},
                      Notice{{5, 6}, {Standing::Kind::kFolded, 0.25, "because"}},
                      Offer{7,
                            Task{6, 1, 5, {random_matrix(4, 3, 1), random_matrix(1, 2, 2)}, Verdict{5, 1, true, 2}},
                            random_matrix(3, 3, 4)},
                      Farewell{6, {random_matrix(2, 2, 3)}},
                      BeatRequest{}}};
}

RelayAnswer full_answer() {
  RelayAnswer out{.serial = 3, .name = "north", .busy = true, .trouble = "none"};
  out.arrival = RelayArrival{
      {.algorithm = "dsvgd", .dimension = 4, .rows = 9, .features = 3, .statistics = "s", .evaluates = true},
      {.run = "run", .settled = 4}};
  out.upload = Upload{7, Update{6, 1, {random_matrix(4, 3, 1)}}};
  out.failures = {{5, 1, Failure::Kind::kDiverged, "it did"}};
  out.evaluations = {{4,
                      {.rows = 4,
                       .log_likelihood = -1.5,
                       .bins = {{.count = 4, .correct = 3, .confidence_sum = 3.5}},
                       .brier = 0.5,
                       .squared_error = 2,
                       .intervals = 4,
                       .covered = 3}}};
  out.leaves = true;
  return out;
}

TEST(RelayMessages, ComeBackAsTheyWere) {
  const RelayMessage message = message_from(parcel_of(full_message()));
  EXPECT_EQ(message.serial, 3);
  EXPECT_EQ(message.instance, 9U);
  EXPECT_EQ(message.charter->document, "[experiment]");
  EXPECT_EQ(message.addressed->in_hand->token, 6);
  ASSERT_EQ(message.letters.size(), 5U);
  EXPECT_EQ(std::get<Beginning>(message.letters[0]).evaluations_from, 5);
  EXPECT_EQ(std::get<Notice>(message.letters[1]).standing.weight, 0.25);
  const auto& offer = std::get<Offer>(message.letters[2]);
  EXPECT_EQ(offer.task.agent, 1);
  EXPECT_TRUE(identical(offer.task.belief[1], random_matrix(1, 2, 2)));
  EXPECT_EQ(offer.task.verdict->weight, 2);
  EXPECT_TRUE(identical(offer.predicting, random_matrix(3, 3, 4)));
  EXPECT_TRUE(std::holds_alternative<BeatRequest>(message.letters[4]));
  EXPECT_TRUE(identical(std::get<Farewell>(message.letters[3]).belief[0], random_matrix(2, 2, 3)));

  const RelayAnswer answer = answer_from(parcel_of(full_answer()), 2);
  EXPECT_EQ(answer.name, "north");
  EXPECT_EQ(answer.arrival->facts.rows, 9);
  const auto& update = std::get<Update>(answer.upload->reply);
  EXPECT_EQ(update.agent, 2) << "whose it is, the server knows and no message says";
  EXPECT_TRUE(identical(update.belief[0], random_matrix(4, 3, 1)));
  EXPECT_EQ(answer.failures[0].agent, 2);
  EXPECT_TRUE(answer.arrival->facts.evaluates);
  EXPECT_EQ(answer.evaluations[0].sums.bins[0].correct, 3);
  EXPECT_EQ(answer.evaluations[0].sums.log_likelihood, -1.5);
  EXPECT_EQ(answer.evaluations[0].sums.covered, 3);
  EXPECT_TRUE(answer.leaves);
}

// Every byte of the head matters, and every cut is noticed.
template <typename Read>
void expect_refused_when_damaged(const Parcel& whole, const Read& read) {
  read(whole);
  for (std::size_t i = 0; i < whole.head.size(); ++i) {
    Parcel damaged = whole;
    damaged.head[i] = static_cast<char>(damaged.head[i] ^ 0x10);
    EXPECT_THROW(read(damaged), BadState) << i;
    Parcel shorter = whole;
    shorter.head.resize(i);
    EXPECT_THROW(read(shorter), BadState) << i;
  }
  for (std::size_t i = 0; i < whole.numbers.size(); ++i) {
    Parcel damaged = whole;
    damaged.numbers[i][1] = static_cast<char>(damaged.numbers[i][1] ^ 1);
    EXPECT_THROW_MESSAGE(read(damaged), BadState, "the checksum of array " + std::to_string(i) + " is wrong");
    Parcel shorter = whole;
    shorter.numbers[i].pop_back();
    EXPECT_THROW_MESSAGE(read(shorter), BadState, "bytes for a matrix of");
    Parcel fewer = whole;
    fewer.numbers.resize(i);
    EXPECT_THROW_MESSAGE(read(fewer), BadState, "is missing");
  }
  Parcel more = whole;
  more.numbers.emplace_back("1234");
  EXPECT_THROW_MESSAGE(read(more), BadState, "arrays; its head speaks of");
}

TEST(RelayMessages, DamagedBytesAreRefused) {
  expect_refused_when_damaged(parcel_of(full_message()), [](const Parcel& parcel) { message_from(parcel); });
  expect_refused_when_damaged(parcel_of(full_answer()), [](const Parcel& parcel) { answer_from(parcel, 1); });
}

// Somebody who knows the checksum: every byte changed in several ways, and the checksum made anew. Whatever is read
// then is a message or BadState, and takes no more memory than its bytes could fill.
template <typename Read>
void expect_a_message_or_bad_state(const Parcel& whole, const Read& read) {
  int read_well = 0;
  for (std::size_t i = 0; i + sizeof(std::uint64_t) < whole.head.size(); ++i) {
    for (const int mask : {0x01, 0x40, 0x80, 0xff}) {
      Parcel forged = whole;
      forged.head[i] = static_cast<char>(forged.head[i] ^ mask);
      const std::size_t body = forged.head.size() - sizeof(std::uint64_t);
      const std::uint64_t checksum = checksum_of(std::string_view(forged.head).substr(0, body));
      std::memcpy(forged.head.data() + body, &checksum, sizeof checksum);
      try {
        read(forged);
        ++read_well;
      } catch (const BadState&) {
      }
    }
  }
  EXPECT_GT(read_well, 0) << "texts may hold anything";
}

TEST(RelayMessages, ForgedBytesAreAMessageOrRefused) {
  expect_a_message_or_bad_state(parcel_of(full_message()), [](const Parcel& parcel) { message_from(parcel); });
  expect_a_message_or_bad_state(parcel_of(full_answer()), [](const Parcel& parcel) { answer_from(parcel, 1); });
}

TEST(RelayMessages, OneDirectionIsNotTheOther) {
  EXPECT_THROW_MESSAGE(
      message_from(parcel_of(full_answer())), BadState, "belongs to 'relay to server, 1', not to 'relay to agent, 1'");
}

TEST(RelayMessages, WhatNobodyCouldSayIsRefused) {
  const auto refused = [](const auto& change) {
    RelayAnswer answer = full_answer();
    change(answer);
    EXPECT_THROW(answer_from(parcel_of(answer), 1), BadState);
  };
  refused([](RelayAnswer& one) { one.serial = -1; });
  refused([](RelayAnswer& one) { one.name = std::string(5000, 'x'); });
  refused([](RelayAnswer& one) { one.arrival.reset(); });
  refused([](RelayAnswer& one) { one.arrival->hello.settled = -1; });
  refused([](RelayAnswer& one) { one.arrival->facts.rows = -3; });
  refused([](RelayAnswer& one) { one.failures[0].round = -1; });
  refused([](RelayAnswer& one) { one.failures[0].kind = static_cast<Failure::Kind>(17); });
  refused([](RelayAnswer& one) { one.evaluations[0].sums.bins[0].correct = 5; });
  refused([](RelayAnswer& one) { one.evaluations[0].sums.covered = 5; });
  refused([](RelayAnswer& one) { one.evaluations[0].sums.rows = -1; });
  refused([](RelayAnswer& one) { one.evaluations.resize(257); });
  refused([](RelayAnswer& one) { std::get<Update>(one.upload->reply).round = 0; });
  refused([](RelayAnswer& one) { std::get<Update>(one.upload->reply).belief.resize(65); });
  RelayMessage message = full_message();
  message.addressed.reset();
  EXPECT_THROW_MESSAGE(message_from(parcel_of(message)), BadState, "letters without a charter, or for no state");
}

TEST(RelayMessages, AnAgentThatGetsForeignBytesSaysSoAndTouchesNothing) {
  RelayWorld world({.agents = 2});
  EXPECT_THROW_MESSAGE(world.answer_of("node-0", {"some other bytes", {}}), BadState, "not a fedstein state");
  EXPECT_FALSE(std::filesystem::exists(world.state_of(0)));
}

// A node that sends rubbish, another's answer, too much, or numbers that are not finite: told, and never folded.
TEST(RelayMessages, HostileAnswersEndInSentencesAndNotInTheBelief) {
  RelayWorld undisturbed({.agents = 2, .rounds = 3});
  const Particles wanted = undisturbed.run().particles;
  RelayWorld world({.agents = 2, .rounds = 3});
  Parcel earlier;
  int step = 0;
  world.tamper = [&](const RelayDispatch& dispatch, Parcel answer) {
    if (dispatch.kind != RelayDispatch::Kind::kWork || dispatch.node != "node-1") return answer;
    switch (step++) {
      case 0:
        earlier = answer;
        answer.head[40] = static_cast<char>(answer.head[40] ^ 1);
        return answer;
      case 1:
        return earlier;
      case 2:
        answer.numbers.emplace_back(std::size_t{1} << 22, 'x');
        return answer;
      default:
        return answer;
    }
  };
  world.options.hub.tries = 10;
  EXPECT_TRUE(identical(world.run().particles, wanted)) << world.all_told();
  EXPECT_TRUE(world.was_told("the checksum is wrong")) << world.all_told();
  EXPECT_TRUE(world.was_told("in the place of")) << world.all_told();
  EXPECT_TRUE(world.was_told("bytes; at most")) << world.all_told();
}

TEST(RelayMessages, TheDesksChecksHoldHereToo) {
  RelayWorld world({.agents = 2, .rounds = 1});
  world.tamper = [&](const RelayDispatch& dispatch, Parcel answer) {
    if (dispatch.node != "node-1") return answer;
    RelayAnswer said = answer_from(answer, 1);
    if (!said.upload) return answer;
    std::get<Update>(said.upload->reply).belief.front()(0, 0) = std::numeric_limits<Real>::quiet_NaN();
    return parcel_of(said);
  };
  world.run();
  ASSERT_EQ(world.records().front().failures.size(), 1U);
  EXPECT_EQ(world.records().front().failures.front().kind, Failure::Kind::kRefused);
  EXPECT_NE(world.records().front().failures.front().reason.find("not finite"), std::string::npos);
  EXPECT_EQ(world.records().front().folded, (std::vector<Index>{0}));
}

TEST(RelayMessages, AnErrorsSentenceStaysWithItsAgent) {
  RelayWorld world({.agents = 2, .rounds = 1, .server_table = ""});
  world.nodes["node-1"].state = "/proc/none/of/ours";
  ASSERT_TRUE(world.crank([&] { return world.was_told("its own log says why"); })) << world.all_told();
  EXPECT_TRUE(world.was_told("agent-1: /proc/none/of/ours: cannot be made"));
}

}  // namespace
}  // namespace fedstein
