// SPDX-License-Identifier: Apache-2.0
// Options as C++ types and the same settings by text are the same algorithm, to the bit.
#include <gtest/gtest.h>

#include "fedstein/algorithm/federation.h"
#include "fedstein/methods/c_dsvgd.h"
#include "fedstein/methods/dsgld.h"
#include "fedstein/methods/ensemble.h"
#include "fedstein/methods/fald.h"
#include "fedstein/methods/fedbe.h"
#include "fedstein/methods/feddyn.h"
#include "fedstein/methods/fedep.h"
#include "fedstein/methods/fednova.h"
#include "fedstein/methods/fedopt.h"
#include "fedstein/methods/fedpa.h"
#include "fedstein/methods/fedprox.h"
#include "fedstein/methods/fedsgd.h"
#include "fedstein/methods/fsgld.h"
#include "fedstein/methods/methods.h"
#include "fedstein/methods/mime.h"
#include "fedstein/methods/npv.h"
#include "fedstein/methods/p_dsvgd.h"
#include "fedstein/methods/pmd.h"
#include "fedstein/methods/pvi.h"
#include "fedstein/methods/registry.h"
#include "fedstein/methods/scaffold.h"
#include "fedstein/methods/scaffold_m.h"
#include "fedstein/methods/sdsvgd.h"
#include "fedstein/methods/sgld.h"
#include "fedstein/methods/svgd.h"
#include "fedstein/methods/u_dsvgd.h"
#include "fedstein/methods/vr_fald.h"
#include "fedstein/numeric/check.h"
#include "methods/model_worlds.h"
#include "support/close.h"
#include "support/throws.h"

