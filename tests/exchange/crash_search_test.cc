// SPDX-License-Identifier: Apache-2.0
// Exhaustive search over crash points: from the start, every order of messages and every placing of the faults, until
// nothing new appears. Wherever it ends, the federation is where an undisturbed one would be.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iostream>
#include <unordered_map>

#include "exchange/crash_world.h"
#include "fedstein/federated/coordinator.h"

namespace fedstein {
namespace {

struct Silent : Observer {
  Next on_round(RoundRecord& /*record*/, const Particles& /*particles*/) override { return Next::kContinue; }
};

// Picks whoever took part in a finished run.
class Realised : public Scheduler {
 public:
  explicit Realised(std::vector<std::vector<Index>> rounds) : rounds_(std::move(rounds)) {}
  std::vector<Index> pick(Index round) const override { return rounds_[static_cast<std::size_t>(round - 1)]; }

 private:
  std::vector<std::vector<Index>> rounds_;
};

// The same federation in one process, by the ordinary loop.
std::string in_process(const WorldOptions& options, const Scheduler& scheduler) {
  ToyServer server;
  std::vector<ToyAgent> agents;
  for (Index k = 0; k < options.agents; ++k) agents.emplace_back(k);
  std::vector<AgentSide*> pointers;
  for (ToyAgent& agent : agents) pointers.push_back(&agent);
  InProcessTransport transport(pointers);
  Silent observer;
  coordinate(server, scheduler, transport, observer, {.rounds = options.rounds});
  std::string bytes = server.save();
  for (const ToyAgent& agent : agents) bytes += agent.save();
  return bytes;
}

struct Search {
  std::size_t states = 0;
  std::size_t ends = 0;
  std::vector<std::string> mistakes;  // with the steps that led there
};

// Depth first; a world is visited once. `parents` remembers a way to each, for the trace of a failure.
Search search(const WorldOptions& options) {
  const std::string undisturbed = in_process(options, *options.scheduler);
  // With `wait` every end is the undisturbed one; with `skip` it is the in-process run of the rounds as they came
  // about.
  const auto wanted = [&](const CrashWorld& world) {
    return options.on_lapse == OnLapse::kWait ? undisturbed : in_process(options, Realised(world.realised()));
  };
  const auto key_of = [](const CrashWorld& world) {
    const std::string print = world.fingerprint();
    const std::size_t front = std::hash<std::string>{}(print);
    return std::to_string(front) + ":" + std::to_string(std::hash<std::string>{}(print + "2"));
  };
  Search found;
  std::unordered_map<std::string, std::pair<std::string, std::string>> parents;  // key -> {parent, step}
  const auto trace = [&](std::string key, const std::string& complaint) {
    std::string text;
    for (auto at = parents.find(key); at != parents.end() && !at->second.first.empty();
         at = parents.find(at->second.first)) {
      text = "\n  " + at->second.second + text;
    }
    return complaint + text;
  };
  CrashWorld start(options);
  std::vector<std::pair<std::string, CrashWorld>> stack{{key_of(start), start}};
  parents[stack.front().first] = {};
  while (!stack.empty() && found.mistakes.size() < 3) {
    auto [key, world] = std::move(stack.back());
    stack.pop_back();
    ++found.states;
    if (world.is_finished() && world.result() != wanted(world)) {
      found.mistakes.push_back(trace(key, "ended with another result"));
    }
    std::vector<CrashWorld::Successor> next;
    try {
      next = world.successors();
    } catch (const std::exception& error) {
      found.mistakes.push_back(trace(key, error.what()));
      continue;
    }
    if (next.empty()) {
      ++found.ends;
      if (!world.is_finished()) found.mistakes.push_back(trace(key, "stuck"));
    }
    for (CrashWorld::Successor& successor : next) {
      std::string name = key_of(successor.world);
      if (!parents.emplace(name, std::pair{key, successor.name}).second) continue;
      stack.emplace_back(std::move(name), std::move(successor.world));
    }
  }
  return found;
}

void expect_flawless(const WorldOptions& options, const char* title) {
  const Search found = search(options);
  std::cout << "crash search, " << title << ": " << found.states << " states visited, " << found.ends << " ends\n";
  EXPECT_THAT(found.mistakes, testing::IsEmpty());
  EXPECT_GT(found.ends, 0U);
}

TEST(ChaosSearch, SequentialRoundsSurviveEveryFault) {
  const RoundRobin scheduler(2);
  expect_flawless({.agents = 2, .rounds = 3, .faults = 2, .scheduler = &scheduler},
                  "2 agents in turn, 3 rounds, 2 faults");
}

TEST(ChaosSearch, OneAgentSurvivesThreeFaults) {
  const RoundRobin scheduler(1);
  expect_flawless({.agents = 1, .rounds = 3, .faults = 3, .scheduler = &scheduler}, "1 agent, 3 rounds, 3 faults");
}

TEST(ChaosSearch, ParallelRoundsSurviveEveryFault) {
  const RandomFraction scheduler(2, 1.0, 1);
  expect_flawless({.agents = 2, .rounds = 2, .faults = 1, .scheduler = &scheduler},
                  "2 agents at once, 2 rounds, 1 fault");
}

TEST(ChaosSearch, SkippedAgentsLeaveTheRunThatTheJournalTellsOf) {
  const RandomFraction scheduler(2, 1.0, 1);
  expect_flawless({.agents = 2, .rounds = 2, .faults = 1, .on_lapse = OnLapse::kSkip, .scheduler = &scheduler},
                  "2 agents at once, 2 rounds, 1 fault, skip");
  const RoundRobin in_turn(2);
  expect_flawless({.agents = 2, .rounds = 3, .faults = 2, .on_lapse = OnLapse::kSkip, .scheduler = &in_turn},
                  "2 agents in turn, 3 rounds, 2 faults, skip");
}

TEST(ChaosSearch, FindsAMistakeMadeOnPurpose) {
  const RoundRobin scheduler(1);
  const Search found = search({.agents = 1, .rounds = 2, .faults = 1, .careless_disk = true, .scheduler = &scheduler});
  EXPECT_THAT(found.mistakes, testing::Not(testing::IsEmpty()));
}

}  // namespace
}  // namespace fedstein
