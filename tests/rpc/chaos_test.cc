// SPDX-License-Identifier: Apache-2.0
// Real processes, real TLS, kill -9: whatever happens, the run ends where an undisturbed one ends, to the last bit.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "fedstein/numeric/rng.h"
#include "fedstein/store/sqlite_journal.h"
#include "rpc/faulty_wire.h"
#include "rpc/test_federation.h"
#include "support/child_process.h"
#include "support/temporary_folder.h"

namespace fedstein {
namespace {

struct Mishaps {
  int server_kills = 0;
  int agent_kills = 0;
  int cuts = 0;
  int slow_spells = 0;
};

// How far a server has come, seen from outside: grows with every token, reply and round.
std::int64_t steps_in(const std::string& journal) {
  sqlite3* handle = nullptr;
  std::int64_t steps = 0;
  if (sqlite3_open_v2(journal.c_str(), &handle, SQLITE_OPEN_READONLY, nullptr) == SQLITE_OK) {
    const auto keep = [](void* out, int, char** values, char**) {
      if (values[0] != nullptr) *static_cast<std::int64_t*>(out) = std::stoll(values[0]);
      return 0;
    };
    sqlite3_exec(handle,
                 "SELECT closed_round * 10 + last_token + (SELECT count(*) FROM reply) FROM federation",
                 keep,
                 &steps,
                 nullptr);
  }
  sqlite3_close(handle);
  return steps;
}

// A federation of processes with a hostile hand in it.
class ChaosRun {
 public:
  ChaosRun(const TestCase& which, std::uint64_t seed)
      : which_(which), rng_({.seed = seed, .agent = 0, .round = 0, .purpose = Purpose::kTest}) {
    make_certificates(folder_.path("ca"), which.agents);
    server_.emplace(start_server());
    for (Index k = 0; k < which.agents; ++k) agents_.push_back(start_agent(k));
  }

  // Until the server ends by itself. Throws when a participant ends in another way than by our hand.
  void disturb_until_over() {
    const auto limit = std::chrono::steady_clock::now() + std::chrono::minutes(8);
    while (!server_->poll()) {
      if (std::chrono::steady_clock::now() > limit) throw std::runtime_error("no end before the limit" + log());
      follow_server();
      revive_agents();
      // A server that is killed while it says goodbye waits for agents that have left; nothing is lost by ending it.
      if (std::all_of(agents_.begin(), agents_.end(), [](ChildProcess& agent) { return agent.poll() == 0; })) {
        server_->send(SIGKILL);
        server_->wait();
        return;
      }
      // Most mishaps wait for some progress, so that a slow machine sees as many of them as a fast one; some come while
      // everybody is still getting up.
      const std::int64_t now = steps_in(journal_file(folder_.path("server")));
      const bool impatient = rng_.uniform() < 0.005;
      if (now < next_mishap_ && !impatient) {
        std::this_thread::sleep_for(std::chrono::milliseconds(3));
        continue;
      }
      std::this_thread::sleep_for(std::chrono::microseconds(rng_.below(8000)));  // any instant of the next step
      do_something_bad();
      next_mishap_ = now + static_cast<std::int64_t>(rng_.below(60));
    }
    if (server_->wait() != 0)
      throw std::runtime_error("the server ended with " + std::to_string(server_->wait()) + log());
  }

  void expect_flawless() {
    const TestFederation::Result wanted = TestFederation(which_).run_in_process();
    const TestFederation federation(which_);
    const auto side = federation.make_server();
    const auto journal = open_journal(federation.plan(folder_.path("server")));
    const JournalContents contents = journal->load();
    side->restore(contents.server_state);
    EXPECT_EQ(contents.closed_round, which_.rounds);
    EXPECT_TRUE(side->particles() == wanted.particles);
    EXPECT_EQ(journal->realised().size(), static_cast<std::size_t>(which_.rounds));
    for (Index round = 1; round <= which_.rounds; ++round) {
      EXPECT_EQ(journal->realised()[static_cast<std::size_t>(round - 1)], federation.scheduler()->pick(round)) << round;
    }
    for (std::size_t k = 0; k < agents_.size(); ++k) {
      // One that was killed after its goodbye, and revived, finds no server any more; its folder must be right anyway.
      if (!agents_[k].poll()) agents_[k].send(SIGKILL);
      EXPECT_TRUE(agents_[k].wait() == 0 || agents_[k].wait() == -SIGKILL) << k << log();
      EXPECT_EQ(side_state_in(state_of(static_cast<Index>(k))), wanted.states[k]) << k;
    }
  }

  const Mishaps& mishaps() const { return mishaps_; }
  std::int64_t tokens() const {
    return open_journal(TestFederation(which_).plan(folder_.path("server")))->load().last_token;
  }

