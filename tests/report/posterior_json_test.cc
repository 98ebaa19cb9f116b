// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cmath>
#include <numeric>

#include "fedstein/model/gaussian_mixture.h"
#include "report/finished_run.h"

namespace fedstein {
namespace {

using Json = nlohmann::json;

Plan toy_plan(const std::string& type, const std::string& methods, const std::string& prior = "") {
  return parse_plan("[experiment]\nname = \"toy\"\npreset = \"paper\"\ntrials = 2\n[model]\ntype = \"" + type + "\"\n" +
                        prior +
                        "[federation]\nrounds = 3\n[evaluation]\nparticles = \"all\"\nkl_bandwidths = [0.55]\n"
                        "[hyperparameters]\nlocal_steps = 20\n" +
                        methods,
                    "toy.toml",
                    {.check_data = false});
}

double sum(const Json& values) {
  return std::accumulate(
      values.begin(), values.end(), 0.0, [](double total, const Json& one) { return total + one.get<double>(); });
}

TEST(PosteriorJson, OneDimensionHasExactLocalAndStoredDensities) {
  const FinishedRun finished(
      toy_plan("gaussian-mixture-1d", "[[algorithm]]\ntype = \"dsvgd\"\nparticles = 30\n", "prior = \"uniform\"\n"));
  const Json run = finished.json();
  ASSERT_EQ(run["posterior1d"].size(), 1U);
  EXPECT_EQ(run["posterior2d"], Json::array());
  const Json& shown = run["posterior1d"][0];
  EXPECT_EQ(shown["algorithm"], "dsvgd");
  const double width = shown["grid"][1].get<double>() - shown["grid"][0].get<double>();
  ASSERT_EQ(shown["locals"].size(), 2U);
  ASSERT_EQ(shown["frames"].size(), 3U);
  // Densities all: their mass is 1, up to what the margins that were cut off held.
  EXPECT_NEAR(sum(shown["exact"]) * width, 1, 2e-3);
  for (const Json& local : shown["locals"]) EXPECT_NEAR(sum(local["density"]) * width, 1, 2e-3);
  for (const Json& frame : shown["frames"]) {
    EXPECT_EQ(frame["density"].size(), shown["grid"].size());
    EXPECT_EQ(frame["particles"].size(), 30U);
    EXPECT_NEAR(sum(frame["density"]) * width, 1, 2e-3);
  }
  // The exact one against the model's own log posterior, relative to the highest place.
  const GaussianMixture toy = toy_mixture_1d(ToyPrior::kUniform);
  const auto log_exact = [&](std::size_t i) {
    const Matrix point = Matrix::Constant(1, 1, static_cast<Real>(shown["grid"][i].get<double>()));
    return toy.log_posterior(point)(0);
  };
  const std::size_t middle = shown["grid"].size() / 2;
  for (std::size_t i = 0; i < shown["grid"].size(); i += 7) {
    const double density = shown["exact"][i].get<double>();
    if (density < 1e-3) continue;
    EXPECT_NEAR(std::log(density / shown["exact"][middle].get<double>()), log_exact(i) - log_exact(middle), 5e-3);
  }
}

// A cell of the stored matrix must come back at its own x and y.
TEST(PosteriorJson, TwoDimensionsKeepTheirAxesApart) {
  const FinishedRun finished(toy_plan(
      "gaussian-mixture-2d", "[[algorithm]]\ntype = \"svgd\"\nparticles = 20\n[[algorithm]]\ntype = \"gvi\"\n"));
  const Json run = finished.json();
  ASSERT_EQ(run["posterior2d"].size(), 2U);
  const Json& shown = run["posterior2d"][0];
  const Json& x = shown["x"];
  const Json& y = shown["y"];
  ASSERT_EQ(shown["exact"].size(), x.size() * y.size());
  const GaussianMixture toy = toy_mixture_2d();
  const auto log_exact = [&](std::size_t i, std::size_t j) {
    Matrix point(1, 2);
    point << static_cast<Real>(x[i].get<double>()), static_cast<Real>(y[j].get<double>());
    return toy.log_posterior(point)(0);
  };
  const auto shown_at = [&](std::size_t i, std::size_t j) { return shown["exact"][j * x.size() + i].get<double>(); };
  std::size_t compared = 0;
  const double peak_log = log_exact(x.size() / 2, y.size() / 2);
  const double peak = shown_at(x.size() / 2, y.size() / 2);
  ASSERT_GT(peak, 0);
  for (std::size_t i = 1; i < x.size(); i += 5) {
    for (std::size_t j = 2; j < y.size(); j += 5) {
      if (shown_at(i, j) < 1e-3) continue;
      EXPECT_NEAR(std::log(shown_at(i, j) / peak), log_exact(i, j) - peak_log, 5e-3) << x[i] << " " << y[j];
      ++compared;
    }
  }
  EXPECT_GT(compared, 5U);
  for (const Json& frame : shown["frames"]) EXPECT_FALSE(frame["kl"].is_null());
}

}  // namespace
}  // namespace fedstein
