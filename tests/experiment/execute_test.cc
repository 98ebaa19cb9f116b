// SPDX-License-Identifier: Apache-2.0
#include "fedstein/experiment/execute.h"

#include "experiment/small_experiment.h"
#include "fedstein/numeric/parallel.h"
#include "support/temporary_folder.h"
#include "support/throws.h"

namespace fedstein {
namespace {

using testing::HasSubstr;

RunEnd run_all(const Plan& plan, const std::string& path, int threads) {
  RunStore store(path, RunStore::Mode::kWrite);
  const RunId run = begin_run(plan, store, "fedstein run small.toml");
  DataShelf shelf("");
  return execute(plan, store, run, shelf, {.threads = threads});
}

TEST(Execute, WritesEveryRoundOfEveryJob) {
  const TemporaryFolder folder;
  const RunEnd end = run_all(small_plan(), folder.path("store"), 2);
  EXPECT_TRUE(end.complete);
  EXPECT_EQ(end.failed_jobs, 0);
  const RunStore store(folder.path("store"), RunStore::Mode::kRead);
  const RunResult result = load_results(store);
  EXPECT_FALSE(result.run.finished.empty());
  ASSERT_EQ(result.cases.size(), 1U);
  ASSERT_EQ(result.cases[0].methods.size(), 3U);
  for (const MethodResult& method : result.cases[0].methods) {
    ASSERT_EQ(method.trials.size(), 2U) << method.label;
    for (const TrialResult& trial : method.trials) {
      ASSERT_EQ(trial.rounds.size(), 6U);
      EXPECT_EQ(trial.status, JobStatus::kDone);
      // Evaluated every second round: figures there, and none between.
      EXPECT_TRUE(trial.rounds[5].figures.contains("accuracy"));
      EXPECT_TRUE(trial.rounds[5].figures.contains("ksd"));
      EXPECT_FALSE(trial.rounds[4].figures.contains("accuracy"));
      EXPECT_EQ(store.rounds_with_particles(trial.job), (std::vector<Index>{2, 4, 6}));
      EXPECT_EQ(store.reliability(trial.job).size(), 1U);
    }
  }
}

TEST(Execute, ResultsDoNotDependOnTheNumberOfThreads) {
  const TemporaryFolder folder;
  run_all(small_plan(), folder.path("one"), 1);
  run_all(small_plan(), folder.path("four"), 4);
  const Numbers one = numbers_of(folder.path("one"));
  EXPECT_GT(one.size(), 100U);
  EXPECT_EQ(one, numbers_of(folder.path("four")));
}

TEST(Execute, TrialsDifferAndSeedsDiffer) {
  const TemporaryFolder folder;
  run_all(small_plan(), folder.path("store"), 2);
  run_all(small_plan({"experiment.seed=8"}), folder.path("other"), 2);
  Numbers first = numbers_of(folder.path("store"));
  const Numbers second = numbers_of(folder.path("other"));
  const auto spread = [](const Numbers& numbers, Index trial) {
    return numbers.at({"feature-skew", "dsvgd", trial, 6, "spread"});
  };
  EXPECT_NE(spread(first, 1), spread(first, 2));
  EXPECT_NE(spread(first, 1), spread(second, 1));
}

// Stopped after every few rounds, with a checkpoint each time, until it is done.
TEST(Execute, ARunThatIsStoppedAgainAndAgainEndsWithTheSameNumbers) {
  const TemporaryFolder folder;
  run_all(small_plan(), folder.path("undisturbed"), 1);
  const Plan plan = small_plan();
  RunId run = 0;
  int stops = 0;
  for (bool complete = false; !complete; ++stops) {
    ASSERT_LT(stops, 100);
    RunStore store(folder.path("stopped"), RunStore::Mode::kWrite);
    if (run == 0) run = begin_run(plan, store, "");
    std::stop_source stop;
    DataShelf shelf("");
    int rounds = 0;
    ExecuteOptions options{.threads = 1, .checkpoint_seconds = 0, .stop = stop.get_token()};
    options.on_progress = [&](const Progress&) {
      if (++rounds == 5) stop.request_stop();
    };
    complete = execute(plan, store, run, shelf, options).complete;
  }
  EXPECT_GT(stops, 5);
  EXPECT_EQ(numbers_of(folder.path("undisturbed")), numbers_of(folder.path("stopped")));
}

TEST(Execute, ProgressCountsRoundsAndJobs) {
  const TemporaryFolder folder;
  RunStore store(folder.path("store"), RunStore::Mode::kWrite);
  const Plan plan = small_plan();
  Progress last;
  ExecuteOptions options{.threads = 2};
  options.on_progress = [&](const Progress& progress) {
    EXPECT_GE(progress.rounds_done, last.rounds_done);
    last = progress;
  };
  DataShelf shelf("");
  execute(plan, store, begin_run(plan, store, ""), shelf, options);
  EXPECT_EQ(last.jobs, 6);
  EXPECT_EQ(last.jobs_done, 6);
  EXPECT_EQ(last.rounds, 36);
  EXPECT_EQ(last.rounds_done, 36);
}

// A dataset that cannot be read fails its jobs, with the reason; the others are done.
TEST(Execute, AJobThatFailsIsRecordedAndTheOthersGoOn) {
  const TemporaryFolder folder;
  RunStore store(folder.path("store"), RunStore::Mode::kWrite);
  Plan plan = small_plan({"experiment.trials=1"});
  plan.cases.push_back(plan.cases[0]);
  plan.cases[1].name = "lost";
  plan.cases[1].dataset.name = "twonorm";
  const RunId run = begin_run(plan, store, "");
  DataShelf shelf(folder.path("nowhere"));
  const RunEnd end = execute(plan, store, run, shelf, {.threads = 2});
  EXPECT_TRUE(end.complete);
  EXPECT_EQ(end.failed_jobs, 3);
  for (const StoredJob& job : store.jobs(run)) {
    EXPECT_EQ(job.status, job.facts.case_name == "lost" ? JobStatus::kFailed : JobStatus::kDone);
    EXPECT_THAT(job.error, HasSubstr(job.facts.case_name == "lost" ? "twonorm" : ""));
  }
}

}  // namespace
}  // namespace fedstein
