// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "apps/program.h"
#include "apps/small_file.h"
#include "experiment/small_experiment.h"

namespace fedstein {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST(Run, PrintsATableAndLeavesAStore) {
  const TemporaryFolder folder;
  folder.write("small.toml", small_file());
  const Finished run = fedstein_in(folder, {"run", "small.toml"});
  EXPECT_EQ(run.code, 0) << run.errors;
  for (const char* word : {"dsvgd",
                           "fedavg",
                           "svgd",
                           "accuracy",
                           "log-likelihood",
                           "±",
                           "run: runs/small",
                           "report: runs/small/report.html"}) {
    EXPECT_THAT(run.output, HasSubstr(word));
  }
  EXPECT_THAT(run.output, Not(HasSubstr("\x1b")));  // piped: no escape sequences
  EXPECT_THAT(run.errors, HasSubstr("round 36 of 36"));
  EXPECT_EQ(numbers_of(folder.path("runs/small/store.sqlite")).size() > 100, true);
}

TEST(Run, SetAndSeedAndTrialsOverrideTheFile) {
  const TemporaryFolder folder;
  folder.write("small.toml", small_file());
  const Finished run = fedstein_in(
      folder, {"run", "small.toml", "--set", "federation.rounds=3", "--seed", "5", "--trials", "1", "--json"});
  EXPECT_EQ(run.code, 0) << run.errors;
  const auto json = nlohmann::json::parse(run.output);
  EXPECT_EQ(json["rows"][0]["rounds"], 3);
  EXPECT_EQ(json["rows"][0]["trials"], 1);
  const RunResult result = load_results(RunStore(folder.path("runs/small/store.sqlite"), RunStore::Mode::kRead));
  EXPECT_EQ(result.run.facts.seed, 5U);
  EXPECT_THAT(result.run.facts.command, HasSubstr("fedstein run small.toml --set federation.rounds=3"));
}

TEST(Run, ADryRunShowsThePlanAndDoesNothing) {
  const TemporaryFolder folder;
  folder.write("small.toml", small_file());
  const Finished run = fedstein_in(folder, {"run", "small.toml", "--dry-run"});
  EXPECT_EQ(run.code, 0) << run.errors;
  EXPECT_THAT(run.output, HasSubstr("feature-skew"));
  EXPECT_FALSE(std::filesystem::exists(folder.path("runs")));
}

TEST(Run, ComparePrintsWhatTheRunPrinted) {
  const TemporaryFolder folder;
  folder.write("small.toml", small_file());
  const Finished run = fedstein_in(folder, {"run", "small.toml"});
  const Finished compared = fedstein_in(folder, {"compare", "runs/small"});
  EXPECT_EQ(compared.code, 0) << compared.errors;
  EXPECT_EQ(compared.output + "\nrun: runs/small\nreport: runs/small/report.html\n", run.output);
  const Finished target = fedstein_in(folder, {"compare", "runs/small", "--target", "accuracy=0.1", "--json"});
  EXPECT_TRUE(nlohmann::json::parse(target.output)["rows"][0]["rounds_to_target"].is_number());
}

TEST(Run, TwoRunsIntoOneStoreAtOnceAreBothWhole) {
  const TemporaryFolder folder;
  folder.write("small.toml", small_file());
  {
    Process first(program({"run", "small.toml", "--threads", "1"}), folder.path("."), "first");
    Process second(program({"run", "small.toml", "--threads", "1"}), folder.path("."), "second");
    EXPECT_EQ(first.wait(), 0) << first.errors();
    EXPECT_EQ(second.wait(), 0) << second.errors();
  }
  const RunStore store(folder.path("runs/small/store.sqlite"), RunStore::Mode::kRead);
  ASSERT_EQ(store.runs().size(), 2U);
  EXPECT_EQ(numbers_of(load_results(store, store.runs()[0].id)), numbers_of(load_results(store, store.runs()[1].id)));
}

TEST(Run, ReproducingAgainReusesWhatIsThere) {
  const TemporaryFolder folder;
  const std::vector<std::string> words = {"reproduce", "toy-1d", "--quick", "--set", "hyperparameters.local_steps=3"};
  EXPECT_EQ(fedstein_in(folder, words).code, 0);
  const Finished again = fedstein_in(folder, words);
  EXPECT_EQ(again.code, 0) << again.errors;
  EXPECT_THAT(again.errors, HasSubstr("runs/toy-1d-quick has this run already"));
}

TEST(Run, APartOfAnExperiment) {
  const TemporaryFolder folder;
  const std::vector<std::string> quick = {"reproduce", "feature-skew", "--quick", "--set", "federation.rounds=1"};
  std::vector<std::string> words = quick;
  words.insert(words.end(), {"--method", "dsvgd*", "--json"});
  const Finished part = fedstein_in(folder, words);
  EXPECT_EQ(part.code, 0) << part.errors;
  const auto rows = nlohmann::json::parse(part.output)[0]["comparison"]["rows"];
  EXPECT_EQ(rows.size(), 2U);
  for (const auto& row : rows) EXPECT_THAT(row["algorithm"].get<std::string>(), HasSubstr("dsvgd"));
  const Finished again = fedstein_in(folder, {"compare", "runs/feature-skew-quick"});
  EXPECT_EQ(again.code, 0) << again.errors;

  words = quick;
  words.insert(words.end(), {"--method", "dsvdg"});
  const Finished misspelt = fedstein_in(folder, words);
  EXPECT_NE(misspelt.code, 0);
  EXPECT_THAT(misspelt.errors, HasSubstr("--method 'dsvdg' fits no name; did you mean 'dsvgd'? there are: "));

  words = quick;
  words.insert(words.end(), {"--check", "--method", "dsvgd"});
  const Finished judged = fedstein_in(folder, words);
  EXPECT_NE(judged.code, 0);
  EXPECT_THAT(judged.errors, HasSubstr("--check judges whole experiments; leave out --case and --method"));
}

// A claim that fails is said to fail, with its figures and exit code 1: two local steps of one round teach nobody.
TEST(Run, AFailedClaimIsReported) {
  const TemporaryFolder folder;
  std::vector<std::string> words = {"reproduce", "feature-skew", "--quick", "--check"};
  for (const char* change : {"federation.rounds=1", "hyperparameters.local_steps=2"}) {
    words.insert(words.end(), {"--set", change});
  }
  const Finished run = fedstein_in(folder, words);
  EXPECT_EQ(run.code, 1) << run.errors;
  EXPECT_THAT(run.output, HasSubstr("C13  FAILS"));
  EXPECT_THAT(run.output, HasSubstr("A quick run is too small to judge a claim by"));
}

// The two columns are two runs in two folders; whichever comes second shows both.
TEST(Run, ClaimsWithOurOwnSettingsStandBesideThePapers) {
  const TemporaryFolder folder;
  std::vector<std::string> words = {"reproduce", "feature-skew", "--quick", "--check"};
  for (const char* change : {"federation.rounds=1", "hyperparameters.local_steps=2"}) {
    words.insert(words.end(), {"--set", change});
  }
  std::vector<std::string> own = words;
  own.emplace_back("--own");
  const Finished alone = fedstein_in(folder, own);
  EXPECT_THAT(alone.output, HasSubstr("fedstein's own settings, c-dsvgd in DSVGD's place:\nC13  "));
  EXPECT_THAT(alone.output, HasSubstr("run: runs/feature-skew-own-quick"));
  const Finished paper = fedstein_in(folder, words);
  EXPECT_EQ(paper.code, 1) << paper.errors;
  EXPECT_THAT(paper.output, HasSubstr("     paper's settings  fedstein's own    claim\nC13  FAILS  "));
  EXPECT_THAT(paper.output, HasSubstr("     fedstein's own    SVGD "));
  own.emplace_back("--json");
  const auto json = nlohmann::json::parse(fedstein_in(folder, own).output);
  EXPECT_EQ(json[0]["own"], true);
  ASSERT_EQ(json[0]["claims"].size(), 2U);
  EXPECT_EQ(json[0]["claims"][0]["settings"], "fedstein");
  EXPECT_EQ(json[0]["claims"][1]["settings"], "paper");
}

}  // namespace
}  // namespace fedstein
