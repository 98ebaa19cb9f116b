// SPDX-License-Identifier: Apache-2.0
#include "fedstein/experiment/job_details.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "experiment/small_experiment.h"
#include "support/close.h"
#include "support/random_matrix.h"
#include "support/temporary_folder.h"

namespace fedstein {
namespace {

using Json = nlohmann::json;

TEST(Guess, OfClassesIsTheirFrequencies) {
  TrialData data;
  data.classes = 2;
  data.y = Vector{{1, 1, 1, -1, 1, 1}};
  data.test_y = Vector{{1, -1, 1, 1}};
  const auto guess = guess_figures(LabelKind::kBinary, data);
  EXPECT_EQ(guess.at("accuracy"), 0.75);
  // Five and one rows of six, and one more of each class.
  EXPECT_TRUE(close(guess.at("log_likelihood"), (3 * std::log(6.0 / 8) + std::log(2.0 / 8)) / 4));
}

TEST(Guess, AClassThatNobodyLearnedIsImprobableNotImpossible) {
  TrialData data;
  data.classes = 3;
  data.y = Vector{{0, 0, 1}};
  data.test_y = Vector{{2}};
  EXPECT_TRUE(close(guess_figures(LabelKind::kMulticlass, data).at("log_likelihood"), std::log(1.0 / 6)));
  EXPECT_EQ(guess_figures(LabelKind::kMulticlass, data).at("accuracy"), 0);
  data.test_y.resize(0);
  EXPECT_TRUE(guess_figures(LabelKind::kMulticlass, data).empty());
}

TEST(Guess, OfTargetsIsTheirNormalDistributionInTheirOwnUnit) {
  TrialData data;
  data.y = Vector{{-1, 1}};  // mean 0, variance 1, of targets that were divided by 10
  data.test_y = Vector{{2, -2}};
  data.target_deviation = 10;
  const auto guess = guess_figures(LabelKind::kRegression, data);
  EXPECT_TRUE(close(guess.at("rmse"), 20));
  EXPECT_TRUE(close(guess.at("log_likelihood"), -0.5 * std::log(2 * std::numbers::pi) - 2 - std::log(10.0)));
  EXPECT_FALSE(guess_figures(LabelKind::kCounts, data).contains("log_likelihood"));
}

// y = 50 + 7 (a - b + noise), with features of sizes that no model could take unscaled.
std::string own_rows() {
  const Matrix noise = random_matrix(900, 3, 5);
  std::string out = "big,small,target\n";
  for (const auto& row : noise.rowwise()) {
    const double signal = static_cast<double>(row(0) - row(1)) + 0.3 * static_cast<double>(row(2));
    out += std::to_string(1000 + 300 * static_cast<double>(row(0))) + "," +
           std::to_string(0.001 * static_cast<double>(row(1))) + "," + std::to_string(50 + 7 * signal) + "\n";
  }
  return out;
}

struct Finished {
  explicit Finished(const Plan& plan) : store(folder.path("store"), RunStore::Mode::kWrite) {
    const RunId run = begin_run(plan, store, "fedstein run own.toml");
    DataShelf shelf("");
    execute(plan, store, run, shelf, {.threads = 2, .posterior_folder = folder.path("posteriors")});
    result = load_results(store);
  }
  std::map<std::string, Json> details(std::size_t method, std::size_t trial) const {
    std::map<std::string, Json> out;
    for (const auto& [name, text] : store.details(result.cases[0].methods[method].trials[trial].job)) {
      out[name] = Json::parse(text);
    }
    return out;
  }

