// SPDX-License-Identifier: Apache-2.0
// A table with names and words in it: what its model remembers when new files come.
#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "apps/program.h"
#include "support/pack.h"

namespace fedstein {
namespace {

using Json = nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr int kPeople = 240;

int age_of(int i) {
  return 20 + (i * 37) % 60;
}
const char* sex_of(int i) {
  return i % 3 == 0 ? "female" : "male";
}
bool is_ill(int i) {
  return age_of(i) + (i % 3 == 0 ? 12 : 0) + (i * 29) % 31 > 68;
}

class PredictTable : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<TemporaryFolder>();
    std::string table = "id,age,sex,ill,dose\n";
    for (int i = 0; i < kPeople; ++i) {
      table += "p" + std::to_string(i) + "," + std::to_string(age_of(i)) + "," + sex_of(i) + "," +
               (is_ill(i) ? "yes" : "no") + "," + std::to_string(0.5 * age_of(i) + (i * 53) % 17) + "\n";
    }
    folder_->write("people.csv", table);
    run("ill", "ignore = [\"id\", \"dose\"]", "c-dsvgd", "");
    run("dose",
        "ignore = [\"id\", \"ill\"]",
        "dsvgd",
        "[model]\ntype = \"bnn-regression\"\n[hyperparameters]\nparticles = 4\nlocal_steps = 50\n");
  }
  static void TearDownTestSuite() { folder_.reset(); }

