// SPDX-License-Identifier: Apache-2.0
#include "fedstein/rpc/front_door.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <condition_variable>

#include "fedstein/numeric/check.h"
#include "fedstein/rpc/peer_name.h"
#include "rpc/many_sockets.h"

namespace fedstein {
namespace {

using testing::HasSubstr;

// A door whose connections go nowhere: they are kept, as gRPC keeps those of a stranger.
class Door {
 public:
  explicit Door(const DoorLimits& limits, const std::string& address = "127.0.0.1:0")
      : door_(address, limits, [this](const std::string& sentence) {
          const std::lock_guard lock(mutex_);
          sentences_.push_back(sentence);
          changed_.notify_all();
        }) {
    door_.open([this](int descriptor) {
      const std::lock_guard lock(mutex_);
      taken_.emplace_back(descriptor);
      changed_.notify_all();
    });
  }
  FrontDoor& door() { return door_; }
  bool wait_for_taken(std::size_t count) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(30), [&] { return taken_.size() >= count; });
  }
  // As gRPC names the connection's other end.
  std::string peer(std::size_t k) {
    const std::lock_guard lock(mutex_);
    sockaddr_storage place = {};
    socklen_t size = sizeof place;
    getpeername(taken_.at(k).number(), reinterpret_cast<sockaddr*>(&place), &size);
    return peer_name(place).whole;
  }
  void shut_all() {
    const std::lock_guard lock(mutex_);
    for (const Descriptor& one : taken_) shutdown(one.number(), SHUT_RDWR);
    taken_.clear();
  }
  std::vector<std::string> wait_for_sentences(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::seconds(30), [&] { return sentences_.size() >= count; });
    return sentences_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Descriptor> taken_;
  std::vector<std::string> sentences_;
  FrontDoor door_;
};

TEST(FrontDoor, BeyondTheLimitTheOldestIsClosed) {
  Door here({.most_unidentified = 10, .unidentified_seconds = 3600});
  const ManySockets crowd(here.door().port(), 30);
  EXPECT_EQ(crowd.wait_for_closed(20), 20U);
  ASSERT_TRUE(here.wait_for_taken(30));
  const DoorStatus status = here.door().status();
  EXPECT_EQ(status.accepted, 30);
  EXPECT_EQ(status.closed_crowded, 20);
  EXPECT_EQ(status.unidentified, 10);
  EXPECT_EQ(status.trouble, "");
  const auto sentences = here.wait_for_sentences(2);
  ASSERT_EQ(sentences.size(), 2U);
  EXPECT_THAT(sentences[0], HasSubstr("connections are being closed"));
  EXPECT_THAT(sentences[1], HasSubstr("20 to make room for others"));
}

TEST(FrontDoor, AnAgentsConnectionStaysHoweverManyCome) {
  Door here({.most_unidentified = 5, .unidentified_seconds = 3600});
  const ManySockets agent(here.door().port(), 1);
  ASSERT_TRUE(here.wait_for_taken(1));
  here.door().called(here.peer(0), 0, 0);
  EXPECT_EQ(here.door().status().unidentified, 0);
  const ManySockets crowd(here.door().port(), 20);
  EXPECT_EQ(crowd.wait_for_closed(15), 15U);
  ASSERT_TRUE(here.wait_for_taken(21));
  EXPECT_EQ(here.door().status().open, 6);
  EXPECT_EQ(here.door().status().unidentified, 5);
}

TEST(FrontDoor, SilenceEndsInTimeAndAnAgentsDoesNot) {
  Door here({.unidentified_seconds = 0.5});
  const ManySockets agent(here.door().port(), 1);
  ASSERT_TRUE(here.wait_for_taken(1));
  here.door().called(here.peer(0), 0, 0);
  const ManySockets silent(here.door().port(), 3);
  EXPECT_EQ(silent.wait_for_closed(3), 3U);
  EXPECT_EQ(here.door().status().open, 1);
  EXPECT_EQ(here.door().status().closed_silent, 3);
}

TEST(FrontDoor, AnAgentHasSoManyAndTheOldestGoes) {
  Door here({.unidentified_seconds = 3600, .most_per_agent = 3});
  const ManySockets lines(here.door().port(), 5);
  ASSERT_TRUE(here.wait_for_taken(5));
  for (std::size_t k = 0; k < 5; ++k) here.door().called(here.peer(k), 0, 0);
  EXPECT_EQ(here.door().status().open, 3);
  EXPECT_EQ(here.door().status().closed_surplus, 2);
}