  TemporaryFolder folder;
  RunStore store;
  RunResult result;
};

std::string regression(const std::string& file, const std::string& model) {
  return "[experiment]\nname = \"own\"\ndataset = \"" + file +
         "\"\nagents = 3\ntrials = 2\n[data]\nlabel = \"target\"\n" + "[model]\ntype = \"" + model +
         "\"\n[federation]\nrounds = 80\n[hyperparameters]\nparticles = 5\n[[algorithm]]\ntype = \"c-dsvgd\"\n";
}

TEST(JobDetails, ARegressionLeavesPredictionsCoverageAndCoefficients) {
  const TemporaryFolder folder;
  const std::string file = folder.write("own.csv", own_rows());
  const Finished run(parse_plan(regression(file, "linear-regression"), "own.toml", {}));
  const auto first = run.details(0, 0);
  const auto second = run.details(0, 1);
  EXPECT_EQ(first.at(kRowsDetail)["training"].get<int>() + first.at(kRowsDetail)["test"].get<int>(), 900);
  EXPECT_EQ(first.at(kRowsDetail)["agents"], 3);
  EXPECT_FALSE(first.contains(kAbstentionDetail));
  EXPECT_FALSE(first.contains(kSpreadDetail));

  // The interval of 95 % is the one of the figure `coverage`.
  const std::map<std::string, double>& figures = run.result.cases[0].methods[0].trials[0].rounds.back().figures;
  bool found = false;
  double before = 0;
  for (const Json& point : first.at(kCoverageDetail)) {
    if (point[0] == 0.95) found = point[1] == figures.at("coverage");
    EXPECT_GE(point[1].get<double>(), before) << "a wider interval holds no fewer";
    before = point[1];
  }
  EXPECT_TRUE(found);

  // Predictions are in the target's own unit, those of one trial, and no more than are needed for a cloud.
  const Json& predicted = first.at(kPredictedDetail);
  EXPECT_EQ(predicted.size(), std::min<std::size_t>(200, first.at(kRowsDetail)["test"].get<std::size_t>()));
  double squares = 0;
  double inside = 0;
  for (const Json& point : predicted) {
    const double mean = point[0];
    squares += std::pow(mean - point[3].get<double>(), 2) / static_cast<double>(predicted.size());
    inside += point[1] <= point[3] && point[3] <= point[2] ? 1 : 0;
    EXPECT_LT(point[1].get<double>(), mean);
    EXPECT_GT(point[2].get<double>(), mean);
  }
  EXPECT_NEAR(std::sqrt(squares), figures.at("rmse"), 0.2 * figures.at("rmse"));
  EXPECT_NEAR(inside / static_cast<double>(predicted.size()), 0.9, 0.08);
  EXPECT_TRUE(second.contains(kCoverageDetail));
  EXPECT_TRUE(second.contains(kGuessDetail));
  EXPECT_FALSE(second.contains(kPredictedDetail)) << "one trial's rows are enough";

  // Slopes in the columns' units: 7 / 300 of `big`, -7000 of `small`.
  const Json& rows = first.at(kCoefficientsDetail)["rows"];
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0]["name"], "(intercept)");
  EXPECT_TRUE(rows[0]["deviation"].is_null());
  EXPECT_EQ(rows[1]["name"], "big");
  EXPECT_NEAR(rows[1]["mean"].get<double>(), 7.0 / 300, 0.1 * 7 / 300);
  EXPECT_NEAR(rows[2]["mean"].get<double>(), -7000, 700);
  EXPECT_LT(rows[2]["low"].get<double>(), rows[2]["mean"].get<double>());
  EXPECT_NEAR(rows[2]["deviation"].get<double>(), 0.001, 2e-4);
}

