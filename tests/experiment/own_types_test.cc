// SPDX-License-Identifier: Apache-2.0
// A model and a method of somebody's own, from the name in a TOML file to the prediction from a posterior file.
#include <gtest/gtest.h>

#include "experiment/own_types.h"
#include "experiment/small_experiment.h"
#include "fedstein/config/definitions.h"
#include "fedstein/config/reference.h"
#include "fedstein/data/error.h"
#include "fedstein/experiment/trial_data.h"
#include "fedstein/posterior/posterior_file.h"
#include "fedstein/posterior/predictor.h"
#include "support/close.h"
#include "support/temporary_folder.h"
#include "support/throws.h"

namespace fedstein {
namespace {

constexpr const char* kDocument = R"(
[experiment]
name = "own"
preset = "paper"
dataset = "feature-skew"
agents = 4
trials = 1

[model]
type = "flat-logistic"
flatness = 10

[federation]
rounds = 5

[[algorithm]]
type = "gradient"
rate = 2
scheduler = "all"

[[algorithm]]
type = "dsvgd"
particles = 3
local_steps = 4
)";

class OwnTypes : public testing::Test {
 protected:
  Plan plan(std::vector<std::string> overrides = {}) const {
    return parse_plan(
        kDocument, "own.toml", {.check_data = false, .overrides = std::move(overrides), .registry = &registry_});
  }
  std::string mistakes(const std::vector<std::string>& overrides) const {
    try {
      plan(overrides);
    } catch (const BadConfiguration& error) {
      return error.what();
    }
    return "none";
  }
  Registry registry_ = own_registry();
};

TEST_F(OwnTypes, AreReadFromAConfigurationWithTheirSettings) {
  const Plan plan = this->plan();
  const CasePlan& setting = plan.cases.at(0);
  EXPECT_EQ(setting.model.type, "flat-logistic");
  EXPECT_EQ(setting.model.settings.number("flatness"), 10);
  EXPECT_EQ(setting.algorithms.at(0).method, registry_.find_algorithm("gradient"));
  EXPECT_EQ(setting.algorithms[0].settings.number("rate"), 2);
  EXPECT_EQ(plan.registry, &registry_);
  EXPECT_NE(make_model(setting.model, 4, 2), nullptr);
  EXPECT_EQ(to_json(parse_plan(plan.document, "again", {.check_data = false, .registry = &registry_})), to_json(plan));
}

TEST_F(OwnTypes, GetTheSentencesThatOursGet) {
  EXPECT_NE(mistakes({"model.flatness=0"}).find("model.flatness is 0; allowed: a number above 0"), std::string::npos);
  EXPECT_NE(mistakes({"algorithm.gradient.rate=-1"}).find("rate is -1; allowed: a number above 0"), std::string::npos);
  EXPECT_NE(mistakes({"model.flatnes=1"}).find("flatness"), std::string::npos);
  const std::string unknown = mistakes({"model.type=\"flat\""});
  EXPECT_NE(unknown.find("one of logistic-regression"), std::string::npos) << unknown;
  EXPECT_NE(unknown.find("flat-logistic"), std::string::npos) << unknown;
}

TEST_F(OwnTypes, AreUnknownWithoutTheirRegistry) {
  try {
    parse_plan(kDocument, "own.toml", {.check_data = false});
    FAIL() << "accepted";
  } catch (const BadConfiguration& error) {
    const std::string all = error.what();
    EXPECT_NE(all.find("model.type is 'flat-logistic'; allowed: one of logistic-regression"), std::string::npos) << all;
    EXPECT_NE(all.find("algorithm.type is 'gradient'; allowed: one of c-dsvgd, svgd, dsvgd"), std::string::npos) << all;
  }
}

TEST_F(OwnTypes, AreInTheSchemaAndTheReferenceOfTheirRegistry) {
  for (const std::string& text : {configuration_schema(registry_), configuration_reference(registry_)}) {
    EXPECT_NE(text.find("flat-logistic"), std::string::npos);
    EXPECT_NE(text.find("a method of somebody's own") == std::string::npos,
              text.find("A method of somebody's own") == std::string::npos);
  }
  EXPECT_EQ(configuration_schema().find("flat-logistic"), std::string::npos);
}

TEST_F(OwnTypes, MayNotTakeAKeyOfTheTable) {
  Algorithm method = gradient_method();
  method.name = "rounder";
  method.settings.front().key = "rounds";
  registry_.add(method);
  EXPECT_THROW_MESSAGE(
      Definitions{registry_}, InvalidArgument, "'rounder' has a setting 'rounds', which its table has already");
}

TEST_F(OwnTypes, RunAreSavedAndPredict) {
  const TemporaryFolder folder;
  const Plan plan = this->plan();
  RunStore store(folder.path("store"), RunStore::Mode::kWrite);
  const RunId run = begin_run(plan, store, "");
  DataShelf shelf("");
  const ExecuteOptions options{.threads = 1, .posterior_folder = folder.path("posteriors")};
  ASSERT_EQ(execute(plan, store, run, shelf, options).failed_jobs, 0);

  const RunResult result = load_results(store, run, registry_);
  for (const MethodResult& method : result.cases.at(0).methods) {
    const std::string path = folder.path("posteriors/" + method.label + "-1.fedstein");
    EXPECT_THROW_MESSAGE(load_posterior(path), DataError, "there is no model type 'flat-logistic'; allowed: ");
    const Predictor predictor(load_posterior(path, registry_), registry_);
    EXPECT_EQ(predictor.posterior().facts.method, method.method);
    EXPECT_EQ(predictor.posterior().settings.number("flatness"), 10);
    const Dataset rows = load_planned(plan.cases[0].dataset, {}, trial_seed(plan.seed, 1));
    const RowPredictions found = predictor.predict(rows.x);
    Index right = 0;
    for (Index i = 0; i < rows.y.size(); ++i) right += (found.probabilities(i, 1) > 0.5_r) == (rows.y(i) > 0);
    EXPECT_GT(static_cast<double>(right), 0.6 * static_cast<double>(rows.y.size())) << method.label;
  }
  EXPECT_THROW(load_results(store, run), BadConfiguration);
}

}  // namespace
}  // namespace fedstein
