// SPDX-License-Identifier: Apache-2.0
// Stops in the middle of everything: agents that come, upload, beat and report from threads of their own while the
// round loop ends and its server side with it. Worth most under the sanitizers.
#include <atomic>

#include "serving/toy_desk.h"

namespace fedstein {
namespace {

class DeskStop : public ToyDesk {
 protected:
  // What an agent keeps, as AgentSession does: an answer until its verdict is known.
  struct Memory {
    Index settled = 0;
    std::optional<Upload> pending = {};
    Attempt attempt() const { return {std::get<Update>(pending->reply).round, pending->token}; }
  };
  void hear(ServerDesk& desk, Index agent, const Attempt& attempt, const Standing& standing) {
    Memory& memory = memories_[static_cast<std::size_t>(agent)];
    if (!memory.pending || memory.pending->token != attempt.token) return;
    if (standing.kind == Standing::Kind::kWanted) desk.upload(agent, *memory.pending);
    if (standing.kind == Standing::Kind::kFolded) memory.settled = attempt.round;
    const bool is_over = standing.kind == Standing::Kind::kFolded || standing.kind == Standing::Kind::kDropped;
    if (is_over) memory.pending.reset();
  }
  // One agent's calls, without a pause, whatever the desk answers.
  void hammer(ServerDesk& desk, Index agent, const std::atomic<bool>& over) {
    Memory& memory = memories_[static_cast<std::size_t>(agent)];
    AgentFacts mine = facts();
    mine.instance = static_cast<std::uint64_t>(agent) + 1;
    while (!over) {
      const auto line = std::make_shared<ToyLine>();
      Hello hello{.run = {}, .settled = memory.settled};
      if (memory.pending) hello.in_hand = memory.attempt();
      desk.attend(agent, mine, hello, line);
      std::size_t heard = 0;
      for (int turn = 0; turn < 20 && !over; ++turn) {
        const std::vector<Letter> letters = line->letters();
        for (; heard < letters.size(); ++heard) {
          if (const auto* notice = std::get_if<Notice>(&letters[heard])) {
            hear(desk, agent, notice->attempt, notice->standing);
          }
          const auto* offer = std::get_if<Offer>(&letters[heard]);
          if (offer == nullptr || memory.pending) continue;
          memory.pending = answer(agent, *offer);
          desk.upload(agent, *memory.pending);
        }
        if (memory.pending) hear(desk, agent, memory.attempt(), desk.ask(agent, memory.attempt()));
        desk.beat(agent, 0, mine.instance);
        desk.report_evaluation(agent, {.round = 0});
        desk.status();
      }
      desk.detach(agent, line.get());
    }
  }
  std::vector<Memory> memories_ = std::vector<Memory>(2);
};

TEST_F(DeskStop, TwoHundredStopsUnderLoadLoseNothing) {
  constexpr int kStops = 200;
  Index closed = 0;
  for (int stop = 0; stop < kStops; ++stop) {
    make(options(2));
    std::atomic<bool> over{false};
    std::vector<std::thread> agents;
    for (Index agent = 0; agent < 2; ++agent) agents.emplace_back([&, agent] { hammer(*desk_, agent, over); });
    auto loop = std::async(std::launch::async, [&] {
      desk_->wait_for_enrolment();
      const auto side = std::make_shared<ToyServer>();
      if (!journal_.contents().server_state.empty()) side->restore(journal_.contents().server_state);
      desk_->begin(side);
      NoObserver observer;
      coordinate(*side, RoundRobin(2), *desk_, observer, {.first_round = closed + 1, .rounds = 1'000'000});
    });
    // After a round or two, so that every stop falls somewhere else.
    while (desk_->status().closed_round < closed + 1 + stop % 3) std::this_thread::yield();
    desk_->stop();
    EXPECT_THROW(loop.get(), ServingStopped);
    closed = desk_->status().closed_round;
    over = true;
    for (std::thread& agent : agents) agent.join();
    desk_.reset();
  }
  EXPECT_GE(closed, kStops);
  EXPECT_EQ(static_cast<Index>(journal_.realised().size()), closed);
  for (std::size_t round = 0; round < journal_.realised().size(); ++round) {
    EXPECT_EQ(journal_.realised()[round], std::vector<Index>{static_cast<Index>(round % 2)}) << round;
  }
}

}  // namespace
}  // namespace fedstein
