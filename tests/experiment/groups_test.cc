// SPDX-License-Identifier: Apache-2.0
// Figures of each group's test rows, and methods that learn from one agent's rows alone.
#include <gmock/gmock.h>

#include "experiment/small_experiment.h"
#include "fedstein/experiment/comparison.h"
#include "fedstein/experiment/data_shelf.h"
#include "support/close.h"
#include "support/random_matrix.h"
#include "support/temporary_folder.h"

namespace fedstein {
namespace {

RunResult run_of(const Plan& plan) {
  const TemporaryFolder folder;
  {
    RunStore store(folder.path("store"), RunStore::Mode::kWrite);
    const RunId run = begin_run(plan, store, "");
    DataShelf shelf("");
    EXPECT_EQ(execute(plan, store, run, shelf, {.threads = 2}).failed_jobs, 0);
  }
  return load_results(RunStore(folder.path("store"), RunStore::Mode::kRead));
}

// A file with three users, who are the groups 0, 1 and 2, of 30 rows each; their labels are the sign of another column
// each, so that none can stand in for the others.
std::string three_users() {
  const Matrix x = random_matrix(90, 3, 4);
  std::string data;
  for (Index user = 0; user < 3; ++user) {
    std::string rows;
    std::string labels;
    for (Index row = 30 * user; row < 30 * (user + 1); ++row) {
      const std::string comma = row % 30 == 0 ? "" : ",";
      rows += comma + "[" + std::to_string(x(row, 0)) + "," + std::to_string(x(row, 1)) + "," +
              std::to_string(x(row, 2)) + "]";
      labels += comma + (x(row, user) > 0 ? "1" : "-1");
    }
    data += (user == 0 ? "" : ",") + std::string("\"u") + std::to_string(user) + "\":{\"x\":[" + rows + "],\"y\":[" +
            labels + "]}";
  }
  return R"({"users":["u0","u1","u2"],"num_samples":[30,30,30],"user_data":{)" + data + "}}";
}

Plan plan_of_users(const std::string& path, const std::string& more) {
  return parse_plan("[experiment]\nname = \"users\"\ndataset = \"" + path +
                        "\"\npartition = \"by-column\"\nagents = 3\ntest_fraction = 0.5\n[data]\nformat = "
                        "\"leaf\"\n[federation]\nrounds = 3\n[evaluation]\nby_group = true\n[hyperparameters]\n"
                        "local_steps = 20\n" +
                        more,
                    "users.toml",
                    {});
}

TEST(Groups, OfTestRowsAreThoseOfTheDataset) {
  Dataset dataset{"t", LabelKind::kBinary, random_matrix(40, 20, 1), Vector::Ones(40), 2, {}};
  for (Index row = 0; row < 40; ++row) {
    dataset.group.push_back(row / 10);
    dataset.x(row, 0) = static_cast<Real>(row / 10);
  }
  const Plan plan = small_plan({"experiment.test_fraction=0.4", "experiment.agents=2", "experiment.scaling=none"});
  const TrialData data = prepare_trial(plan.cases[0], dataset, 5);
  ASSERT_EQ(data.test_groups.size(), 16U);
  for (Index row = 0; row < 16; ++row) {
    EXPECT_EQ(static_cast<Real>(data.test_groups[static_cast<std::size_t>(row)]), data.test_x(row, 0));
  }
  dataset.group.clear();
  const Plan iid = small_plan({"experiment.test_fraction=0.4", "experiment.agents=2", "experiment.partition=iid"});
  EXPECT_TRUE(prepare_trial(iid.cases[0], dataset, 5).test_groups.empty());
}

TEST(Groups, FiguresStandInEvaluatedRoundsAndStayOffTheTerminal) {
  const TemporaryFolder folder;
  const Plan plan = plan_of_users(folder.write("rows.json", three_users()), "[[algorithm]]\ntype = \"c-dsvgd\"\n");
  const RunResult result = run_of(plan);
  for (const RoundRecord& record : result.cases[0].methods[0].trials[0].rounds) {
    double lowest = 1;
    double highest = 0;
    for (const char* group : {"0", "1", "2"}) {
      const double accuracy = record.figures.at(std::string("accuracy@") + group);
      lowest = std::min(lowest, accuracy);
      highest = std::max(highest, accuracy);
      EXPECT_TRUE(record.figures.contains(std::string("log_likelihood@") + group));
    }
    EXPECT_LE(lowest, record.figures.at("accuracy"));
    EXPECT_GE(highest, record.figures.at("accuracy"));
  }
  const Comparison comparison = compare(result);
  EXPECT_THAT(comparison_json(comparison), testing::HasSubstr("log_likelihood@2"));
  EXPECT_THAT(comparison_text(comparison, false), testing::Not(testing::HasSubstr("@")));
}

// Whoever learns from one user's rows predicts that user's labels best, and is what a federation of that user would be.
TEST(Alone, LearnsFromOneAgentsRows) {
  const TemporaryFolder folder;
  std::string methods;
  for (const char* agent : {"0", "1", "2"}) {
    methods += std::string("[[algorithm]]\ntype = \"svgd\"\nlabel = \"alone ") + agent + "\"\nalone = " + agent + "\n";
  }
  methods += "[[algorithm]]\ntype = \"fedavg\"\nalone = 1\n";
  const RunResult result = run_of(plan_of_users(folder.write("rows.json", three_users()), methods));
  const auto figure = [&](std::size_t method, const std::string& name) {
    return result.cases[0].methods[method].trials[0].rounds.back().figures.at(name);
  };
  for (std::size_t agent = 0; agent < 3; ++agent) {
    const std::string own = "log_likelihood@" + std::to_string(agent);
    for (std::size_t other = 0; other < 3; ++other) {
      if (other == agent) continue;
      EXPECT_GT(figure(agent, own), figure(other, own)) << agent << " " << other;
    }
  }
  EXPECT_GT(figure(3, "log_likelihood@1"), figure(3, "log_likelihood@0"));
}

// With one agent per group only the rows say how many there are.
TEST(Alone, AnAgentThatIsNotThereIsRefusedInASentence) {
  const TemporaryFolder folder;
  const Plan plan = small_plan({"experiment.agents=0", "algorithm.svgd.alone=10"});
  RunStore store(folder.path("store"), RunStore::Mode::kWrite);
  const RunId run = begin_run(plan, store, "");
  DataShelf shelf("");
  EXPECT_EQ(execute(plan, store, run, shelf, {.threads = 2}).failed_jobs, plan.trials);
  const RunResult result = load_results(store);
  for (const TrialResult& trial : result.cases[0].method("svgd")->trials) {
    EXPECT_THAT(trial.error,
                testing::HasSubstr("algorithm.alone: is 10 for 'svgd' and there are 10 agents; allowed: 0 to 9"));
  }
}

}  // namespace
}  // namespace fedstein
