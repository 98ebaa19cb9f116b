// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <thread>

#include "store/stored_rounds.h"
#include "support/temporary_folder.h"
#include "support/throws.h"

namespace fedstein {
namespace {

TEST(StoreThreads, EveryJobsRoundsArriveWhoeverWritesThem) {
  constexpr Index kJobs = 6;
  constexpr Index kRounds = 300;
  const TemporaryFolder folder;
  RunStore store(folder.path("runs.db"), RunStore::Mode::kWrite);
  const RunId run = store.begin(facts_named("a"), jobs_for_trials(kJobs));
  const std::vector<StoredJob> jobs = store.jobs(run);

  std::atomic<bool> writing = true;
  std::thread reader([&] {  // a table is drawn meanwhile
    while (writing) {
      for (const StoredJob& job : jobs) static_cast<void>(store.rounds(job.id));
    }
  });
  std::atomic<int> lost_checkpoints = 0;
  std::vector<std::thread> writers;
  for (const StoredJob& job : jobs) {
    writers.emplace_back([&store, &lost_checkpoints, id = job.id] {
      for (Index round = 1; round <= kRounds; ++round) {
        store.write_round(id, record_of(id, round));
        if (round % 100 == 0) {
          store.write_particles(id, round, particles_of(id, round));
          store.checkpoint(id, round, state_of(id, round));
          if (store.last_checkpoint(id).value().state != state_of(id, round)) ++lost_checkpoints;
        }
      }
      store.finish_job(id);
    });
  }
  for (std::thread& writer : writers) writer.join();
  writing = false;
  reader.join();

  store.check();
  EXPECT_EQ(lost_checkpoints, 0);
  for (const StoredJob& job : store.jobs(run)) {
    EXPECT_EQ(job.status, JobStatus::kDone);
    const std::vector<RoundRecord> rounds = store.rounds(job.id);
    ASSERT_EQ(rounds.size(), static_cast<std::size_t>(kRounds));
    for (const RoundRecord& round : rounds) EXPECT_TRUE(same_round(round, record_of(job.id, round.round)));
    EXPECT_EQ(store.particles(job.id, kRounds), particles_of(job.id, kRounds));
    EXPECT_EQ(store.last_checkpoint(job.id), std::nullopt) << "a job that has ended needs none";
  }
}

}  // namespace
}  // namespace fedstein
