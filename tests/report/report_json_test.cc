// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cmath>

#include "fedstein/experiment/standing.h"
#include "fedstein/metrics/calibration.h"
#include "fedstein/numeric/config.h"
#include "report/finished_run.h"

namespace fedstein {
namespace {

using testing::HasSubstr;
using Json = nlohmann::json;

const Json& series_of(const Json& run, const std::string& algorithm) {
  for (const Json& one : run["series"]) {
    if (one["algorithm"] == algorithm) return one;
  }
  throw std::runtime_error("no series " + algorithm);
}

// To the six digits that the report keeps.
testing::Matcher<double> about(double value) {
  return testing::DoubleNear(value, 1e-5 * std::max(1e-3, std::abs(value)));
}

TEST(ReportJson, SaysWhatWasRun) {
  const FinishedRun finished(small_plan({"experiment.seed=9007199254740993"}));
  const Json report = Json::parse(finished.text());
  EXPECT_EQ(report["format"], kReportFormat);
  EXPECT_EQ(report["generated"], "2025-03-01T12:00:00Z");
  EXPECT_EQ(report["version"], FEDSTEIN_VERSION);
  const Json& run = report["runs"][0];
  EXPECT_EQ(run["name"], "small");
  EXPECT_EQ(run["seed"], "9007199254740993");
  EXPECT_EQ(run["trials"], 2);
  EXPECT_EQ(run["command"], "fedstein run small.toml");
  EXPECT_THAT(run["document"].get<std::string>(), HasSubstr("feature-skew"));
  EXPECT_TRUE(run["configuration"].is_object());
  EXPECT_TRUE(run["host"].contains("processor"));
  EXPECT_FALSE(run["finished"].get<std::string>().empty());
  EXPECT_EQ(run["cases"][0]["agents"], 10);
  EXPECT_EQ(run["cases"][0]["dataset"], "feature-skew");
}

TEST(ReportJson, CurvesAreTheStoresMeansAndErrors) {
  const FinishedRun finished(small_plan());
  const RunResult result = finished.result();
  const Json run = finished.json();
  ASSERT_EQ(run["series"].size(), 3U);
  for (const MethodResult& method : result.cases[0].methods) {
    const Json& series = series_of(run, method.label);
    EXPECT_EQ(series["rounds"], (Json{2, 4, 6}));
    EXPECT_EQ(series["centralised"], method.centralised);
    EXPECT_EQ(series["figures"].contains("collapsed"), false);
    for (const char* figure : {"accuracy", "log_likelihood", "ece", "mce", "brier"}) {
      for (std::size_t i = 0; i < 3; ++i) {
        const Estimate expected = at_round(method, figure, static_cast<Index>(2 * (i + 1)));
        EXPECT_THAT(series["figures"][figure]["mean"][i].get<double>(), about(expected.mean)) << figure;
        EXPECT_NEAR(series["figures"][figure]["error"][i].get<double>(), expected.error, 1e-2 * expected.error + 1e-12);
      }
    }
    EXPECT_EQ(series["bytes"][2], static_cast<std::int64_t>(bytes_until(method, 6))) << method.label;
    EXPECT_EQ(series["bytes"][0], static_cast<std::int64_t>(bytes_until(method, 2)));
    EXPECT_EQ(series["activity"].is_null(), method.centralised);
  }
  const Json& activity = series_of(run, "dsvgd")["activity"];
  EXPECT_EQ(activity["rounds"], (Json{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(activity["folded"][3], Json{3});
}

TEST(ReportJson, OneTrialHasNoErrorsAndOneParticleNoSpread) {
  const Json run = FinishedRun(small_plan({"experiment.trials=1"})).json();
  for (const Json& error : series_of(run, "dsvgd")["figures"]["accuracy"]["error"]) EXPECT_TRUE(error.is_null());
  EXPECT_TRUE(series_of(run, "dsvgd")["figures"].contains("spread"));
  EXPECT_FALSE(series_of(run, "fedavg")["figures"].contains("spread"));
}

TEST(ReportJson, ReliabilityIsSummedOverTrials) {
  const FinishedRun finished(small_plan());
  const RunResult result = finished.result();
  const Json run = finished.json();
  ASSERT_EQ(run["reliability"].size(), 3U);
  for (std::size_t m = 0; m < 3; ++m) {
    const Json& diagram = run["reliability"][m];
    EXPECT_EQ(diagram["algorithm"], result.cases[0].methods[m].label);
    EXPECT_EQ(diagram["round"], 6);
    ReliabilityBins sum;
    for (const TrialResult& trial : result.cases[0].methods[m].trials) {
      sum += ReliabilityBins::from_bins(finished.store().reliability(trial.job).at(0).bins);
    }
    for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(diagram["bins"][i]["count"], sum.bins()[i].count);
    EXPECT_THAT(diagram["ece"].get<double>(), about(sum.expected_error()));
    EXPECT_THAT(diagram["mce"].get<double>(), about(sum.maximum_error()));
  }
}

TEST(ReportJson, TheComparisonIsThatOfCompare) {
  const FinishedRun finished(small_plan());
  const Comparison expected = compare(finished.result());
  const Json comparison = finished.json()["comparison"];
  EXPECT_EQ(comparison["figures"], expected.figures);
  ASSERT_EQ(comparison["rows"].size(), expected.rows.size());
  for (std::size_t i = 0; i < expected.rows.size(); ++i) {
    const Json& row = comparison["rows"][i];
    EXPECT_EQ(row["algorithm"], expected.rows[i].label);
    EXPECT_EQ(row["rounds"], expected.rows[i].rounds);
    EXPECT_THAT(row["figures"]["accuracy"][0].get<double>(), about(expected.rows[i].final_figures.at("accuracy").mean));
    EXPECT_EQ(row["verdict"]["kind"], name_of(expected.rows[i].verdict.worst.kind));
    EXPECT_EQ(row["verdict"]["text"], expected.rows[i].verdict.text());
    EXPECT_EQ(row["rounds_to_target"].is_null(), !expected.rows[i].rounds_to_target.has_value());
  }
}

TEST(ReportJson, ACaseSaysWhatWasAskedAndWhoIsAhead) {
  const FinishedRun finished(small_plan());
  const Json one = finished.json()["cases"][0];
  EXPECT_EQ(one["model"], "logistic-regression");
  EXPECT_EQ(one["split"], "whole groups of rows to agents");
  EXPECT_EQ(one["rows"]["agents"], 10);
  EXPECT_EQ(one["rows"]["classes"], 2);
  EXPECT_GT(one["rows"]["training"].get<int>(), 0);
  const Standing expected = standing_of(finished.result().cases[0]).value();
  EXPECT_EQ(one["standing"]["figure"], "log_likelihood");
  ASSERT_EQ(one["standing"]["ranked"].size(), 2U);
  EXPECT_EQ(one["standing"]["ranked"][0]["algorithm"], expected.ranked[0].label);
  EXPECT_THAT(one["standing"]["ranked"][0]["value"][0].get<double>(), about(expected.ranked[0].value.mean));
  EXPECT_THAT(one["standing"]["margin"][0].get<double>(), about(expected.margin->mean));
  EXPECT_NEAR(one["standing"]["margin"][1].get<double>(), expected.margin->error, 1e-2 * expected.margin->error);
  EXPECT_EQ(one["standing"]["trials"], 2);
  EXPECT_EQ(one["standing"]["beside"][0]["algorithm"], "svgd");
  EXPECT_GT(one["guess"]["accuracy"][0].get<double>(), 0.3);
  EXPECT_LT(one["guess"]["log_likelihood"][0].get<double>(), -0.3);

  const Json single = FinishedRun(small_plan({"experiment.trials=1"})).json()["cases"][0]["standing"];
  EXPECT_TRUE(single["margin"][0].is_number());
  EXPECT_TRUE(single["margin"][1].is_null()) << "one trial has no standard error";
}

// Who is served has files that nobody here divided, and its rows were never seen.
TEST(ReportJson, TheSplitOfAFederationOfOwnFilesIsTheirs) {
  const TemporaryFolder folder;
  std::string rows = "a,b,ill\n";
  for (int i = 0; i < 40; ++i)
    rows += std::to_string(i) + "," + std::to_string(i % 7) + (i % 2 == 0 ? ",no\n" : ",yes\n");
  const Plan plan = parse_plan("[experiment]\nname = \"own\"\ndataset = \"" + folder.write("own.csv", rows) +
                                   "\"\nagents = 2\n[data]\nlabel = \"ill\"\n[[algorithm]]\ntype = \"c-dsvgd\"\n",
                               "own.toml",
                               {});
  for (const auto& [verb, split] :
       {std::pair("run", "rows at random, equal shares"), {"serve", "each agent's own rows"}}) {
    RunStore store(folder.path(verb), RunStore::Mode::kWrite);
    begin_run(plan, store, std::string("fedstein ") + verb + " own.toml");
    const std::string text = report_json({{.store = &store, .result = load_results(store)}}, "");
    const Json one = Json::parse(text)["runs"][0]["cases"][0];
    EXPECT_EQ(one["split"], split);
    EXPECT_TRUE(one["rows"].is_null());
    EXPECT_TRUE(one["standing"].is_null());
    EXPECT_TRUE(one["guess"].is_null());
  }
}

TEST(ReportJson, AbstentionIsAMeanOverTrialsAndCoefficientsAreTheFirsts) {
  const FinishedRun finished(small_plan());
  const RunResult result = finished.result();
  const Json run = finished.json();
  ASSERT_EQ(run["abstention"].size(), 3U);
  for (std::size_t m = 0; m < 3; ++m) {
    const Json& curve = run["abstention"][m];
    EXPECT_EQ(curve["algorithm"], result.cases[0].methods[m].label);
    EXPECT_EQ(curve["shares"][0], 0);
    const Estimate accuracy = at_round(result.cases[0].methods[m], "accuracy");
    EXPECT_THAT(curve["accuracy"]["mean"][0].get<double>(), about(accuracy.mean));
    EXPECT_NEAR(curve["accuracy"]["error"][0].get<double>(), accuracy.error, 1e-2 * accuracy.error + 1e-12);
  }
  ASSERT_EQ(run["coefficients"].size(), 3U);
  const Json& coefficients = run["coefficients"][0];
  EXPECT_EQ(coefficients["link"], "log-odds");
  EXPECT_EQ(coefficients["rows"][0]["name"], "(intercept)");
  EXPECT_EQ(coefficients["count"], coefficients["rows"].size());
  EXPECT_GT(coefficients["particles"].get<double>(), 0);
  for (const char* figure : {"sd", "above_zero"}) EXPECT_TRUE(coefficients["rows"][1][figure].is_number()) << figure;
  for (const char* none : {"predicted", "coverage", "layers"}) EXPECT_EQ(run[none], Json::array()) << none;
}

TEST(ReportJson, DetailsThatCannotBeReadAreLeftOut) {
  const TemporaryFolder folder;
  RunStore store(folder.path("store"), RunStore::Mode::kWrite);
  begin_run(small_plan(), store, "fedstein run small.toml");
  const JobId job = store.jobs(store.runs().back().id).front().id;
  for (const char* text : {"{", "7", "[[1]]", "[[\"a\",2]]", R"({"rows":7})", R"([{"name":1}])"}) {
    for (const char* name : {"rows", "guess", "abstention", "coverage", "predicted", "spread", "coefficients"}) {
      store.write_detail(job, name, text);
    }
    store.flush();
    EXPECT_NO_THROW(report_json({{.store = &store, .result = load_results(store)}}, "")) << text;
  }
  store.write_detail(job, "abstention", std::string(100000, '['));
  store.flush();
  EXPECT_NO_THROW(report_json({{.store = &store, .result = load_results(store)}}, ""));
}

TEST(ReportJson, ClaimsAreThoseThatTheCallerChecked) {
  const FinishedRun finished(small_plan());
  EXPECT_EQ(finished.json()["claims"], Json::array());
  const Json claims = Json::parse(finished.text({{"C1", "a claim", "0.1 and 0.2", false}}))["runs"][0]["claims"];
  EXPECT_EQ(claims,
            (Json{{{"name", "C1"},
                   {"claim", "a claim"},
                   {"settings", "paper"},
                   {"figures", "0.1 and 0.2"},
                   {"holds", false}}}));
}

// What a run can go through: an agent that fails, a trial that ends early, a collapse.
TEST(ReportJson, MishapsAreTold) {
  const TemporaryFolder folder;
  RunStore store(folder.path("store"), RunStore::Mode::kWrite);
  const Plan plan = small_plan();
  begin_run(plan, store, "fedstein run small.toml");
  const std::vector<StoredJob> jobs = store.jobs(store.runs().back().id);
  for (const StoredJob& job : jobs) {
    if (job.facts.algorithm != "dsvgd") continue;
    for (Index round = 1; round <= (job.facts.trial == 1 ? 4 : 2); ++round) {
      RoundRecord record{.round = round, .scheduled = {round}, .folded = {round}, .spread = 0.1};
      record.figures = {{"accuracy", 0.5 + 0.1 * static_cast<double>(round)}, {"collapsed", 1.0}};
      if (round == 2) record.failures.push_back({2, 7, Failure::Kind::kTimedOut, "no reply"});
      if (round == 1) record.figures["log_likelihood"] = std::nan("");
      store.write_round(job.id, record);
    }
    if (job.facts.trial == 2) store.finish_job(job.id, "it broke");
  }
  store.flush();
  const Json run =
      Json::parse(report_json({{.store = &store, .result = load_results(store)}}, "2025-03-01T12:00:00Z"))["runs"][0];
  const Json& series = series_of(run, "dsvgd");
  // Rounds 3 and 4 are of one trial only: the mean would jump.
  EXPECT_EQ(series["rounds"], (Json{1, 2}));
  EXPECT_EQ(series["figures"]["accuracy"]["mean"], (Json{0.6, 0.7}));
  EXPECT_EQ(series["figures"]["log_likelihood"]["mean"], (Json{nullptr, nullptr}));
  EXPECT_EQ(series["failures"].size(), 2U);
  EXPECT_EQ(series["failures"][0]["agent"], 7);
  EXPECT_EQ(series["failures"][0]["reason"], "no reply");
  EXPECT_EQ(series["errors"], (Json{{{"trial", 2}, {"error", "it broke"}}}));
  EXPECT_EQ(run["finished"], "");
  // Its verdict tells of something worse; had it been the collapse, it would not be said twice.
  EXPECT_EQ(run["comparison"]["rows"][0]["verdict"]["kind"], "diverging");
  ASSERT_EQ(run["warnings"].size(), 1U);
  EXPECT_THAT(run["warnings"][0].get<std::string>(), HasSubstr("collapsed in 2 of 2 trials"));
  EXPECT_EQ(run["cases"][0]["standing"]["left_out"], Json{"dsvgd"});
  EXPECT_EQ(series_of(run, "svgd")["rounds"], Json::array());
}

TEST(ReportJson, NamesThatAreNotUtf8AreReplacedNotRefused) {
  const FinishedRun finished(small_plan({"experiment.trials=1"}));
  RunResult result = finished.result();
  result.run.facts.title = "broken \xff name";
  const std::string text = report_json({{.store = &finished.store(), .result = result}}, "");
  EXPECT_THAT(text, HasSubstr("broken \xef\xbf\xbd name"));
}

}  // namespace
}  // namespace fedstein
