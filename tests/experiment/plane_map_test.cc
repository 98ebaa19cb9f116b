// SPDX-License-Identifier: Apache-2.0
#include "fedstein/experiment/plane_map.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "experiment/small_experiment.h"
#include "fedstein/numeric/check.h"
#include "support/temporary_folder.h"
#include "support/throws.h"

namespace fedstein {
namespace {

Plan arcs_plan(const std::string& more = "[[figure]]\nkind = \"map\"\n") {
  return parse_plan(
      "[experiment]\nname = \"arcs\"\ndataset = \"two-arcs\"\npartition = \"by-column\"\nagents = 5\ntrials = 2\n"
      "[model]\ntype = \"bnn-classification\"\nhidden = 4\n[federation]\nrounds = 2\n"
      "[hyperparameters]\nparticles = 3\nlocal_steps = 5\n"
      "[[algorithm]]\ntype = \"c-dsvgd\"\n[[algorithm]]\ntype = \"fedavg\"\n"
      "[[algorithm]]\ntype = \"svgd\"\nlabel = \"alone\"\nalone = 2\n" +
          more,
      "arcs.toml",
      {.check_data = false});
}

TrialData arcs_data() {
  const Plan plan = arcs_plan();
  const Dataset set = load_planned(plan.cases[0].dataset, "", 3);
  return prepare_trial(plan.cases[0], set, 3);
}

Particles some_particles(const TrialData& data, Index count) {
  Particles particles(count, data.model->dimension());
  Rng({.seed = 4}).fill_normal(particles);
  return 2 * particles;
}

double entropy(const std::vector<double>& shares) {
  double sum = 0;
  for (const double p : shares) sum -= p > 0 ? p * std::log(p) : 0;
  return sum;
}

// Point by point and particle by particle, from places in the data's own units.
TEST(PlaneMap, IsWhatAPlainLoopFinds) {
  const TrialData data = arcs_data();
  const Particles particles = some_particles(data, 3);
  const PlaneMap map = plane_map(data, particles, std::nullopt);
  ASSERT_EQ(map.probability.size(), map.x.cells * map.y.cells);
  double greatest = 0;
  for (Index i = 0; i < map.x.cells; i += 5) {
    for (Index j = 0; j < map.y.cells; j += 7) {
      Matrix row(1, 2);
      row(0, 0) = static_cast<Real>((map.x.point(i) - data.scaling.shift(0)) / data.scaling.spread(0));
      row(0, 1) = static_cast<Real>((map.y.point(j) - data.scaling.shift(1)) / data.scaling.spread(1));
      double mean = 0;
      double own = 0;
      for (Index n = 0; n < 3; ++n) {
        const double p = data.model->predictive()->predict(particles.middleRows(n, 1), row).probabilities(0, 1);
        mean += p / 3;
        own += entropy({p, 1 - p}) / 3;
      }
      const Index cell = i * map.y.cells + j;
      EXPECT_NEAR(map.probability(cell), mean, 1e-4);
      EXPECT_NEAR(map.doubt(cell), (entropy({mean, 1 - mean}) - own) / std::log(2), 1e-4);
      greatest = std::max(greatest, map.doubt(cell));
    }
  }
  EXPECT_GT(greatest, 0.1) << "particles that differ doubt somewhere";
}

TEST(PlaneMap, HoldsTheTrainingRowsWithAMargin) {
  const TrialData data = arcs_data();
  const PlaneMap map = plane_map(data, some_particles(data, 2), std::nullopt);
  const Dataset set = load_dataset("two-arcs", "", 3);
  ASSERT_EQ(map.points.size(), 200U);
  std::vector<Index> of_agent(5, 0);
  for (const MapPoint& point : map.points) {
    ++of_agent[static_cast<std::size_t>(point.agent)];
    EXPECT_GT(point.x, map.x.low + 0.5);
    EXPECT_LT(point.x, map.x.high - 0.5);
    EXPECT_GT(point.y, map.y.low + 0.5);
    EXPECT_LT(point.y, map.y.high - 0.5);
  }
  for (Index agent = 0; agent < 5; ++agent) {
    EXPECT_EQ(of_agent[static_cast<std::size_t>(agent)], std::count(set.group.begin(), set.group.begin() + 200, agent));
  }
  // The first one is agent 0's first row, in the units of the file.
  const auto first = std::find(set.group.begin(), set.group.begin() + 200, 0) - set.group.begin();
  EXPECT_NEAR(map.points[0].x, set.x(first, 0), 1e-5);
  EXPECT_NEAR(map.points[0].y, set.x(first, 1), 1e-5);
  EXPECT_EQ(map.points[0].label, set.y(first) > 0 ? 1 : 0);
}

TEST(PlaneMap, OfOneAgentHasItsRowsOnThePlaneOfAll) {
  const TrialData data = arcs_data();
  const Particles particles = some_particles(data, 1);
  const PlaneMap all = plane_map(data, particles, std::nullopt);
  const PlaneMap own = plane_map(data, particles, 2);
  EXPECT_EQ(static_cast<Index>(own.points.size()), data.sizes[2]);
  for (const MapPoint& point : own.points) EXPECT_EQ(point.agent, 2);
  EXPECT_EQ(own.x.low, all.x.low);
  EXPECT_EQ(own.y.high, all.y.high);
  EXPECT_EQ(own.doubt.maxCoeff(), 0) << "one particle agrees with itself";
}

TEST(PlaneMap, ComesBackFromItsMatrix) {
  const TrialData data = arcs_data();
  const PlaneMap map = plane_map(data, some_particles(data, 3), 1);
  const std::optional<PlaneMap> back = unpacked(packed(map));
  ASSERT_TRUE(back.has_value());
  EXPECT_NEAR(back->x.low, map.x.low, 1e-5);
  EXPECT_NEAR(back->y.high, map.y.high, 1e-5);
  EXPECT_EQ(back->y.cells, map.y.cells);
  EXPECT_LT((back->probability - map.probability).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_LT((back->doubt - map.doubt).cwiseAbs().maxCoeff(), 1e-6);
  ASSERT_EQ(back->points.size(), map.points.size());
  EXPECT_EQ(back->points.back().agent, 1);
  EXPECT_EQ(back->points.back().label, map.points.back().label);
}

// A store is a file that others may have written.
TEST(PlaneMap, NothingElseIsTakenForAMap) {
  const TrialData data = arcs_data();
  const Matrix good = packed(plane_map(data, some_particles(data, 1), 1));
  const auto changed = [&](Index row, Index column, double value) {
    Matrix bad = good;
    bad(row, column) = static_cast<Real>(value);
    return unpacked(bad);
  };
  EXPECT_TRUE(changed(0, 0, -7).has_value()) << "another place is no mistake";
  EXPECT_FALSE(changed(1, 0, 1e9).has_value()) << "cells";
  EXPECT_FALSE(changed(1, 1, -3).has_value()) << "cells";
  EXPECT_FALSE(changed(1, 1, 2.5).has_value()) << "cells";
  EXPECT_FALSE(changed(1, 2, 1).has_value()) << "classes";
  EXPECT_FALSE(changed(1, 2, 1e30).has_value()) << "classes";
  const Index last = good.rows() - 1;
  EXPECT_FALSE(changed(last, 2, 2).has_value()) << "a class that there is not";
  EXPECT_FALSE(changed(last, 2, -1).has_value());
  EXPECT_FALSE(changed(last, 3, 1e30).has_value()) << "an agent";
  EXPECT_FALSE(changed(last, 3, 0.5).has_value()) << "an agent";
  EXPECT_FALSE(changed(5, 0, 1.5).has_value()) << "a probability";
  EXPECT_FALSE(changed(5, 1, -0.5).has_value()) << "a doubt";
  EXPECT_FALSE(changed(0, 1, std::numeric_limits<double>::quiet_NaN()).has_value());
  EXPECT_FALSE(unpacked(Matrix::Zero(72, 72)).has_value()) << "a toy's density";
  EXPECT_FALSE(unpacked(Matrix::Zero(0, 4)).has_value());
  EXPECT_FALSE(unpacked(good.topRows(20)).has_value()) << "a part of it";
}

TEST(PlaneMap, NeedsTwoFeatures) {
  const Plan plan = small_plan();
  const TrialData data = prepare_trial(plan.cases[0], load_dataset("feature-skew", "", 1), 1);
  EXPECT_THROW_MESSAGE(plane_map(data, Particles::Zero(1, data.model->dimension()), std::nullopt),
                       InvalidArgument,
                       "the data have 20 features; a map needs 2");
}

// Of the first trial of every method, and only where a figure asks for it.
TEST(PlaneMap, IsStoredWhereAFigureAsks) {
  for (const bool asked : {true, false}) {
    const TemporaryFolder folder;
    const Plan plan = asked ? arcs_plan() : arcs_plan("");
    RunStore store(folder.path("store"), RunStore::Mode::kWrite);
    const RunId run = begin_run(plan, store, "");
    DataShelf shelf("");
    ASSERT_EQ(execute(plan, store, run, shelf, {.threads = 2}).failed_jobs, 0);
    const RunResult result = load_results(store, run);
    for (const MethodResult& method : result.cases[0].methods) {
      for (const TrialResult& trial : method.trials) {
        const std::optional<Matrix> stored = store.density(trial.job, 2);
        ASSERT_EQ(stored.has_value(), asked && trial.trial == 1) << method.label;
        if (!stored) continue;
        const std::optional<PlaneMap> map = unpacked(*stored);
        ASSERT_TRUE(map.has_value());
        EXPECT_EQ(map->points.size() < 200, method.label == "alone");
        EXPECT_EQ(map->doubt.maxCoeff() == 0, method.label == "fedavg");
      }
      EXPECT_FALSE(store.density(method.trials[0].job, 1).has_value()) << "the last round's only";
    }
  }
}

}  // namespace
}  // namespace fedstein