namespace fedstein {
namespace {

struct Pair {
  Algorithm typed;
  std::vector<std::string> texts;  // KEY=VALUE
};

std::ostream& operator<<(std::ostream& out, const Pair& pair) {
  return out << pair.typed.name;
}

std::vector<Pair> pairs() {
  return {
      {methods::svgd({.particles = 4, .local_steps = 3, .step_rule = "adam", .learning_rate = 0.02}),
       {"particles=4", "local_steps=3", "step_rule=adam", "learning_rate=0.02"}},
      {methods::dsvgd(
           {.particles = 4, .local_steps = 3, .temperature = 2, .distillation = "svgd", .distillation_steps = 5}),
       {"particles=4", "local_steps=3", "temperature=2", "distillation=svgd", "distillation_steps=5"}},
      {methods::dsvgd({.local_steps = 3, .factor = "curvature", .trust = 1.5, .score_rows = 5}),
       {"local_steps=3", "factor=curvature", "trust=1.5", "score_rows=5"}},
      {methods::u_dsvgd({.local_steps = 3, .batch = 5, .kde_bandwidth = 0.4, .kernel_bandwidth = "original"}),
       {"local_steps=3", "batch=5", "kde_bandwidth=0.4", "kernel_bandwidth=original"}},
      {methods::p_dsvgd({.local_steps = 3, .ridge = 0.01, .fold = "svgd", .damping = 0.25, .server_steps = 4}),
       {"local_steps=3", "ridge=0.01", "fold=svgd", "damping=0.25", "server_steps=4"}},
      {methods::sgld({.local_steps = 3, .a0 = 0.02, .noise = "released", .chain_batches = "shared"}),
       {"local_steps=3", "a0=0.02", "noise=released", "chain_batches=shared"}},
      {methods::dsgld({.local_steps = 3, .scale_by_particles = true, .shard_weight = "agents"}),
       {"local_steps=3", "scale_by_particles=true", "shard_weight=agents"}},
      {methods::fsgld({.local_steps = 3, .start = "near-zero", .surrogate_steps = 20}),
       {"local_steps=3", "start=near-zero", "surrogate_steps=20"}},
      {methods::fedavg({.local_steps = 3, .epsilon = 1e-6, .momentum = 0.5, .prior = true, .weighting = "released"}),
       {"local_steps=3", "epsilon=1e-6", "momentum=0.5", "prior=true", "weighting=released"}},
      {methods::fedsgd({.step_rule = "plain", .learning_rate = 0.3, .start = "prior"}),
       {"step_rule=plain", "learning_rate=0.3", "start=prior"}},
      {methods::fedbe(
           {.local_steps = 3, .samples = 3, .deviation_scale = 0.1, .distillation_epochs = 2, .swa_cycle = 2}),
       {"local_steps=3", "samples=3", "deviation_scale=0.1", "distillation_epochs=2", "swa_cycle=2"}},
      {methods::fedprox({.local_steps = 3, .mu = 0.5}), {"local_steps=3", "mu=0.5"}},
      {methods::c_dsvgd({.particles = 3, .local_steps = 3, .kernel = "none", .step = 0.1}),
       {"particles=3", "local_steps=3", "kernel=none", "step=0.1"}},
      {methods::c_dsvgd({.step = 0.01, .step_control = false, .preconditioner = false}),
       {"step=0.01", "step_control=false", "preconditioner=false"}},
      {methods::scaffold({.local_steps = 3, .weighting = "uniform", .server_rate = 0.5}),
       {"local_steps=3", "weighting=uniform", "server_rate=0.5"}},
      {methods::scaffold_m({.local_steps = 3, .weighting = "uniform", .server_rate = 0.5, .beta = 0.4}),
       {"local_steps=3", "weighting=uniform", "server_rate=0.5", "beta=0.4"}},
      {methods::fedadagrad({.local_steps = 3, .server_rate = 0.2, .beta1 = 0.5, .tau = 0.01}),
       {"local_steps=3", "server_rate=0.2", "beta1=0.5", "tau=0.01"}},
      {methods::fedadam({.local_steps = 3, .weighting = "uniform", .beta1 = 0.5, .beta2 = 0.9}),
       {"local_steps=3", "weighting=uniform", "beta1=0.5", "beta2=0.9"}},
      {methods::fedyogi({.local_steps = 3, .server_rate = 0.2, .beta2 = 0.9, .tau = 0.01}),
       {"local_steps=3", "server_rate=0.2", "beta2=0.9", "tau=0.01"}},
      {methods::fednova({.batch = 3, .weighting = "uniform", .local_epochs = 2}),
       {"batch=3", "weighting=uniform", "local_epochs=2"}},
      {methods::feddyn({.local_steps = 3, .weighting = "uniform", .alpha = 0.5}),
       {"local_steps=3", "weighting=uniform", "alpha=0.5"}},
      {methods::mime({.local_steps = 3, .momentum = 0.5, .weighting = "uniform", .lite = true}),
       {"local_steps=3", "momentum=0.5", "weighting=uniform", "lite=true"}},
      {methods::pvi({.particles = 7, .local_steps = 3, .rate = 0.2, .pairs = 2, .damping = 0.3}),
       {"particles=7", "local_steps=3", "rate=0.2", "pairs=2", "damping=0.3"}},
      {methods::gvi({.local_steps = 3, .covariance = "diagonal", .start = "draw"}),
       {"local_steps=3", "covariance=diagonal", "start=draw"}},
      {methods::pmd({.local_steps = 3, .step = 0.1, .step_decay = 0.2, .bandwidth = 0.4, .bandwidth_decay = 0.1}),
       {"local_steps=3", "step=0.1", "step_decay=0.2", "bandwidth=0.4", "bandwidth_decay=0.1"}},
      {methods::npv({.particles = 3, .local_steps = 2, .rows = 11, .start_deviation = 0.5}),
       {"particles=3", "local_steps=2", "rows=11", "start_deviation=0.5"}},
      {methods::p_dsvgd({.local_steps = 3, .fold = "barycentre"}), {"local_steps=3", "fold=barycentre"}},
      {methods::ensemble({.particles = 3, .member = "scaffold", .local_steps = 3, .step_rule = "plain"}),
       {"particles=3", "member=scaffold", "local_steps=3", "step_rule=plain"}},
      {methods::fald({.local_steps = 3, .a0 = 0.02, .chain_batches = "shared", .shared_noise = 0.5}),
       {"local_steps=3", "a0=0.02", "chain_batches=shared", "shared_noise=0.5"}},
      {methods::vr_fald({.particles = 4, .local_steps = 3, .shared_noise = 0.25, .refresh = 2}),
       {"particles=4", "local_steps=3", "shared_noise=0.25", "refresh=2"}},
      {methods::fedpa({.local_steps = 8, .samples = 3, .shrinkage = 0.5, .burn_in_rounds = 1, .server_rate = 0.5}),
       {"local_steps=8", "samples=3", "shrinkage=0.5", "burn_in_rounds=1", "server_rate=0.5"}},
      {methods::fedep({.particles = 7, .local_steps = 3, .pairs = 2, .start = "draw", .damping = 0.3}),
       {"particles=7", "local_steps=3", "pairs=2", "start=draw", "damping=0.3"}},
      {methods::sdsvgd({.particles = 4, .local_steps = 3, .damping = 0.3, .distillation_steps = 5}),
       {"particles=4", "local_steps=3", "damping=0.3", "distillation_steps=5"}},
  };
}

class Typed : public testing::TestWithParam<Pair> {
 protected:
  Federation federation(const Algorithm& algorithm, const Settings& settings) const {
    const std::vector<Batch> all = {{world_.x, world_.y}};
    return Federation(algorithm,
                      settings,
                      *world_.model,
                      algorithm.centralised ? all : world_.shards(),
                      {.seed = 4, .unlabelled = &world_.x});
  }
  World world_ = logistic_world(false);
};

TEST_P(Typed, GivesTheBitsOfTheSameSettingsByText) {
  const Algorithm& typed = GetParam().typed;
  const Algorithm& named = algorithm_named(typed.name);
  Settings settings(named.settings);
  for (const std::string& text : GetParam().texts) settings.set_from_text(text);
  EXPECT_TRUE(Settings(typed.settings) == settings);

  Federation by_type = federation(typed, Settings(typed.settings)), by_text = federation(named, settings);
  by_type.run({.rounds = 3});
  by_text.run({.rounds = 3});
  EXPECT_TRUE(identical(by_type.particles(), by_text.particles()));
  EXPECT_EQ(by_type.save(), by_text.save());

  Federation standard = federation(named, Settings(named.settings));  // the options had an effect
  standard.run({.rounds = 3});
  EXPECT_NE(by_type.save(), standard.save());
}

INSTANTIATE_TEST_SUITE_P(Methods, Typed, testing::ValuesIn(pairs()), [](const auto& which) {
  std::string name = which.param.typed.name + "_" + std::to_string(which.index);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(TypedOptions, AreTestedForEveryMethod) {
  const std::vector<Pair> tested = pairs();
  for (const Algorithm& algorithm : algorithms()) {
    const bool found =
        std::any_of(tested.begin(), tested.end(), [&](const Pair& pair) { return pair.typed.name == algorithm.name; });
    EXPECT_TRUE(found) << algorithm.name;
  }
}

TEST(TypedOptions, HaveTheDefaultsOfTheSettings) {
  const std::vector<Algorithm> plain = {
      c_dsvgd_algorithm(),    svgd_algorithm(),     dsvgd_algorithm(),   u_dsvgd_algorithm(),  p_dsvgd_algorithm(),
      sdsvgd_algorithm(),     ensemble_algorithm(), sgld_algorithm(),    dsgld_algorithm(),    fsgld_algorithm(),
      fald_algorithm(),       vr_fald_algorithm(),  fedpa_algorithm(),   fedep_algorithm(),    fedavg_algorithm(),
      fedsgd_algorithm(),     fedbe_algorithm(),    fedprox_algorithm(), scaffold_algorithm(), scaffold_m_algorithm(),
      fedadagrad_algorithm(), fedadam_algorithm(),  fedyogi_algorithm(), fednova_algorithm(),  feddyn_algorithm(),
      mime_algorithm(),       pvi_algorithm(),      gvi_algorithm(),     pmd_algorithm(),      npv_algorithm()};
  ASSERT_EQ(plain.size(), algorithms().size());
  for (const Algorithm& algorithm : plain) {
    EXPECT_TRUE(Settings(algorithm_named(algorithm.name).settings) == Settings(algorithm.settings)) << algorithm.name;
  }
}

TEST(TypedOptions, ThatAreWrongAreRefusedInTheSettingsWords) {
  EXPECT_THROW_MESSAGE(
      methods::dsvgd({.particles = 0}), InvalidArgument, "particles is 0; allowed: an integer of at least 1");
  EXPECT_THROW_MESSAGE(methods::svgd({.learning_rate = -1}), InvalidArgument, "learning_rate is -1; allowed: a number");
  EXPECT_THROW_MESSAGE(methods::u_dsvgd({.temperature = std::numeric_limits<double>::quiet_NaN()}),
                       InvalidArgument,
                       "temperature is nan");
  EXPECT_THROW_MESSAGE(methods::fedavg({.weighting = "row"}),
                       InvalidArgument,
                       "weighting is 'row'; did you mean 'rows'? allowed: one of rows, released");
  EXPECT_THROW_MESSAGE(methods::fsgld({.shard_weight = "released"}), InvalidArgument, "one of rows, agents");
  EXPECT_THROW_MESSAGE(methods::pvi({.rate = 1.5}), InvalidArgument, "rate is 1.5");
  EXPECT_THROW_MESSAGE(methods::npv({.rows = 0}), InvalidArgument, "rows is 0");
  EXPECT_THROW_MESSAGE(methods::pmd({.step = 0}), InvalidArgument, "step is 0");
  EXPECT_THROW_MESSAGE(methods::p_dsvgd({.fold = "paper"}), InvalidArgument, "fold = 'paper' with distillation");
  EXPECT_NO_THROW(methods::p_dsvgd({.factor = "curvature"}));
}

TEST(TypedOptions, StartWhereTheyAreTold) {
  const World world = logistic_world(false);
  const Particles start = random_matrix(5, world.model->dimension(), 3);
  const Particles point = start.topRows(1);
  const std::vector<std::pair<Algorithm, Particles>> cases = {
      {methods::c_dsvgd({.given_start = start}), start},
      {methods::dsvgd({.given_start = start}), start},
      {methods::dsvgd({.factor = "curvature", .given_start = start}), start},
      {methods::u_dsvgd({.given_start = start}), start},
      {methods::p_dsvgd({.given_start = start}), start},
      {methods::dsgld({.given_start = start}), start},
      {methods::fsgld({.given_start = start}), start},
      {methods::fedavg({.given_start = point}), point},
      {methods::fedsgd({.given_start = point}), point},
      {methods::fedprox({.given_start = point}), point},
      {methods::scaffold({.given_start = point}), point},
      {methods::scaffold_m({.given_start = point}), point},
      {methods::fedadagrad({.given_start = point}), point},
      {methods::fedadam({.given_start = point}), point},
      {methods::fedyogi({.given_start = point}), point},
      {methods::fednova({.given_start = point}), point},
      {methods::feddyn({.given_start = point}), point},
      {methods::mime({.given_start = point}), point},
      {methods::ensemble({.given_start = start}), start},
      {methods::fald({.given_start = start}), start},
      {methods::vr_fald({.given_start = start}), start},
      {methods::fedpa({.given_start = point}), point},
      {methods::sdsvgd({.given_start = start}), start},
  };
  for (const auto& [algorithm, expected] : cases) {
    Federation federation(algorithm, *world.model, world.shards());
    EXPECT_TRUE(identical(federation.particles(), expected)) << algorithm.name;
    federation.run({.rounds = 2});
    EXPECT_EQ(federation.particles().rows(), expected.rows()) << algorithm.name;
    EXPECT_FALSE(identical(federation.particles(), expected)) << algorithm.name;
  }
  const Particles wide = random_matrix(5, 9, 3);
  EXPECT_THROW_MESSAGE(
      Federation(methods::dsvgd({.given_start = wide}), *world.model, world.shards()), InvalidArgument, "given_start");
  EXPECT_THROW_MESSAGE(Federation(methods::fedavg({.given_start = start}), *world.model, world.shards()),
                       InvalidArgument,
                       "given_start has 5 rows; a point method takes 1");
}

TEST(TypedOptions, ShowEveryLocalStepToTheirTrace) {
  const World world = logistic_world(false);
  Index seen = 0;
  const LocalTrace trace = [&](Index, Index, const SvgdOptions::Trace&) { ++seen; };
  Federation federation(methods::dsvgd({.local_steps = 3, .trace = trace}), *world.model, world.shards());
  federation.run({.rounds = 2});
  EXPECT_EQ(seen, 2 * (3 + 1));
}

}  // namespace
}  // namespace fedstein
