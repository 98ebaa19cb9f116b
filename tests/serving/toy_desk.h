// SPDX-License-Identifier: Apache-2.0
// A desk without a network: agents are lines that remember what was pushed to them.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "exchange/toy_sides.h"
#include "fedstein/exchange/memory_journal.h"
#include "fedstein/federated/coordinator.h"
#include "fedstein/serving/server_desk.h"

namespace fedstein {

class ToyLine : public PushLine {
 public:
  void push(const Letter& letter) override {
    const std::lock_guard lock(mutex_);
    letters_.push_back(letter);
  }
  void hang_up() override {
    const std::lock_guard lock(mutex_);
    hung_up_ = true;
  }
  // The newest offer, once there is one of this round or a later one.
  Offer wait_for_offer(Index round) const {
    for (;;) {
      {
        const std::lock_guard lock(mutex_);
        for (auto letter = letters_.rbegin(); letter != letters_.rend(); ++letter) {
          const auto* offer = std::get_if<Offer>(&*letter);
          if (offer != nullptr && offer->task.round >= round) return *offer;
        }
      }
      std::this_thread::yield();
    }
  }
  std::vector<Letter> letters() const {
    const std::lock_guard lock(mutex_);
    return letters_;
  }
  bool hung_up() const {
    const std::lock_guard lock(mutex_);
    return hung_up_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<Letter> letters_;
  bool hung_up_ = false;
};

struct NoObserver : Observer {
  Next on_round(RoundRecord& record, const Particles& /*particles*/) override {
    records.push_back(record);
    return Next::kContinue;
  }
  std::vector<RoundRecord> records;
};

class ToyDesk : public testing::Test {
 protected:
  static AgentFacts facts(Index rows = 20) {
    return {.algorithm = "toy", .dimension = 1, .rows = rows, .features = 2, .statistics = {}, .instance = 1};
  }
  DeskOptions options(Index agents) {
    DeskOptions out{.agents = {},
                    .document = "toy",
                    .algorithm = "toy",
                    .dimension = 1,
                    .enrolment = {.features = 2},
                    .lease_seconds = 60,
                    .limits = {.update_bound = 1000}};
    for (Index k = 0; k < agents; ++k) out.agents.push_back("agent-" + std::to_string(k));
    out.on_event = [this](const std::string& line) {
      const std::lock_guard lock(mutex_);
      log_.push_back(line);
    };
    return out;
  }
  void make(const DeskOptions& options) {
    desk_ = std::make_unique<ServerDesk>(options, journal_);
    lines_.clear();
    for (std::size_t k = 0; k < options.agents.size(); ++k) lines_.push_back(std::make_shared<ToyLine>());
  }
  void attend(Index agent) {
    const auto denial = desk_->attend(agent, facts(), {}, lines_[static_cast<std::size_t>(agent)]);
    ASSERT_FALSE(denial) << denial->reason;
  }
  // The round loop in a thread of its own, from a side that nobody else owns.
  std::future<std::vector<RoundRecord>> start(Index rounds, double patience) {
    return std::async(std::launch::async, [this, rounds, patience] {
      const auto side = std::make_shared<ToyServer>();
      desk_->begin(side);
      NoObserver observer;
      coordinate(*side,
                 RoundRobin(static_cast<Index>(lines_.size())),
                 *desk_,
                 observer,
                 {.rounds = rounds, .patience = std::chrono::duration<double>(patience)});
      return observer.records;
    });
  }
  Upload answer(Index agent, const Offer& offer) { return {offer.token, ToyAgent(agent).update(offer.task)}; }
  // Answers every offer of these agents until the round loop is over.
  std::vector<RoundRecord> work(std::future<std::vector<RoundRecord>>& loop, const std::vector<Index>& agents) {
    std::vector<Token> answered(lines_.size(), 0);
    while (loop.wait_for(std::chrono::milliseconds(1)) != std::future_status::ready) {
      for (const Index agent : agents) {
        for (const Letter& letter : lines_[static_cast<std::size_t>(agent)]->letters()) {
          const auto* offer = std::get_if<Offer>(&letter);
          Token& last = answered[static_cast<std::size_t>(agent)];
          if (offer == nullptr || offer->token <= last) continue;
          last = offer->token;
          desk_->upload(agent, answer(agent, *offer));
        }
      }
    }
    return loop.get();
  }
  std::vector<std::string> log() {
    const std::lock_guard lock(mutex_);
    return log_;
  }

  MemoryJournal journal_{"run"};
  std::vector<std::shared_ptr<ToyLine>> lines_;
  std::mutex mutex_;  // of the log
  std::vector<std::string> log_;
  std::unique_ptr<ServerDesk> desk_;
};

}  // namespace fedstein
