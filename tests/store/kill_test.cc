// SPDX-License-Identifier: Apache-2.0
// kill -9 at any moment: the store is whole, and holds everything up to the last checkpoint.
#include <chrono>
#include <filesystem>
#include <random>
#include <thread>

#include "store/child_process.h"
#include "store/stored_rounds.h"
#include "support/temporary_folder.h"
#include "support/throws.h"

namespace fedstein {
namespace {

constexpr Index kBetweenCheckpoints = 7;

// The moment itself must be random, so this one wait is for time.
void wait_for_a_random_moment(std::mt19937& random, int most_microseconds) {
  std::this_thread::sleep_for(std::chrono::microseconds(std::uniform_int_distribution(0, most_microseconds)(random)));
}

// Goes on from the last checkpoint, for ever; tells each checkpoint that the store has acknowledged.
void write_for_ever(const std::string& path, JobId job, const ChildProcess::Tell& tell) {
  RunStore store(path, RunStore::Mode::kWrite);
  const std::optional<Checkpoint> last = store.last_checkpoint(job);
  for (Index round = last ? last->round + 1 : 1;; ++round) {
    store.write_round(job, record_of(job, round));
    store.write_particles(job, round, particles_of(job, round));
    if (round % kBetweenCheckpoints == 0) {
      store.checkpoint(job, round, state_of(job, round));
      tell(round);
    } else if (round % 3 == 0) {
      store.flush();
    }
  }
}

void expect_whole_up_to(const std::string& path, JobId job, Index acknowledged) {
  const RunStore store(path, RunStore::Mode::kRead);
  store.check();
  const std::optional<Checkpoint> last = store.last_checkpoint(job);
  const Index checkpoint = last ? last->round : 0;
  ASSERT_GE(checkpoint, acknowledged);
  if (last) {
    EXPECT_EQ(last->state, state_of(job, checkpoint));
  }
  const std::vector<RoundRecord> rounds = store.rounds(job);
  ASSERT_GE(rounds.size(), static_cast<std::size_t>(checkpoint));
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    const Index round = static_cast<Index>(i) + 1;
    ASSERT_TRUE(same_round(rounds[i], record_of(job, round))) << round;
    if (round <= checkpoint) {
      ASSERT_EQ(store.particles(job, round), particles_of(job, round)) << round;
    }
  }
}

TEST(Kill, WritersThatGoOnFromTheLastCheckpoint) {
  std::mt19937 random(2020);
  const TemporaryFolder folder;
  const std::string path = folder.path("runs.db");
  JobId job = 0;
  {
    RunStore store(path, RunStore::Mode::kWrite);
    job = store.jobs(store.begin(facts_named("a"), jobs_for_trials(1)))[0].id;
  }
  Index acknowledged = 0;
  for (int kills = 0; kills < 25; ++kills) {
    ChildProcess child([&](const ChildProcess::Tell& tell) { write_for_ever(path, job, tell); });
    for (int heard = 0; heard < kills % 4; ++heard) acknowledged = child.hear().value_or(acknowledged);
    wait_for_a_random_moment(random, 20000);
    child.kill_now();
    EXPECT_EQ(child.wait(), -1) << "the child ended by itself";
    while (const std::optional<Index> late = child.hear()) acknowledged = *late;
    expect_whole_up_to(path, job, acknowledged);
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GE(acknowledged, 25 * kBetweenCheckpoints) << "too little happened between the kills";
}

TEST(Kill, MakersOfAStoreLeaveNoneOrAWholeOne) {
  std::mt19937 random(7);
  for (int kills = 0; kills < 25; ++kills) {
    const TemporaryFolder folder;
    const std::string path = folder.path("runs.db");
    ChildProcess child([&](const ChildProcess::Tell& tell) {
      tell(0);
      RunStore(path, RunStore::Mode::kWrite).begin(facts_named("a"), jobs_for_trials(1));
      tell(1);
    });
    child.hear();
    wait_for_a_random_moment(random, 15000);
    child.kill_now();
    child.wait();
    if (std::filesystem::exists(path)) RunStore(path, RunStore::Mode::kRead).check();
    RunStore store(path, RunStore::Mode::kWrite);
    store.begin(facts_named("b"), jobs_for_trials(1));
    EXPECT_EQ(store.runs().back().facts.name, "b");
  }
}

}  // namespace
}  // namespace fedstein