TEST(FrontDoor, WhatIsSentBeyondTheCallsHasAnEnd) {
  Door here({.unidentified_seconds = 3600, .most_unasked_bytes = 1000});
  const ManySockets modest(here.door().port(), 1, std::string(900, 'x'));
  const ManySockets greedy(here.door().port(), 2, std::string(1100, 'x'));
  EXPECT_EQ(greedy.wait_for_closed(2), 2U);
  EXPECT_EQ(here.door().status().closed_greedy, 2);
  EXPECT_EQ(here.door().status().open, 1);
}

TEST(FrontDoor, AnAgentMaySendWhatItsCallsHave) {
  Door here({.unidentified_seconds = 3600, .most_unasked_bytes = 1000});
  const Descriptor agent = connect_to(here.door().port());
  ASSERT_TRUE(here.wait_for_taken(1));
  here.door().called(here.peer(0), 0, 5000);
  const std::string words(5900, 'x');
  ASSERT_EQ(send(agent.number(), words.data(), words.size(), 0), 5900);
  // A later one shows that the earlier one has been looked at.
  const ManySockets greedy(here.door().port(), 1, std::string(1100, 'x'));
  EXPECT_EQ(greedy.wait_for_closed(1), 1U);
  EXPECT_EQ(here.door().status().closed_greedy, 1);
  EXPECT_EQ(here.door().status().open, 1);
}

TEST(FrontDoor, ConnectionsThatEndAreForgotten) {
  Door here({});
  ManySockets few(here.door().port(), 4);
  ASSERT_TRUE(here.wait_for_taken(4));
  EXPECT_EQ(here.door().status().open, 4);
  // As gRPC does when the other side is gone.
  here.shut_all();
  const auto limit = Clock::now() + std::chrono::seconds(30);
  while (here.door().status().open > 0 && Clock::now() < limit) std::this_thread::yield();
  EXPECT_EQ(here.door().status().open, 0);
  EXPECT_EQ(here.door().status().closed_silent + here.door().status().closed_crowded, 0);
}

TEST(FrontDoor, AddressesOfEveryForm) {
  for (const char* address : {"127.0.0.1:0", "[::1]:0", "localhost:0", "0.0.0.0:0", "[::]:0"}) {
    const FrontDoor door(address, {}, {});
    EXPECT_GT(door.port(), 0) << address;
  }
  const FrontDoor first("127.0.0.1:0", {}, {});
  const auto reason = [](const std::string& address) {
    try {
      const FrontDoor door(address, {}, {});
    } catch (const AddressUnavailable& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string port = std::to_string(first.port());
  EXPECT_EQ(reason("127.0.0.1:" + port), "cannot serve at 127.0.0.1:" + port + ": Address already in use");
  EXPECT_EQ(reason("localhost:" + port), "cannot serve at localhost:" + port + ": Address already in use");
  EXPECT_EQ(reason("192.0.2.1:1234"), "cannot serve at 192.0.2.1:1234: Cannot assign requested address");
  EXPECT_THAT(reason("no-such-host.invalid:1234"), HasSubstr("cannot serve at no-such-host.invalid:1234: "));
}

TEST(FrontDoor, NamesOfPeersAreThoseOfGrpc) {
  EXPECT_EQ(decoded_peer("ipv4:127.0.0.1:1234"), "ipv4:127.0.0.1:1234");
  EXPECT_EQ(decoded_peer("ipv6:%5B::1%5D:1234"), "ipv6:[::1]:1234");
  sockaddr_storage place = {};
  auto& six = reinterpret_cast<sockaddr_in6&>(place);
  six.sin6_family = AF_INET6;
  six.sin6_port = htons(77);
  ASSERT_EQ(inet_pton(AF_INET6, "::1", &six.sin6_addr), 1);
  EXPECT_EQ(peer_name(place).whole, "ipv6:[::1]:77");
  ASSERT_EQ(inet_pton(AF_INET6, "::ffff:10.1.2.3", &six.sin6_addr), 1);
  EXPECT_EQ(peer_name(place).whole, "ipv4:10.1.2.3:77");
}

}  // namespace
}  // namespace fedstein
