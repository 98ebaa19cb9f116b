// SPDX-License-Identifier: Apache-2.0
// Rows that agents keep back, and runs that end by them.
#include <gmock/gmock.h>

#include <set>

#include "experiment/small_experiment.h"
#include "fedstein/experiment/data_shelf.h"
#include "support/close.h"
#include "support/temporary_folder.h"
#include "support/throws.h"

namespace fedstein {
namespace {

// What makes a row of the generated set: all of it, as text would not.
std::multiset<std::vector<Real>> rows_in(const Matrix& x, const Vector& y) {
  std::multiset<std::vector<Real>> out;
  for (Index i = 0; i < x.rows(); ++i) {
    std::vector<Real> row(x.row(i).data(), x.row(i).data() + x.cols());
    row.push_back(y(i));
    out.insert(row);
  }
  return out;
}

TEST(KeptBack, RowsAreThoseOfTheAgentsAndNobodyLearnsFromThem) {
  const Plan all = small_plan();
  const Plan some = small_plan({"federation.validation=0.1"});
  const Dataset dataset = load_planned(all.cases[0].dataset, "", 3);
  const TrialData without = prepare_trial(all.cases[0], dataset, 3);
  const TrialData with = prepare_trial(some.cases[0], dataset, 3);
  EXPECT_EQ(without.validation_x.rows(), 0);
  ASSERT_EQ(with.sizes.size(), 10U);
  for (const Index size : with.sizes) EXPECT_EQ(size, 180);
  EXPECT_EQ(with.validation_x.rows(), 200);
  EXPECT_TRUE(identical(with.test_x, without.test_x));
  auto together = rows_in(with.x, with.y);
  together.merge(rows_in(with.validation_x, with.validation_y));
  EXPECT_EQ(together, rows_in(without.x, without.y));
}

// A share that is no row would be ignored in silence, and a run that waits for it would never end by it.
TEST(KeptBack, AShareThatIsNoRowIsRefused) {
  CasePlan plan = small_plan({"federation.validation=0.1"}).cases[0];
  Dataset few = load_planned(plan.dataset, "", 3);
  few.x = Matrix(few.x.topRows(12));
  few.y = Vector(few.y.head(12));
  few.group.clear();
  plan.dataset.standard_split = false;
  plan.dataset.test_fraction = 0.25;
  plan.partition.kind = PartitionKind::kIid;
  plan.partition.agents = 9;  // one row each
  EXPECT_THROW_MESSAGE(prepare_trial(plan, few, 3),
                       InvalidArgument,
                       "is 0.1, and no agent of feature-skew has rows enough to keep one back; leave it out");
  plan.partition.agents = 4;
  EXPECT_EQ(prepare_trial(plan, few, 3).validation_x.rows(), 4);
}

TEST(KeptBack, TheShelfTellsSharesApart) {
  DataShelf shelf("");
  const auto all = shelf.trial(small_plan().cases[0], 1);
  const auto some = shelf.trial(small_plan({"federation.validation=0.1"}).cases[0], 1);
  EXPECT_NE(all->x.rows(), some->x.rows());
}

RunEnd run_in(const Plan& plan, const std::string& path) {
  RunStore store(path, RunStore::Mode::kWrite);
  const RunId run = begin_run(plan, store, "");
  DataShelf shelf("");
  return execute(plan, store, run, shelf, {.threads = 2});
}

TEST(KeptBack, FiguresStandInEvaluatedRounds) {
  const TemporaryFolder folder;
  ASSERT_EQ(run_in(small_plan({"federation.validation=0.1"}), folder.path("store")).failed_jobs, 0);
  const RunStore store(folder.path("store"), RunStore::Mode::kRead);
  const RunResult result = load_results(store);
  for (const MethodResult& method : result.cases[0].methods) {
    for (const TrialResult& trial : method.trials) {
      for (const RoundRecord& record : trial.rounds) {
        for (const char* name : {"log_likelihood", "accuracy", "ece", "confidence"}) {
          EXPECT_EQ(record.figures.contains(std::string("validation_") + name), record.round % 2 == 0) << name;
        }
      }
      EXPECT_NE(trial.rounds.back().figures.at("validation_log_likelihood"),
                trial.rounds.back().figures.at("log_likelihood"));
    }
  }
}

// Little to learn, so that it stands still long before its last round.
Plan plateau_plan() {
  return small_plan({"federation.validation=0.2",
                     "federation.stop=\"plateau\"",
                     "federation.rounds=200",
                     "evaluation.every=1",
                     "evaluation.ksd=false",
                     "evaluation.particles=\"last\"",
                     "experiment.trials=1"});
}

TEST(APlateau, EndsARunWithEverythingThatALastRoundHas) {
  const TemporaryFolder folder;
  const RunEnd end = run_in(plateau_plan(), folder.path("store"));
  EXPECT_TRUE(end.complete);
  EXPECT_EQ(end.failed_jobs, 0);
  const RunStore store(folder.path("store"), RunStore::Mode::kRead);
  const RunResult result = load_results(store);
  bool early = false;
  for (const MethodResult& method : result.cases[0].methods) {
    const TrialResult& trial = method.trials.front();
    const Index last = trial.rounds.back().round;
    EXPECT_EQ(static_cast<Index>(trial.rounds.size()), last);
    EXPECT_EQ(trial.status, JobStatus::kDone);
    EXPECT_EQ(store.rounds_with_particles(trial.job), (std::vector<Index>{last}));
    EXPECT_EQ(store.reliability(trial.job).size(), 1U);
    EXPECT_GT(last, 20) << method.label;
    early = early || last < 200;
  }
  EXPECT_TRUE(early);
}

TEST(APlateau, IsMetAtTheSameRoundHoweverOftenARunWasStopped) {
  const TemporaryFolder folder;
  const Plan plan = plateau_plan();
  run_in(plan, folder.path("undisturbed"));
  RunId run = 0;
  int stops = 0;
  Progress last;
  for (bool complete = false; !complete; ++stops) {
    ASSERT_LT(stops, 300);
    RunStore store(folder.path("stopped"), RunStore::Mode::kWrite);
    if (run == 0) run = begin_run(plan, store, "");
    std::stop_source stop;
    DataShelf shelf("");
    int rounds = 0;
    ExecuteOptions options{.threads = 1, .checkpoint_seconds = 1000, .stop = stop.get_token()};
    options.on_progress = [&](const Progress& progress) {
      last = progress;
      if (++rounds == 7) stop.request_stop();
    };
    complete = execute(plan, store, run, shelf, options).complete;
  }
  EXPECT_GT(stops, 5);
  EXPECT_EQ(numbers_of(folder.path("undisturbed")), numbers_of(folder.path("stopped")));
  EXPECT_EQ(last.jobs_done, last.jobs);
}

}  // namespace
}  // namespace fedstein
