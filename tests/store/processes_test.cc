// SPDX-License-Identifier: Apache-2.0
// Several processes and one store: each writes a run of its own, others read meanwhile.
#include "store/child_process.h"
#include "store/stored_rounds.h"
#include "support/temporary_folder.h"
#include "support/throws.h"

namespace fedstein {
namespace {

constexpr Index kRounds = 60;

// A whole run: two jobs, a checkpoint every ten rounds.
void write_run(const std::string& path, const std::string& name) {
  RunStore store(path, RunStore::Mode::kWrite);
  const RunId run = store.begin(facts_named(name), jobs_for_trials(2));
  for (Index round = 1; round <= kRounds; ++round) {
    for (const StoredJob& job : store.jobs(run)) {
      store.write_round(job.id, record_of(job.id, round));
      if (round % 10 == 0) store.checkpoint(job.id, round, state_of(job.id, round));
    }
  }
  for (const StoredJob& job : store.jobs(run)) store.finish_job(job.id);
  store.finish_run(run);
}

// What is there may be less than all, never other than all.
void expect_prefix(const RunStore& store) {
  for (const StoredRun& run : store.runs()) {
    const std::vector<StoredJob> jobs = store.jobs(run.id);
    ASSERT_EQ(jobs.size(), 2U);
    for (const StoredJob& job : jobs) {
      Index expected = 1;
      for (const RoundRecord& record : store.rounds(job.id)) {
        ASSERT_TRUE(same_round(record, record_of(job.id, expected++)));
      }
    }
  }
}

TEST(Processes, FourMakeTheSameStoreAndWriteTheirRuns) {
  const TemporaryFolder folder;
  const std::string path = folder.path("runs.db");
  int starting[2] = {};
  ASSERT_EQ(pipe(starting), 0);
  std::vector<ChildProcess> children;
  for (const char* name : {"a", "b", "c", "d"}) {
    children.emplace_back([&, name](const ChildProcess::Tell& tell) {
      close(starting[1]);
      char signal = 0;
      while (read(starting[0], &signal, 1) > 0) {
      }  // until the parent closes its end: all start together
      write_run(path, name);
      tell(1);
    });
  }
  close(starting[0]);
  close(starting[1]);
  for (ChildProcess& child : children) EXPECT_EQ(child.hear(), 1);
  for (ChildProcess& child : children) EXPECT_EQ(child.wait(), 0);

  const RunStore store(path, RunStore::Mode::kRead);
  store.check();
  std::vector<std::string> names;
  for (const StoredRun& run : store.runs()) {
    names.push_back(run.facts.name);
    EXPECT_NE(run.finished, "");
    for (const StoredJob& job : store.jobs(run.id)) {
      EXPECT_EQ(job.status, JobStatus::kDone);
      EXPECT_EQ(store.rounds(job.id).size(), static_cast<std::size_t>(kRounds));
    }
  }
  EXPECT_THAT(names, testing::UnorderedElementsAre("a", "b", "c", "d"));
  expect_prefix(store);
}

TEST(Processes, ReadersSeeWholeRoundsWhileAnotherWrites) {
  const TemporaryFolder folder;
  const std::string path = folder.path("runs.db");
  ChildProcess child([&](const ChildProcess::Tell& tell) {
    RunStore(path, RunStore::Mode::kWrite).flush();
    tell(0);
    write_run(path, "a");
  });
  ASSERT_EQ(child.hear(), 0);
  std::size_t looks = 0;
  std::size_t looks_at_a_part = 0;
  for (bool finished = false; !finished; ++looks) {
    const RunStore store(path, RunStore::Mode::kRead);
    expect_prefix(store);
    const std::vector<StoredRun> runs = store.runs();
    finished = !runs.empty() && !runs[0].finished.empty();
    if (!runs.empty() && !finished) ++looks_at_a_part;
    if (HasFailure()) return;
  }
  EXPECT_EQ(child.wait(), 0);
  EXPECT_GE(looks_at_a_part, 1U) << "of " << looks;
}

}  // namespace
}  // namespace fedstein