 private:
  std::string state_of(Index k) const { return folder_.path(TestFederation::name_of(k)); }
  std::vector<std::string> command(const char* role, const std::string& state) const {
    return {FEDSTEIN_FEDERATION_PROCESS,
            role,
            which_.algorithm + "@" + which_.schedule + "@" + std::to_string(which_.fraction) + "@" + which_.setting,
            std::to_string(which_.agents),
            std::to_string(which_.rounds),
            state,
            folder_.path("ca")};
  }
  ChildProcess start_server() {
    std::filesystem::remove(folder_.path("port"));
    auto words = command("server", folder_.path("server"));
    words.push_back(folder_.path("port"));
    return ChildProcess(words, folder_.path("log"));
  }
  ChildProcess start_agent(Index k) {
    auto words = command("agent", state_of(k));
    words.insert(words.end(), {"127.0.0.1:" + std::to_string(wire_.port()), std::to_string(k), "replays"});
    return ChildProcess(words, folder_.path("log"));
  }
  void follow_server() {
    if (int port = 0; std::ifstream(folder_.path("port")) >> port) wire_.lead_to(port);
  }
  void revive_agents() {
    for (std::size_t k = 0; k < agents_.size(); ++k) {
      const std::optional<int> ended = agents_[k].poll();
      if (!ended || *ended == 0) continue;
      if (*ended != -SIGKILL) throw std::runtime_error("an agent ended with " + std::to_string(*ended) + log());
      agents_[k] = start_agent(static_cast<Index>(k));
    }
  }
  void do_something_bad() {
    const double what = rng_.uniform();
    if (what < 0.25) {
      server_->send(SIGKILL);
      if (server_->wait() == 0) return;  // it had just ended by itself
      server_.emplace(start_server());
      ++mishaps_.server_kills;
    } else if (what < 0.65) {
      ChildProcess& victim = agents_[rng_.below(agents_.size())];
      if (victim.poll()) return;
      victim.send(SIGKILL);
      victim.wait();
      ++mishaps_.agent_kills;
    } else if (what < 0.9) {
      mishaps_.cuts += wire_.cut();
    } else {
      wire_.delay(std::chrono::milliseconds(rng_.below(30)));
      ++mishaps_.slow_spells;
    }
  }
  std::string log() const {
    std::ifstream file(folder_.path("log"));
    return "\n" + std::string(std::istreambuf_iterator<char>(file), {});
  }

  TestCase which_;
  Rng rng_;
  TemporaryFolder folder_;
  FaultyWire wire_;
  std::optional<ChildProcess> server_;
  std::vector<ChildProcess> agents_;
  Mishaps mishaps_;
  std::int64_t next_mishap_ = 0;
};

void survive(const TestCase& which, std::uint64_t seed) {
  ChaosRun run(which, seed);
  run.disturb_until_over();
  run.expect_flawless();
  const Mishaps& bad = run.mishaps();
  std::cout << "chaos, " << which.algorithm << ", seed " << seed << ": " << which.rounds << " rounds, "
            << bad.server_kills << " server kills, " << bad.agent_kills << " agent kills, " << bad.cuts
            << " connections cut, " << bad.slow_spells << " changes of delay, " << run.tokens() << " attempts\n";
  EXPECT_GT(bad.server_kills + bad.agent_kills + bad.cuts, 0);
}

#ifdef FEDSTEIN_LONG_CHAOS
class ChaosLong : public testing::TestWithParam<std::uint64_t> {};
TEST_P(ChaosLong, TwoHundredRounds) {
  survive({.algorithm = GetParam() % 2 == 0 ? "p-dsvgd" : "dsvgd", .agents = 3, .rounds = 200}, GetParam());
}
INSTANTIATE_TEST_SUITE_P(Seeds, ChaosLong, testing::Range<std::uint64_t>(1, 11));
#else
TEST(Chaos, SequentialRoundsSurviveKillsAndCuts) {
  survive({.algorithm = "dsvgd", .agents = 2, .rounds = 12}, 1);
}
TEST(Chaos, ParallelRoundsSurviveKillsAndCuts) {
  survive({.algorithm = "p-dsvgd", .agents = 3, .rounds = 10}, 2);
}
// Undone rounds among them, which agents learn of with their next task.
TEST(Chaos, ControlVariatesSurviveKillsAndCuts) {
  TestCase which{.algorithm = "c-dsvgd", .agents = 3, .rounds = 10, .setting = "step=3000", .schedule = "fraction"};
  survive(which, 3);
  which.fraction = 1;
  survive(which, 4);
  which.schedule = "round-robin";
  survive(which, 5);
}
#endif

}  // namespace
}  // namespace fedstein
