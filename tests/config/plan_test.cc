// SPDX-License-Identifier: Apache-2.0
// What is made from a plan: models, schedulers, the estimate, the text of --dry-run.
#include "fedstein/config/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/documents.h"
#include "fedstein/model/classifier.h"
#include "fedstein/numeric/check.h"
#include "fedstein/registry/registry.h"
#include "support/throws.h"

namespace fedstein {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

ModelPlan model(const std::string& type, LabelKind labels) {
  return {.type = type, .labels = labels, .settings = Settings(Registry::standard().find_model_type(type)->settings)};
}

TEST(MakeModel, HasTheShapeOfTheDataset) {
  EXPECT_EQ(make_model(model("logistic-regression", LabelKind::kBinary), 54, 2)->dimension(), 55);
  EXPECT_EQ(make_model(model("bnn-regression", LabelKind::kRegression), 8, 0)->dimension(), 9 * 50 + 51 + 1);
  EXPECT_EQ(make_model(model("bnn-classification", LabelKind::kMulticlass), 784, 10)->dimension(), 79510);
  EXPECT_EQ(make_model(model("gaussian-mixture-1d", LabelKind::kDensity), 0, 0)->dimension(), 1);
  EXPECT_EQ(make_model(model("gaussian-mixture-2d", LabelKind::kDensity), 0, 0)->dimension(), 2);
}

TEST(MakeModel, TakesItsSettings) {
  ModelPlan plan = model("logistic-regression", LabelKind::kBinary);
  EXPECT_EQ(make_model(plan, 4, 2)->dimension(), 5) << "an intercept";
  plan.settings.set("prior", std::string("gamma"));
  EXPECT_EQ(make_model(plan, 4, 2)->dimension(), 6) << "and a log precision";
  plan.settings.set("intercept", false);
  EXPECT_EQ(make_model(plan, 4, 2)->dimension(), 5);
  ModelPlan toy = model("gaussian-mixture-1d", LabelKind::kDensity);
  EXPECT_NE(make_model(toy, 0, 0)->support(), nullptr);
  toy.settings.set("prior", std::string("normal"));
  EXPECT_EQ(make_model(toy, 0, 0)->support(), nullptr);
}

// The loss must live as long as the model that borrows it; the sanitizers see it if it does not.
TEST(MakeModel, OwnsALossThatIsNotTheDefault) {
  const Matrix x = Matrix::Constant(3, 2, 0.5_r);
  const Vector y = Vector::Constant(3, 1);
  for (const char* type : {"logistic-regression", "bnn-classification"}) {
    ModelPlan plan = model(type, LabelKind::kBinary);
    const auto plain = make_model(plan, 2, 2);
    plan.settings.set("loss", std::string("beta"));
    const auto robust = make_model(plan, 2, 2);
    const Matrix theta = Matrix::Constant(1, plain->dimension(), 0.3_r);
    EXPECT_NE(plain->log_likelihood(theta, {x, y})(0), robust->log_likelihood(theta, {x, y})(0)) << type;
  }
  ModelPlan plan = model("bnn-regression", LabelKind::kRegression);
  plan.settings.set("loss", std::string("student"));
  const auto robust = make_model(plan, 2, 0);
  EXPECT_TRUE(std::isfinite(robust->log_likelihood(Matrix::Constant(1, robust->dimension(), 0.1_r), {x, y})(0)));
}

TEST(MakeModel, WritesTheClassesOfABinarySetAsItDoes) {
  const auto binary = make_model(model("bnn-classification", LabelKind::kBinary), 3, 2);
  const auto indexed = make_model(model("bnn-classification", LabelKind::kMulticlass), 3, 2);
  EXPECT_EQ(dynamic_cast<const Classifier&>(*binary).label_of(0), -1);
  EXPECT_EQ(dynamic_cast<const Classifier&>(*indexed).label_of(0), 0);
}

TEST(MakeScheduler, MakesEachKind) {
  const std::vector<Index> rows = {0, 5, 0, 0};
  EXPECT_THAT(make_scheduler({.kind = "round-robin"}, rows, 1)->pick(3), ElementsAre(2));
  EXPECT_EQ(make_scheduler({.kind = "random"}, rows, 1)->pick(1).size(), 1U);
  EXPECT_EQ(make_scheduler({.kind = "fraction", .fraction = 0.5}, rows, 1)->pick(1).size(), 2U);
  EXPECT_THAT(make_scheduler({.kind = "weighted"}, rows, 1)->pick(1), ElementsAre(1));  // the only one with rows
  EXPECT_THAT(make_scheduler({.kind = "all"}, rows, 1)->pick(1), ElementsAre(0, 1, 2, 3));
  EXPECT_THROW_MESSAGE(make_scheduler({.kind = "some"}, rows, 1), InvalidArgument, "there is no scheduler 'some'");
}

const std::string kDocument =
    "[experiment]\nname = \"sizes\"\ndataset = \"twonorm\"\nagents = 10\ntrials = 3\n[federation]\nrounds = 5\n"
    "[[algorithm]]\ntype = \"dsvgd\"\nlocal_steps = 20\n[[algorithm]]\ntype = \"svgd\"\nlocal_steps = 20\n"
    "[[algorithm]]\ntype = \"fedavg\"\nscheduler = \"fraction\"\nfraction = 0.4\nlocal_steps = 10\n";

TEST(Estimate, CountsJobsRoundsStepsAndBytes) {
  const WorkEstimate work = estimate(parsed(kDocument));
  EXPECT_EQ(work.jobs, 9);
  EXPECT_EQ(work.rounds, 45);
  EXPECT_EQ(work.local_steps, 3 * (5 * 20 + 5 * 20 + 5 * 4 * 10));
  const double weights = 21 * sizeof(Real);  // d = 20 features and an intercept
  EXPECT_EQ(work.bytes, 2 * 3 * (5 * 6 * weights + 5 * 4 * weights));
}

TEST(Describe, SaysWhatWillRunAndMarksWhatIsNotTheDefault) {
  const std::string text = describe(parsed(kDocument));
  for (const char* part : {"sizes\ntrials 3, seed 1\n",
                           "Cases (1)",
                           "logistic-regression  prior=normal  prior_deviation=0  prior_shape=1",
                           "Methods of all cases\n  label               dsvgd        svgd         fedavg\n",
                           "  scheduler           round-robin  centralised  fraction 0.4\n",
                           "  local_steps         20*          20*          10*\n",
                           "  particles           6            6            -\n",
                           "Estimate: 9 jobs, 45 rounds, 1.2k local steps, "}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
}

}  // namespace
}  // namespace fedstein
