// SPDX-License-Identifier: Apache-2.0
// Models that leave the lab: from a run to predictions, as a user does it.
#include <gmock/gmock.h>
#include <poll.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "apps/program.h"
#include "fedstein/numeric/config.h"

namespace fedstein {
namespace {

using Json = nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

constexpr int kRows = 200;

// Two features of different size; the label is the sign of the first, with a few exceptions.
std::string feature_line(int i) {
  const int a = (i * 37) % 101 - 50;
  const int b = (i * 53) % 97;
  return std::to_string(1000 + a) + "," + std::to_string(0.01 * b);
}
std::string labelled_line(int i) {
  const bool positive = (i * 37) % 101 > 50;
  return feature_line(i) + (positive != (i % 17 == 0) ? ",1" : ",-1");
}

class Predict : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<TemporaryFolder>();
    std::string features;
    std::string labelled;
    for (int i = 0; i < kRows; ++i) {
      features += feature_line(i) + "\n";
      labelled += labelled_line(i) + "\n";
    }
    folder_->write("features.csv", features);
    folder_->write("labelled.csv", labelled);
    folder_->write("own.toml",
                   "[experiment]\nname = \"own\"\npreset = \"paper\"\ndataset = \"labelled.csv\"\nscaling = "
                   "\"standardise\"\nagents = 2\n"
                   "trials = 2\n[federation]\nrounds = 8\n[[algorithm]]\ntype = \"dsvgd\"\nparticles = 4\n"
                   "local_steps = 100\nstart = \"near-zero\"\n");
    const Finished run = fedstein_in(*folder_, {"run", "own.toml"});
    ASSERT_EQ(run.code, 0) << run.errors;
  }
  static void TearDownTestSuite() { folder_.reset(); }

  static Finished fedstein(const std::vector<std::string>& arguments) { return fedstein_in(*folder_, arguments); }
  static std::size_t lines(const std::string& text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  }

  static constexpr const char* kModel = "runs/own/posteriors/dsvgd-1.fedstein";
  static inline std::unique_ptr<TemporaryFolder> folder_;
};

TEST_F(Predict, CsvHasAHeaderAndALinePerRow) {
  const Finished csv = fedstein({"predict", kModel, "features.csv", "--abstain-above", "0.3"});
  EXPECT_EQ(csv.code, 0) << csv.errors;
  EXPECT_THAT(csv.output, StartsWith("row,label,confidence,p(-1),p(1),total,aleatoric,epistemic,unusual,abstain\n1,"));
  EXPECT_EQ(lines(csv.output), kRows + 1U);
  EXPECT_THAT(csv.output, AllOf(HasSubstr(",1\n"), HasSubstr(",0\n")));
  // The labels of labelled.csv are known to be labels, and a file appears whole.
  const Finished file =
      fedstein({"predict", kModel, "labelled.csv", "--abstain-above", "0.3", "-o", "out/predictions.csv"});
  EXPECT_EQ(file.code, 0) << file.errors;
  EXPECT_EQ(read_text(folder_->path("out/predictions.csv")), csv.output);
}

TEST_F(Predict, JsonIsAnObjectALineAndAddsUp) {
  const Finished json = fedstein({"predict", kModel, "features.csv", "--format", "json", "--abstain-above", "0.2"});
  std::istringstream stream(json.output);
  std::string line;
  int rows = 0;
  for (; std::getline(stream, line); ++rows) {
    const Json one = Json::parse(line);
    EXPECT_EQ(one["row"], rows + 1);
    EXPECT_NEAR(one["total"].get<double>(), one["aleatoric"].get<double>() + one["epistemic"].get<double>(), 1e-6);
    EXPECT_EQ(one["abstain"].get<bool>(), one["total"].get<double>() > 0.2);
    const std::string label = one["label"];
    EXPECT_EQ(one["probabilities"][label], one["confidence"]);
    EXPECT_FALSE(one["probabilities"].empty());
  }
  EXPECT_EQ(rows, kRows);
}

TEST_F(Predict, BadRowsAreNamedByTheirLineAfterTheGoodOnes) {
  folder_->write("bad.csv", feature_line(0) + "\n" + feature_line(1) + "\n1,nan\n" + feature_line(2) + "\n");
  const Finished nan = fedstein({"predict", kModel, "bad.csv"});
  EXPECT_EQ(nan.code, 65);
  EXPECT_EQ(lines(nan.output), 3U) << "a header and the two rows before";
  EXPECT_THAT(nan.errors, AllOf(StartsWith("fedstein: bad.csv:3: "), HasSubstr("column 1 (from 0)")));
  folder_->write("wide.csv", "1,2,3,4\n");
  const Finished wide = fedstein({"predict", kModel, "wide.csv"});
  EXPECT_EQ(wide.code, 65);
  EXPECT_EQ(wide.output, "");
  EXPECT_THAT(wide.errors,
              AllOf(StartsWith("fedstein: wide.csv:1: found 4 columns; expected the 2"), HasSubstr("all 3")));
  const Finished whole = fedstein({"predict", kModel, "bad.csv", "-o", "never.csv"});
  EXPECT_EQ(whole.code, 65);
  EXPECT_FALSE(std::filesystem::exists(folder_->path("never.csv")));
}

