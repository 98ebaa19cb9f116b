// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "fedstein/experiment/plane_map.h"
#include "report/finished_run.h"

namespace fedstein {
namespace {

using Json = nlohmann::json;

Plan arcs_plan(const std::string& figure) {
  return parse_plan(
      "[experiment]\nname = \"arcs\"\ndataset = \"two-arcs\"\npartition = \"by-column\"\nagents = 5\ntrials = 2\n"
      "[model]\ntype = \"bnn-classification\"\nhidden = 4\n[federation]\nrounds = 2\n"
      "[hyperparameters]\nparticles = 3\nlocal_steps = 5\n"
      "[[algorithm]]\ntype = \"c-dsvgd\"\n[[algorithm]]\ntype = \"c-dsvgd\"\nlabel = \"alone\"\nalone = 1\n" +
          figure,
      "arcs.toml",
      {.check_data = false});
}

TEST(MapJson, HoldsTheStoredMapsInThousandthsByRowsOfEqualY) {
  const FinishedRun finished(arcs_plan("[[figure]]\nkind = \"map\"\n"));
  const Json run = finished.json();
  EXPECT_EQ(run["figures"][0]["kind"], "map");
  ASSERT_EQ(run["maps"].size(), 2U);
  EXPECT_EQ(run["maps"][1]["algorithm"], "alone");
  const RunResult result = finished.result();
  for (std::size_t i = 0; i < 2; ++i) {
    const Json& shown = run["maps"][i];
    const std::optional<PlaneMap> map =
        unpacked(*finished.store().density(result.cases[0].methods[i].trials[0].job, 2));
    ASSERT_TRUE(map.has_value());
    const Index columns = shown["x"][2].get<Index>();
    ASSERT_EQ(columns, map->x.cells);
    ASSERT_EQ(static_cast<Index>(shown["probability"].size()), map->probability.size());
    for (Index x = 0; x < columns; x += 5) {
      for (Index y = 0; y < map->y.cells; y += 3) {
        const auto cell = static_cast<std::size_t>(y * columns + x);
        EXPECT_NEAR(shown["probability"][cell].get<double>() / 1000, map->probability(x * map->y.cells + y), 5.1e-4);
        EXPECT_NEAR(shown["doubt"][cell].get<double>() / 1000, map->doubt(x * map->y.cells + y), 5.1e-4);
      }
    }
    EXPECT_NEAR(shown["y"][0].get<double>(), map->y.low, 1e-4);
    EXPECT_EQ(shown["classes"], 2);
    EXPECT_EQ(shown["round"], 2);
    ASSERT_EQ(shown["points"].size(), map->points.size());
    EXPECT_EQ(shown["points"][0][2], map->points[0].label);
    EXPECT_EQ(shown["points"][0][3], map->points[0].agent);
  }
  EXPECT_EQ(run["maps"][0]["points"].size(), 200U);
  EXPECT_LT(run["maps"][1]["points"].size(), 150U);
}

TEST(MapJson, IsEmptyWhereNoFigureAsks) {
  const FinishedRun finished(arcs_plan(""));
  EXPECT_EQ(finished.json()["maps"], Json::array());
}

}  // namespace
}  // namespace fedstein
