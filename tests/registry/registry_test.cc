// SPDX-License-Identifier: Apache-2.0
#include "fedstein/registry/registry.h"

#include <gtest/gtest.h>

#include "fedstein/data/error.h"
#include "fedstein/methods/methods.h"
#include "fedstein/methods/registry.h"
#include "fedstein/model/bnn_regression.h"
#include "fedstein/posterior/calibrate.h"
#include "fedstein/posterior/posterior_file.h"
#include "fedstein/posterior/predictor.h"
#include "support/close.h"
#include "support/random_matrix.h"
#include "support/temporary_folder.h"
#include "support/throws.h"

namespace fedstein {
namespace {

// A regression of somebody's own, without the settings that ours have.
ModelType small_network() {
  return {.name = "small-network",
          .summary = "a network of somebody's own",
          .labels = {LabelKind::kRegression},
          .settings = {{.key = "units", .standard = Index{3}, .help = "hidden units", .least = 1}},
          .make = [](const Settings& given, const ModelShape& shape) -> std::unique_ptr<Model> {
            const BnnRegression::Options options{.inputs = shape.features, .hidden = given.integer("units")};
            return std::make_unique<BnnRegression>(options);
          }};
}

Algorithm own_method() {
  Algorithm method = methods::dsvgd({.particles = 3});
  method.name = "own-method";
  return method;
}

TEST(Registry, StandardHoldsAllOfOurs) {
  const Registry& standard = Registry::standard();
  ASSERT_EQ(standard.algorithms().size(), algorithms().size());
  for (const Algorithm& algorithm : algorithms()) EXPECT_EQ(standard.algorithm(algorithm.name).name, algorithm.name);
  EXPECT_EQ(standard.model_types().size(), 9U);
  EXPECT_EQ(standard.usual_model_type(LabelKind::kBinary)->name, "logistic-regression");
  EXPECT_EQ(standard.usual_model_type(LabelKind::kMulticlass)->name, "bnn-classification");
  EXPECT_EQ(standard.usual_model_type(LabelKind::kRegression)->name, "bnn-regression");
  EXPECT_EQ(standard.usual_model_type(LabelKind::kCounts)->name, "negative-binomial-regression");
  EXPECT_EQ(standard.usual_model_type(LabelKind::kDensity), nullptr);
  EXPECT_EQ(Registry().usual_model_type(LabelKind::kBinary), nullptr);
}

TEST(Registry, FindsWhatWasAddedAndMovesNothing) {
  Registry registry = Registry::standard();
  const Algorithm* dsvgd = registry.find_algorithm("dsvgd");
  const ModelType* logistic = registry.find_model_type("logistic-regression");
  registry.add(own_method()).add(small_network());
  for (int i = 0; i < 100; ++i) {
    Algorithm more = own_method();
    more.name += std::to_string(i);
    ModelType type = small_network();
    type.name += std::to_string(i);
    registry.add(more).add(type);
  }
  EXPECT_EQ(registry.find_algorithm("dsvgd"), dsvgd);
  EXPECT_EQ(registry.find_model_type("logistic-regression"), logistic);
  EXPECT_EQ(registry.algorithm("own-method").name, "own-method");
  EXPECT_EQ(registry.model_type("small-network99").settings.size(), 1U);
  EXPECT_EQ(Registry::standard().find_algorithm("own-method"), nullptr);
}

TEST(Registry, NamesWhatThereIsWhenSomethingIsNot) {
  EXPECT_THROW_MESSAGE(Registry::standard().algorithm("dsgvd"),
                       UnknownName,
                       "unknown algorithm 'dsgvd'; did you mean 'dsvgd' or 'dsgld'? allowed: dsvgd, dsgld");
  EXPECT_THROW_MESSAGE(
      Registry::standard().model_type("logistic"),
      UnknownName,
      "there is no model type 'logistic'; did you mean 'logistic-regression'? allowed: logistic-regression, bnn");
  const Registry empty;
  EXPECT_THROW_MESSAGE(empty.model_type("logistic"), UnknownName, "allowed: none");
}

TEST(Registry, RefusesWhatCouldNotBeNamedOrMade) {
  Registry registry = Registry::standard();
  EXPECT_THROW_MESSAGE(registry.add(methods::dsvgd()), InvalidArgument, "there is a method 'dsvgd' already");
  ModelType type = small_network();
  registry.add(type);
  EXPECT_THROW_MESSAGE(registry.add(type), InvalidArgument, "there is a model type 'small-network' already");
  for (const char* name : {"", "Own", "two words", "a.b", "a\nb"}) {
    type.name = name;
    EXPECT_THROW_MESSAGE(registry.add(type), InvalidArgument, "allowed: lower-case letters, digits, - and _");
  }
  type.name = "unmade";
  type.make = nullptr;
  EXPECT_THROW_MESSAGE(registry.add(type), InvalidArgument, "the model type 'unmade' lacks make");
  type = small_network();
  type.name = "unlabelled";
  type.labels.clear();
  EXPECT_THROW_MESSAGE(registry.add(type), InvalidArgument, "it must say what it can learn from");
  type = small_network();
  type.name = "doubled";
  type.settings.push_back(type.settings.front());
  EXPECT_THROW_MESSAGE(registry.add(type), InvalidArgument, "the key 'units' is defined twice");
  Algorithm method = own_method();
  method.make_agent = nullptr;
  EXPECT_THROW_MESSAGE(registry.add(method), InvalidArgument, "'own-method' lacks make_server or make_agent");
  method = own_method();
  method.settings.front().standard = Index{-1};
  EXPECT_THROW_MESSAGE(
      registry.add(method), InvalidArgument, "default -1 of particles; allowed: an integer of at least 1");
  EXPECT_EQ(registry.find_algorithm("own-method"), nullptr);
  EXPECT_EQ(registry.model_types().size(), 10U);
}

class OwnPosterior : public testing::Test {
 protected:
  OwnPosterior() {
    registry_.add(small_network());
    posterior_.type = "small-network";
    posterior_.settings = Settings(registry_.model_type("small-network").settings);
    posterior_.settings.set("units", Index{4});
    posterior_.shape = {.features = 2, .classes = 0, .labels = LabelKind::kRegression};
    posterior_.scaling = {.rule = ScalingRule::kNone, .shift = DoubleVector::Zero(2), .spread = DoubleVector::Ones(2)};
    posterior_.particles = random_matrix(5, make_model(posterior_, registry_)->dimension(), 1);
  }
  Registry registry_ = Registry::standard();
  Posterior posterior_;
};

TEST_F(OwnPosterior, ComesBackFromItsFileAndPredicts) {
  const TemporaryFolder folder;
  const std::string path = folder.path("own.fedstein");
  save_posterior(posterior_, path, posterior_output(), registry_);
  const Posterior back = load_posterior(path, registry_);
  EXPECT_EQ(back.settings.integer("units"), 4);
  EXPECT_TRUE(identical(back.particles, posterior_.particles));

  const Predictor predictor(back, registry_);
  const Matrix x = random_matrix(6, 2, 2);
  const RowPredictions found = predictor.predict(x);
  EXPECT_EQ(found.mean, Predictor(posterior_, registry_).predict(x).mean);
  EXPECT_GT(found.total.minCoeff(), 0);
  EXPECT_FALSE(predictor.can_be_tempered());
  Dataset rows;
  rows.x = x;
  rows.y = Vector::Zero(6);
  rows.labels = LabelKind::kRegression;
  EXPECT_THROW_MESSAGE(calibrate(predictor, rows), InvalidArgument, "a regression of your own");
}

TEST_F(OwnPosterior, IsRefusedWithoutItsRegistry) {
  const TemporaryFolder folder;
  const std::string path = folder.path("own.fedstein");
  const char* sentence = "there is no model type 'small-network'; allowed: logistic-regression, bnn-regression";
  EXPECT_THROW_MESSAGE(save_posterior(posterior_, path), InvalidArgument, sentence);
  save_posterior(posterior_, path, posterior_output(), registry_);
  EXPECT_THROW_MESSAGE(load_posterior(path), DataError, sentence);
  EXPECT_THROW_MESSAGE(load_posterior(path), DataError, "the posterior is of a model that is not known here");
  EXPECT_THROW_MESSAGE(Predictor(load_posterior(path, registry_)), InvalidArgument, sentence);
}

// What is found lives in the registry.
template <typename Where>
constexpr bool kCanFind = requires(Where&& where) {
  std::forward<Where>(where).algorithm("dsvgd");
};
static_assert(kCanFind<const Registry&>);
static_assert(!kCanFind<Registry>);

}  // namespace
}  // namespace fedstein