TEST_F(Predict, ForeignAndDamagedModelsAreRefused) {
  const Finished foreign = fedstein({"predict", "own.toml", "features.csv"});
  EXPECT_EQ(foreign.code, 65);
  EXPECT_THAT(foreign.errors, StartsWith("fedstein: own.toml: this is no posterior file of fedstein"));
  std::string bytes = read_text(folder_->path(kModel));
  folder_->write("cut.fedstein", bytes.substr(0, bytes.size() - 40));
  EXPECT_THAT(fedstein({"predict", "cut.fedstein", "features.csv"}).errors, HasSubstr("is cut short"));
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  folder_->write("damaged.fedstein", bytes);
  EXPECT_THAT(fedstein({"evaluate", "damaged.fedstein", "labelled.csv"}).errors, HasSubstr("is damaged"));
  EXPECT_EQ(fedstein({"predict", "nowhere.fedstein", "features.csv"}).code, 66);
  EXPECT_EQ(fedstein({"predict", kModel, "nowhere.csv"}).code, 66);
}

// A row that is piped in is answered before the next one comes.
TEST_F(Predict, AnswersAStreamRowByRow) {
  int to_child[2];
  int from_child[2];
  ASSERT_EQ(pipe(to_child), 0);
  ASSERT_EQ(pipe(from_child), 0);
  const std::string model = folder_->path(kModel);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    dup2(to_child[0], STDIN_FILENO);
    dup2(from_child[1], STDOUT_FILENO);
    for (const int end : {to_child[0], to_child[1], from_child[0], from_child[1]}) close(end);
    execl(FEDSTEIN_PROGRAM, FEDSTEIN_PROGRAM, "predict", model.c_str(), "-", "--format", "json", nullptr);
    _exit(127);
  }
  close(to_child[0]);
  close(from_child[1]);
  std::string answers;
  for (int row = 1; row <= 3; ++row) {
    const std::string line = feature_line(row) + "\n";
    ASSERT_EQ(write(to_child[1], line.data(), line.size()), static_cast<ssize_t>(line.size()));
    while (lines(answers) < static_cast<std::size_t>(row)) {
      pollfd ready{.fd = from_child[0], .events = POLLIN, .revents = 0};
      ASSERT_EQ(poll(&ready, 1, 60'000), 1) << "no answer to row " << row;
      char block[4096];
      const ssize_t got = read(from_child[0], block, sizeof block);
      ASSERT_GT(got, 0);
      answers.append(block, static_cast<std::size_t>(got));
    }
  }
  close(to_child[1]);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  close(from_child[0]);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(lines(answers), 3U);
}

TEST_F(Predict, EvaluateJudgesAndItsThresholdsWork) {
  const Finished text = fedstein({"evaluate", kModel, "labelled.csv"});
  EXPECT_EQ(text.code, 0) << text.errors;
  EXPECT_THAT(text.output,
              AllOf(StartsWith("dsvgd, 8 rounds, 2 agents, 160 rows of labelled.csv; logistic-regression, 4 particles"),
                    HasSubstr("accuracy"),
                    HasSubstr("f1"),
                    HasSubstr("Reliability"),
                    HasSubstr("Risk and coverage")));
  const Json json = Json::parse(fedstein({"evaluate", kModel, "labelled.csv", "--json", "--abstain", "0.3"}).output);
  EXPECT_EQ(json["rows"], kRows);
  EXPECT_GT(json["figures"]["accuracy"], 0.8);
  const Json point = json["risk_coverage"]["points"][0];
  const Finished flagged = fedstein(
      {"predict", kModel, "features.csv", "--abstain-above", std::to_string(point["threshold"].get<double>() + 1e-6)});
  const double share = static_cast<double>(lines(flagged.output) - 1) * point["abstained"].get<double>();
  std::size_t ones = 0;
  for (std::size_t at = 0; (at = flagged.output.find(",1\n", at)) != std::string::npos; ++at) ++ones;
  EXPECT_NEAR(static_cast<double>(ones), share, 1.5);
  const Finished narrow = fedstein({"evaluate", kModel, "features.csv"});
  EXPECT_EQ(narrow.code, 65);
  EXPECT_THAT(narrow.errors, HasSubstr("features.csv"));
  const Finished told = fedstein({"evaluate", kModel, "features.csv", "--label", "1"});
  EXPECT_EQ(told.code, 64);
  EXPECT_THAT(told.errors, HasSubstr("the model remembers what its columns are; leave --label out"));
}

TEST_F(Predict, CalibrateStoresATemperature) {
  const Finished run = fedstein({"calibrate", kModel, "labelled.csv", "-o", "warm.fedstein", "--json"});
  EXPECT_EQ(run.code, 0) << run.errors;
  const Json found = Json::parse(run.output);
  EXPECT_GE(found["log_likelihood"], found["log_likelihood_before"]);
  const Json judged = Json::parse(fedstein({"evaluate", "warm.fedstein", "labelled.csv", "--json"}).output);
  EXPECT_EQ(judged["temperature"], found["temperature"]);
  EXPECT_NEAR(judged["figures"]["log_likelihood"].get<double>(), found["log_likelihood"].get<double>(), 1e-9);
}

TEST_F(Predict, ExportWritesThePosteriorsOfAllTrials) {
  const Finished run = fedstein({"export", "runs/own", "--format", "posterior", "-o", "all"});
  EXPECT_EQ(run.code, 0) << run.errors;
  EXPECT_EQ(run.output, "all/dsvgd-1.fedstein\nall/dsvgd-2.fedstein\n");
  EXPECT_EQ(read_text(folder_->path("all/dsvgd-1.fedstein")), read_text(folder_->path(kModel)));
  EXPECT_NE(read_text(folder_->path("all/dsvgd-2.fedstein")), read_text(folder_->path(kModel)));
  EXPECT_EQ(fedstein({"export", "runs/own", "--format", "posterior"}).code, 64);
}

}  // namespace
}  // namespace fedstein