TEST(JobDetails, ANetworkLeavesItsParticlesSpreadByLayer) {
  const TemporaryFolder folder;
  const std::string file = folder.write("own.csv", own_rows());
  const Plan plan = parse_plan(
      regression(file, "bnn-regression"), "own.toml", {.overrides = {"model.hidden=[4, 3]", "federation.rounds=5"}});
  const Finished run(plan);
  const Json layers = run.details(0, 0).at(kSpreadDetail);
  ASSERT_EQ(layers.size(), 6U);
  EXPECT_EQ(layers[0]["name"], "layer 1, weights");
  EXPECT_EQ(layers[0]["parameters"], 2 * 4);
  EXPECT_EQ(layers[5]["name"], "outputs, biases");
  const TrialResult& trial = run.result.cases[0].methods[0].trials[0];
  const Particles particles = run.store.particles(trial.job, trial.rounds.back().round);
  const DoubleMatrix weights = particles.leftCols(8).cast<double>();
  double variance = 0;
  for (Index k = 0; k < 8; ++k) variance += (weights.col(k).array() - weights.col(k).mean()).square().sum() / 4 / 8;
  EXPECT_TRUE(close(layers[0]["spread"].get<double>(), std::sqrt(variance)));
  EXPECT_FALSE(run.details(0, 0).contains(kCoefficientsDetail));
}

TEST(JobDetails, AClassifierLeavesWhatAbstainingBuys) {
  const Plan plan = small_plan({"evaluation.abstention=[0.1, 0.4]"});
  const Finished run(plan);
  const auto details = run.details(0, 1);
  const std::map<std::string, double>& figures = run.result.cases[0].methods[0].trials[1].rounds.back().figures;
  std::map<double, double> answered;
  for (const Json& point : details.at(kAbstentionDetail)) answered[point[0]] = point[1];
  EXPECT_TRUE(close(answered.at(0), figures.at("accuracy")));
  EXPECT_EQ(answered.at(0.1), figures.at("answered@0.1"));
  EXPECT_EQ(answered.at(0.4), figures.at("answered@0.4"));
  EXPECT_FALSE(details.contains(kPredictedDetail));
  EXPECT_TRUE(run.details(0, 0).contains(kCoefficientsDetail));
}

Posterior logistic_posterior(Index features) {
  Posterior posterior;
  posterior.type = "logistic-regression";
  posterior.settings = Settings(Registry::standard().find_model_type("logistic-regression")->settings);
  posterior.shape = {.features = features, .classes = 2, .labels = LabelKind::kBinary};
  posterior.class_names = {"-1", "1"};
  posterior.scaling.shift = DoubleVector::Zero(features);
  posterior.scaling.spread = DoubleVector::Ones(features);
  posterior.particles = random_matrix(20, make_model(posterior)->dimension(), 3);
  for (Index k = 0; k < features; ++k) posterior.particles.col(k).array() += static_cast<Real>(k);
  return posterior;
}

TEST(JobDetails, OfManyCoefficientsThoseFurthestFromZeroAreKept) {
  const Json found = Json::parse(coefficients_detail(logistic_posterior(100), Registry::standard()));
  EXPECT_EQ(found["rows"].size(), static_cast<std::size_t>(kMostCoefficients));
  EXPECT_EQ(found["count"], 101);
  EXPECT_EQ(found["of_posterior"], false);
  EXPECT_EQ(found["particles"], 20);
  EXPECT_TRUE(found["ksd"].is_null()) << "without a covariance there is no Gaussian to be beside";
  EXPECT_GT(found["rows"][5]["sd"].get<double>(), 0);
  EXPECT_GE(found["rows"][5]["above_zero"].get<double>(), 0);
  EXPECT_TRUE(coefficients_detail(logistic_posterior(1000), Registry::standard()).empty()) << "nobody reads so many";
}

TEST(JobDetails, NothingIsSaidOfParticlesThatAreNotFinite) {
  const Plan plan = small_plan();
  DataShelf shelf("");
  const auto data = shelf.trial(plan.cases[0], 1);
  Job job{&plan.cases[0], &plan.cases[0].algorithms[0], 1, 1};
  Particles particles = Particles::Zero(3, data->model->dimension());
  EXPECT_FALSE(job_details(job, *data, particles).empty());
  particles(1, 0) = std::numeric_limits<Real>::quiet_NaN();
  EXPECT_TRUE(job_details(job, *data, particles).empty());
}

}  // namespace
}  // namespace fedstein