  static void run(const std::string& label,
                  const std::string& more,
                  const std::string& method,
                  const std::string& settings) {
    folder_->write(label + ".toml",
                   "[experiment]\nname = \"" + label + "\"\ndataset = \"people.csv\"\nagents = 2\n[data]\nlabel = \"" +
                       label + "\"\n" + more + "\n[federation]\nrounds = 10\n" + settings + "[[algorithm]]\ntype = \"" +
                       method + "\"\n");
    const Finished finished = fedstein_in(*folder_, {"run", label + ".toml"});
    ASSERT_EQ(finished.code, 0) << finished.errors;
  }
  static Finished fedstein(const std::vector<std::string>& arguments) { return fedstein_in(*folder_, arguments); }
  static Finished predict(const std::string& text, const std::vector<std::string>& more = {}) {
    folder_->write("new.csv", text);
    std::vector<std::string> arguments = {"predict", kIll, "new.csv"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return fedstein(arguments);
  }

  static constexpr const char* kIll = "runs/ill/posteriors/c-dsvgd-1.fedstein";
  static constexpr const char* kDose = "runs/dose/posteriors/dsvgd-1.fedstein";
  static inline std::unique_ptr<TemporaryFolder> folder_;
};

TEST_F(PredictTable, ColumnsAreFoundByTheirNamesAndAnswersAreWords) {
  const Finished plain = predict("age,sex\n25,male\n70,female\n");
  EXPECT_EQ(plain.code, 0) << plain.errors;
  EXPECT_THAT(plain.output, StartsWith("row,label,confidence,p(no),p(yes),total,aleatoric,epistemic,unusual\n1,no,"));
  EXPECT_THAT(plain.output, HasSubstr("\n2,yes,"));
  EXPECT_EQ(predict("sex;ill;age;id\nmale;;25;x\nfemale;yes;70;y\n").output, plain.output);
  EXPECT_EQ(predict(gzipped("sex,age\nmale,25\nfemale,70\n")).output, plain.output);
  EXPECT_EQ(predict("age,sex,shoe\n25,male,43\n70,female,38\n", {"--ignore", "shoe"}).output, plain.output);
}

TEST_F(PredictTable, OtherColumnsAreRefusedByTheirNames) {
  const Finished missing = predict("age,gender\n25,male\n");
  EXPECT_EQ(missing.code, 65);
  EXPECT_EQ(missing.output, "");
  EXPECT_THAT(missing.errors, AllOf(StartsWith("fedstein: new.csv:1: "), HasSubstr("'sex'"), HasSubstr("'gender'")));
  const Finished bare = predict("25,male\n70,female\n");
  EXPECT_EQ(bare.code, 65) << "without names nobody could see that columns were exchanged";
  EXPECT_THAT(bare.errors, HasSubstr("the first line holds '25', 'male', none of the names that are known"));
  const Finished exchanged = predict("age,sex\nmale,25\n");
  EXPECT_EQ(exchanged.code, 65);
  EXPECT_THAT(exchanged.errors, AllOf(HasSubstr("new.csv:2"), HasSubstr("'age'"), HasSubstr("'male'")));
  EXPECT_EQ(predict("age,sex\n25,male\n", {"--header"}).code, 64);
}

TEST_F(PredictTable, WhatTrainingNeverSawIsUnusualAndAbstains) {
  const Finished csv = predict("age,sex\n40,male\n1e30,male\n40,diverse\n", {"--abstain-above", "0.7"});
  EXPECT_EQ(csv.code, 0) << csv.errors;
  EXPECT_THAT(csv.output,
              AllOf(HasSubstr("epistemic,unusual,abstain\n1,"), HasSubstr(",0,0\n2,"), HasSubstr(",1,1\n3,")));
  const Finished json = predict("age,sex\n1e30,diverse\n", {"--format", "json", "--abstain-above", "0.7"});
  const Json row = Json::parse(json.output);
  EXPECT_EQ(row["unusual"], Json::array({"sex", "age"}));
  EXPECT_EQ(row["abstain"], true);
}

// A model that goes on in a straight line would be sure of an age of 1e30.
TEST_F(PredictTable, FarFromTrainingNobodyIsSure) {
  const auto row_of = [&](const std::string& text, const std::vector<std::string>& more) {
    std::vector<std::string> words = {"--format", "json"};
    words.insert(words.end(), more.begin(), more.end());
    const Finished ended = predict(text, words);
    EXPECT_EQ(ended.code, 0) << ended.errors;
    return std::pair(Json::parse(ended.output), ended.errors);
  };
  const auto [far, told] = row_of("age,sex\n1e30,male\n", {});
  EXPECT_LT(far["confidence"], 1);
  EXPECT_GT(far["total"], 0);
  EXPECT_GT(far["epistemic"], 0);
  EXPECT_EQ(far["unusual"], Json::array({"age"}));
  EXPECT_THAT(told, HasSubstr("note: new.csv:2: far outside the training data in 'age'; predicted as at the edge"));
  const auto [nearer, told_too] = row_of("age,sex\n1e4,male\n", {});
  EXPECT_EQ(nearer["probabilities"], far["probabilities"]) << "both are predicted as the same edge";
  const auto [usual, nothing] = row_of("age,sex\n90,male\n", {});
  EXPECT_EQ(usual["unusual"], Json::array());
  EXPECT_EQ(nothing, "");
  const auto [straight, quiet] = row_of("age,sex\n1e30,male\n", {"--extrapolate"});
  EXPECT_EQ(straight["confidence"], 1);
  EXPECT_EQ(straight["unusual"], Json::array({"age"}));
  EXPECT_EQ(quiet, "");
}

TEST_F(PredictTable, SkipsBadRowsWhenToldTo) {
  const std::string text = "age,sex\n40,male\nold,male\n,female\n50,female\n";
  const Finished strict = predict(text);
  EXPECT_EQ(strict.code, 65);
  EXPECT_THAT(strict.errors, AllOf(HasSubstr("new.csv:3"), HasSubstr("'age'"), HasSubstr("'old'")));
  const Finished skipping = predict(text, {"--skip-bad-rows"});
  EXPECT_EQ(skipping.code, 0) << skipping.errors;
  EXPECT_THAT(skipping.output, AllOf(HasSubstr("\n1,"), HasSubstr("\n4,"), Not(HasSubstr("\n2,"))));
  EXPECT_THAT(skipping.errors,
              AllOf(HasSubstr("left out: new.csv:3"),
                    HasSubstr("left out: new.csv:4"),
                    HasSubstr("2 rows left out, 2 answered")));
  const Finished nothing = predict("age,sex\nold,male\nolder,male\n", {"--skip-bad-rows"});
  EXPECT_EQ(nothing.code, 65);
  EXPECT_THAT(nothing.errors, HasSubstr("all 2 rows were left out"));
}

TEST_F(PredictTable, EvaluatesAndCalibratesInTheFilesWords) {
  const Json judged = Json::parse(fedstein({"evaluate", kIll, "people.csv", "--json"}).output);
  EXPECT_EQ(judged["rows"], kPeople);
  EXPECT_GT(judged["figures"]["accuracy"], 0.75);
  EXPECT_EQ(judged["classes"][1]["name"], "yes");
  const Finished calibrated = fedstein({"calibrate", kIll, "people.csv", "-o", "warm.fedstein"});
  EXPECT_EQ(calibrated.code, 0) << calibrated.errors;
  folder_->write("new.csv", "age,sex\n40,male\n");
  EXPECT_EQ(fedstein({"predict", "warm.fedstein", "new.csv"}).code, 0) << "the columns are remembered";
  EXPECT_EQ(Json::parse(fedstein({"summary", "warm.fedstein", "--json"}).output)["intervals_from"], "curvature");
  folder_->write("words.csv", "age,sex,ill\n40,male,perhaps\n");
  const Finished strange = fedstein({"evaluate", kIll, "words.csv"});
  EXPECT_EQ(strange.code, 65);
  EXPECT_THAT(strange.errors, AllOf(HasSubstr("words.csv:2"), HasSubstr("'perhaps'")));
}

TEST_F(PredictTable, RegressionsHaveQuantiles) {
  folder_->write("new.csv", "age,sex\n30,male\n70,female\n");
  const Finished standard = fedstein({"predict", kDose, "new.csv", "--format", "json"});
  EXPECT_EQ(standard.code, 0) << standard.errors;
  const Json row = Json::parse(standard.output.substr(0, standard.output.find('\n')));
  EXPECT_LT(row["q05"], row["q50"]);
  EXPECT_LT(row["q50"], row["q95"]);
  EXPECT_NEAR(row["q50"].get<double>(), row["mean"].get<double>(), row["deviation"].get<double>());
  const Finished own = fedstein({"predict", kDose, "new.csv", "--quantiles", "0.25,0.999"});
  EXPECT_THAT(own.output, StartsWith("row,mean,deviation,aleatoric,epistemic,q25,q99.9,unusual\n"));
  EXPECT_EQ(fedstein({"predict", kIll, "new.csv", "--quantiles", "0.5"}).code, 64);
}

TEST_F(PredictTable, SummaryReadsCoefficientsInTheColumnsUnits) {
  const Finished text = fedstein({"summary", kIll});
  EXPECT_EQ(text.code, 0) << text.errors;
  EXPECT_THAT(text.output,
              AllOf(HasSubstr("Log odds that ill is yes, not no"),
                    HasSubstr("(intercept)"),
                    HasSubstr("sex=male"),
                    HasSubstr("odds ratio"),
                    HasSubstr("the posterior's curvature on all training rows"),
                    HasSubstr("effectively different")));
  const Json json = Json::parse(fedstein({"summary", kIll, "--json"}).output);
  EXPECT_EQ(json["intervals_from"], "curvature");
  ASSERT_EQ(json["coefficients"].size(), 3U);
  const Json& age = json["coefficients"][1];
  EXPECT_EQ(age["name"], "age");
  EXPECT_GT(age["low"], 0.05) << "per year: that the old are ill more often is beyond doubt";
  EXPECT_LT(age["high"], 1);
  EXPECT_GT(age["above_zero"], 0.999);
  EXPECT_NEAR(age["odds_ratio"]["value"].get<double>(), std::exp(age["mean"].get<double>()), 1e-9);
  EXPECT_LT(json["coefficients"][2]["high"], 0) << "men less often than women";
  EXPECT_EQ(json["features"][0]["least"], 20);
  EXPECT_EQ(json["features"][0]["greatest"], 79);
  const Finished network = fedstein({"summary", kDose});
  EXPECT_EQ(network.code, 0) << network.errors;
  EXPECT_THAT(network.output,
              AllOf(HasSubstr("none of which says anything by itself"), HasSubstr("Trained on"), HasSubstr("age")));
}

}  // namespace
}  // namespace fedstein
