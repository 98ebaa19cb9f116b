// SPDX-License-Identifier: Apache-2.0
// The demo in its quick form: what its table and its report are made of.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "experiment/small_experiment.h"
#include "fedstein/base/text.h"
#include "fedstein/data/made_sets.h"
#include "fedstein/experiment/catalogue.h"
#include "fedstein/experiment/comparison.h"
#include "fedstein/experiment/outcome.h"
#include "fedstein/experiment/plane_map.h"
#include "support/temporary_folder.h"

namespace fedstein {
namespace {

using testing::HasSubstr;

class Demo : public testing::Test {
 protected:
  static void SetUpTestSuite() { run_ = new FinishedDemo(); }
  static void TearDownTestSuite() {
    delete run_;
    run_ = nullptr;
  }

  struct FinishedDemo {
    FinishedDemo() {
      make_file("waveform", {.folder = folder.path("data")});
      plan = parse_plan(catalogue_entry("demo").document,
                        "demo.toml",
                        {.data_folder = folder.path("data"),
                         .quick = true,
                         .overrides = {"experiment.trials=2", "federation.rounds=2", "hyperparameters.local_steps=5"}});
      store.emplace(folder.path("store"), RunStore::Mode::kWrite);
      const RunId run = begin_run(plan, *store, "");
      DataShelf shelf(folder.path("data"));
      failed = execute(plan, *store, run, shelf, {.threads = 2}).failed_jobs;
      result = load_results(*store, run);
    }

    TemporaryFolder folder;
    Plan plan;
    std::optional<RunStore> store;
    RunResult result;
    Index failed = 0;
  };
  static FinishedDemo* run_;
};
Demo::FinishedDemo* Demo::run_ = nullptr;

TEST_F(Demo, HasBothParts) {
  EXPECT_EQ(run_->failed, 0);
  ASSERT_EQ(run_->result.cases.size(), 2U);
  EXPECT_EQ(run_->plan.cases[0].dataset.name, "two-arcs");
  EXPECT_EQ(run_->plan.cases[0].partition.agents, 5);
  EXPECT_EQ(run_->plan.cases[1].partition.agents, 20);
  std::vector<std::string> methods;
  for (const AlgorithmPlan& method : run_->plan.cases[1].algorithms) methods.push_back(method.method->name);
  EXPECT_THAT(methods, testing::UnorderedElementsAre("c-dsvgd", "dsvgd", "fedavg", "scaffold", "svgd"));
}

TEST_F(Demo, KeepsAMapOfEveryMethodOnThePlaneAndOfNoOther) {
  for (const CaseResult& each : run_->result.cases) {
    const bool plane = each.coordinate("dataset") == "two-arcs";
    for (const MethodResult& method : each.methods) {
      const TrialResult& trial = method.trials.front();
      const std::optional<Matrix> stored = run_->store->density(trial.job, trial.rounds.back().round);
      EXPECT_EQ(stored && unpacked(*stored), plane) << method.label;
    }
  }
  EXPECT_EQ(run_->result.cases[0].methods.size(), 4U);
}

// No word of the line is written down anywhere: who is best and what abstaining buys follow from the run's numbers,
// here by plain loops.
TEST_F(Demo, TheLineUnderEachTableFollowsFromItsNumbers) {
  const Comparison comparison = compare(run_->result);
  for (const CaseResult& each : run_->result.cases) {
    const MethodResult* best = nullptr;
    const MethodResult* worst = nullptr;
    const auto mean = [](const MethodResult& method, const std::string& figure) {
      double sum = 0;
      for (const TrialResult& trial : method.trials) sum += trial.rounds.back().figures.at(figure) / 2;
      return sum;
    };
    for (const MethodResult& method : each.methods) {
      if (method.centralised) continue;
      const double value = mean(method, "log_likelihood");
      if (best == nullptr || value > mean(*best, "log_likelihood")) best = &method;
      if (worst == nullptr || value < mean(*worst, "log_likelihood")) worst = &method;
    }
    const std::string& line = comparison.outcomes.at(each.name);
    EXPECT_THAT(line, HasSubstr(": " + best->label));
    EXPECT_THAT(line,
                HasSubstr("; surest 90 % of rows: " + fixed_text(100 * mean(*best, "answered@0.1"), 1) + " % right"));
    // Other numbers, another line: turned round, the worst is the best.
    CaseResult turned = each;
    for (MethodResult& method : turned.methods) {
      for (TrialResult& trial : method.trials) {
        double& value = trial.rounds.back().figures.at("log_likelihood");
        value = -value;
      }
    }
    EXPECT_THAT(outcome_line(turned), HasSubstr(": " + worst->label));
  }
}

TEST_F(Demo, TheTableFitsATerminal) {
  const std::string text = comparison_text(compare(run_->result), false);
  EXPECT_THAT(text, HasSubstr("surest 90 %"));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("method")) continue;
    EXPECT_LE(widest_line(line), kTableWidth);
    EXPECT_THAT(line, HasSubstr("log-likelihood"));
    EXPECT_THAT(line, HasSubstr("ece"));
  }
}

}  // namespace
}  // namespace fedstein
