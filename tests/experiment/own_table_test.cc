// SPDX-License-Identifier: Apache-2.0
// Tables of the user's own, from a configuration to the rows of a trial.
#include <filesystem>

#include "fedstein/config/parse.h"
#include "fedstein/experiment/conduct.h"
#include "fedstein/experiment/data_shelf.h"
#include "fedstein/experiment/posterior_export.h"
#include "fedstein/experiment/run_choice.h"
#include "support/close.h"
#include "support/temporary_folder.h"
#include "support/throws.h"

namespace fedstein {
namespace {

// 40 patients of two hospitals; sex is a category and weight lacks a value now and then.
std::string patients(int count = 40, int first = 0) {
  std::string rows = "id,age,sex,weight,hospital,ill\n";
  for (int i = first; i < first + count; ++i) {
    rows += "p" + std::to_string(i) + "," + std::to_string(30 + i * 7 % 41) + "," + (i % 3 == 0 ? "f" : "m") + "," +
            (i % 10 == 0 ? "NA" : std::to_string(60 + i % 17)) + "," + (i % 4 == 0 ? "north" : "south") + "," +
            (i % 2 == 0 ? "no" : "yes") + "\n";
  }
  return rows;
}

std::string document(const std::string& path, const std::string& data, const std::string& experiment = "") {
  return "[experiment]\nname = \"own\"\ndataset = \"" + path + "\"\nagents = 2\npartition = \"iid\"\n" + experiment +
         "[data]\nlabel = \"ill\"\nignore = [\"id\"]\nmissing = \"impute\"\n" + data +
         "[federation]\nrounds = 2\n[[algorithm]]\ntype = \"c-dsvgd\"\n";
}

TEST(OwnTable, ColumnsBecomeFeaturesAndGroupsAgents) {
  const TemporaryFolder folder;
  const std::string path = folder.write("patients.csv", patients());
  std::string text = document(path, "group = \"hospital\"\n");
  text.replace(text.find("agents = 2\npartition = \"iid\""), 28, "partition = \"by-column\"");
  const Plan plan = parse_plan(text, "own.toml", {});
  ASSERT_TRUE(plan.cases[0].dataset.table);
  EXPECT_EQ(feature_names(*plan.cases[0].dataset.table),
            (std::vector<std::string>{"age", "sex=m", "weight", "weight missing"}));
  EXPECT_EQ(plan.cases[0].model.type, "logistic-regression");
  DataShelf shelf("");
  const auto trial = shelf.trial(plan.cases[0], 1);
  EXPECT_EQ(trial->x.cols(), 4);
  EXPECT_EQ(trial->sizes.size(), 2U);
  EXPECT_EQ(trial->x.rows() + trial->test_x.rows(), 40);
}

TEST(OwnTable, TheStoredConfigurationKeepsWhatWasFound) {
  const TemporaryFolder folder;
  const std::string path = folder.write("patients.csv", patients());
  const Plan plan = parse_plan(document(path, ""), "own.toml", {.overrides = {"data.ignore=[\"id\", \"hospital\"]"}});
  std::filesystem::remove(path);
  const Plan again = parse_plan(plan.document, "stored", {.check_data = false});
  EXPECT_EQ(again.cases[0].dataset.table, plan.cases[0].dataset.table);
  EXPECT_EQ(to_json(again), to_json(plan));
}

TEST(OwnTable, ATestFileIsTestedOnAndAllRowsAreTrainedOn) {
  const TemporaryFolder folder;
  const std::string path = folder.write("patients.csv", patients());
  const std::string test = folder.write("test.csv", patients(12, 40));
  const Plan plan = parse_plan(document(path, "test = \"" + test + "\"\n"), "own.toml", {});
  DataShelf shelf("");
  shelf.read_own_files(plan);
  std::filesystem::remove(path);
  std::filesystem::remove(test);
  const auto trial = shelf.trial(plan.cases[0], trial_seed(plan.seed, 1));
  EXPECT_EQ(trial->x.rows(), 40);
  EXPECT_EQ(trial->test_x.rows(), 12);
  // Scaled by the training rows alone.
  EXPECT_LT(std::abs(trial->x.col(0).mean()), 1e-5);
  EXPECT_GT(std::abs(trial->test_x.col(0).mean()), 1e-5);
}

TEST(OwnTable, ATestFileThatDoesNotFitIsRefusedBeforeAnyWork) {
  const TemporaryFolder folder;
  const std::string path = folder.write("patients.csv", patients());
  const std::string test = folder.write("test.csv", "id,age,sex,hospital,ill\np1,30,m,north,yes\n");
  const Plan plan = parse_plan(document(path, "test = \"" + test + "\"\n"), "own.toml", {});
  DataShelf shelf("");
  EXPECT_THROW_MESSAGE(shelf.read_own_files(plan), DataError, "'weight'");
}

TEST(OwnTable, ATestFileLeavesNothingToSplit) {
  const TemporaryFolder folder;
  const std::string path = folder.write("patients.csv", patients());
  const std::string with_fraction = document(path, "test = \"" + path + "\"\n", "test_fraction = 0.3\n");
  EXPECT_THROW_MESSAGE(
      parse_plan(with_fraction, "own.toml", {}), BadConfiguration, "data.test names the rows to test on");
  EXPECT_THROW_MESSAGE(parse_plan(document(path, "test = \"nowhere.csv\"\n"), "own.toml", {}),
                       BadConfiguration,
                       "is 'nowhere.csv'; there is no such file");
}

TEST(OwnTable, ATableIsReadOnceAndGivenBack) {
  const TemporaryFolder folder;
  const std::string path = folder.write("patients.csv", patients());
  const Plan plan = parse_plan(document(path, ""), "own.toml", {});
  std::filesystem::remove(path);
  DataShelf shelf("");
  shelf.read_own_files(plan);
  EXPECT_GT(shelf.trial(plan.cases[0], 1)->x.rows(), 0);
  EXPECT_EQ(plan.read_tables->take(path, *plan.cases[0].dataset.table), nullptr);
}

TEST(OwnTable, AResumedRunSeesThatItsFileHasChanged) {
  const TemporaryFolder folder;
  const std::string path = folder.write("patients.csv", patients());
  const std::string text = document(path, "");
  std::stop_source stop;
  RunRequest request{.plan = parse_plan(text, "own.toml", {}), .folder = folder.path("run"), .stop = stop.get_token()};
  stop.request_stop();
  EXPECT_FALSE(conduct_run(request).result);
  request.resume = true;
  std::string changed = patients();
  changed.replace(changed.find("p7,"), 6, "p7,99,");
  folder.write("patients.csv", changed);
  request.plan = parse_plan(text, "own.toml", {});
  EXPECT_THROW_MESSAGE(conduct_run(request), InvalidArgument, "are not those with which run 1");
  folder.write("patients.csv", patients());
  request.plan = parse_plan(text, "own.toml", {});
  request.stop = {};
  EXPECT_TRUE(conduct_run(request).result);
}

TEST(OwnTable, PosteriorsOfARunAreNotExportedWithOtherRows) {
  const TemporaryFolder folder;
  const std::string path = folder.write("patients.csv", patients());
  const RunRequest request{.plan = parse_plan(document(path, ""), "own.toml", {}), .folder = folder.path("run")};
  ASSERT_TRUE(conduct_run(request).result);
  const RunChoice run = choose_run(folder.path("run"));
  EXPECT_EQ(export_posteriors(run, folder.path("same"), "", {}).size(), 1U);
  std::string changed = patients();
  changed.replace(changed.find("p7,"), 6, "p7,99,");
  folder.write("patients.csv", changed);
  EXPECT_THROW_MESSAGE(export_posteriors(run, folder.path("other"), "", {}),
                       DataError,
                       "its rows are not those that run 1 learned from");
}

}  // namespace
}  // namespace fedstein
