// SPDX-License-Identifier: Apache-2.0
#include "fedstein/experiment/trained.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "experiment/small_experiment.h"
#include "fedstein/data/split.h"
#include "fedstein/posterior/judgement.h"
#include "fedstein/posterior/posterior_file.h"
#include "support/random_matrix.h"
#include "support/temporary_folder.h"

namespace fedstein {
namespace {

// Features of sizes that no model could take unscaled, and targets far from 0.
std::string own_rows(bool regression) {
  const Matrix noise = random_matrix(300, 3, 5);
  std::string out;
  for (const auto& row : noise.rowwise()) {
    const double a = 1000 + 300 * static_cast<double>(row(0));
    const double b = 0.001 * static_cast<double>(row(1));
    const double signal = static_cast<double>(row(0) - row(1)) + 0.3 * static_cast<double>(row(2));
    const std::string label = regression ? std::to_string(50 + 7 * signal) : signal > 0 ? "1" : "-1";
    out += std::to_string(a) + "," + std::to_string(b) + "," + label + "\n";
  }
  return out;
}

std::string document(const std::string& labels, const std::string& file) {
  return "[experiment]\nname = \"own\"\npreset = \"paper\"\ndataset = \"" + file +
         "\"\nscaling = \"standardise\"\nagents = 3\ntrials = 2\n[data]\nlabels = \"" + labels +
         "\"\n[federation]\nrounds = 3\n[evaluation]\nf1 = true\nabstention = [0, 0.25]\n[hyperparameters]\nparticles "
         "= 3\n"
         "local_steps = 30\n[[algorithm]]\ntype = \"dsvgd\"\n[[algorithm]]\ntype = \"fedavg\"\n";
}

class Trained : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Kinds, Trained, testing::Values("binary", "regression"));

// The file says of the raw test rows what the experiment said of its scaled ones.
TEST_P(Trained, TheFilePredictsWhatTheRunSaw) {
  const bool regression = GetParam() == "regression";
  const TemporaryFolder folder;
  const std::string csv = folder.write("own.csv", own_rows(regression));
  std::string text = document(GetParam(), csv);
  if (regression) text.replace(text.find("f1 = true\nabstention = [0, 0.25]\n"), 33, "");
  const Plan plan = parse_plan(text, "own.toml", {});
  RunStore store(folder.path("store"), RunStore::Mode::kWrite);
  const RunId run = begin_run(plan, store, "");
  DataShelf shelf("");
  ASSERT_EQ(execute(plan, store, run, shelf, {.threads = 1, .posterior_folder = folder.path("posteriors")}).failed_jobs,
            0);

  const CasePlan& case_plan = plan.cases[0];
  const std::uint64_t seed = trial_seed(plan.seed, 1);
  const Dataset all = load_planned(case_plan.dataset, {}, seed);
  const Dataset test = rows(all, random_split(all.x.rows(), case_plan.dataset.test_fraction, seed).test);
  const RunResult result = load_results(store, run);
  for (const MethodResult& method : result.cases[0].methods) {
    const Predictor predictor(load_posterior(folder.path("posteriors/" + method.label + "-1.fedstein")));
    const TrainingFacts& facts = predictor.posterior().facts;
    EXPECT_EQ(facts.algorithm, method.label);
    EXPECT_EQ(facts.agents, 3);
    EXPECT_EQ(facts.rows, 240);
    const Judgement judged = judge(predictor, test, {.abstained = {0, 0.25}});
    const std::map<std::string, double> found(judged.figures.begin(), judged.figures.end());
    std::map<std::string, double> expected = method.trials[0].rounds.back().figures;
    EXPECT_EQ(expected.contains("f1"), !regression);
    for (const char* name : {"accuracy", "f1", "ece", "brier", "rmse", "log_likelihood"}) {
      if (!expected.contains(name)) continue;
      EXPECT_NEAR(found.at(name), expected.at(name), 2e-4) << method.label << " " << name;
    }
    if (!regression) {
      EXPECT_NEAR(judged.answered[0].figure, expected.at("answered@0"), 1e-9);
      EXPECT_NEAR(judged.answered[1].figure, expected.at("answered@0.25"), 0.02);
    }
  }
  // Of further trials the store has the particles.
  std::set<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path("posteriors"))) {
    files.insert(entry.path().filename());
  }
  EXPECT_EQ(files, (std::set<std::string>{"dsvgd-1.fedstein", "fedavg-1.fedstein"}));
}

TEST(Trained, FileNamesAreUniqueAndPlain) {
  Plan plan = small_plan();
  plan.cases.push_back(plan.cases[0]);
  plan.cases.push_back(plan.cases[0]);
  plan.cases[0].name = "covertype, K = 20";
  plan.cases[1].name = "covertype K=20";
  plan.cases[2].name = "../etc";
  plan.cases[2].algorithms[1].label = "DSVGD/2";
  plan.cases[2].algorithms[2].label = "DSVGD 2";
  std::set<std::string> names;
  for (const CasePlan& case_plan : plan.cases) {
    for (const AlgorithmPlan& algorithm : case_plan.algorithms) {
      for (const Index trial : {1, 2}) names.insert(posterior_file_name({&plan, &case_plan, &algorithm, trial}));
    }
  }
  EXPECT_EQ(names.size(), 18U);
  for (const std::string& name : names) {
    EXPECT_EQ(name.find_first_of("/ ,="), std::string::npos) << name;
    EXPECT_TRUE(name.ends_with(".fedstein"));
  }
  EXPECT_TRUE(names.contains("covertype-K-20-1-dsvgd-1.fedstein"));
}

TEST(Trained, AToyHasNone) {
  const Plan toy = parse_plan(
      "[experiment]\nname = \"toy\"\npreset = \"paper\"\n[model]\ntype = \"gaussian-mixture-1d\"\n[[algorithm]]\ntype "
      "= \"svgd\"\n",
      "toy.toml",
      {});
  EXPECT_FALSE(has_posterior(toy.cases[0]));
  EXPECT_TRUE(has_posterior(small_plan().cases[0]));
}

// Whatever is wrong with the disk is not the job's fault: the job is tried again.
TEST(Trained, ADiskThatTakesNothingStopsTheRunResumably) {
  const TemporaryFolder folder;
  folder.write("posteriors", "a file where the folder should be");
  const Plan plan = small_plan();
  RunStore store(folder.path("store"), RunStore::Mode::kWrite);
  const RunId run = begin_run(plan, store, "");
  DataShelf shelf("");
  EXPECT_THROW(execute(plan, store, run, shelf, {.threads = 1, .posterior_folder = folder.path("posteriors")}),
               StoreError);
  std::filesystem::remove(folder.path("posteriors"));
  EXPECT_TRUE(execute(plan, store, run, shelf, {.threads = 1, .posterior_folder = folder.path("posteriors")}).complete);
}

}  // namespace
}  // namespace fedstein
