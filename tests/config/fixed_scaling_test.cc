// SPDX-License-Identifier: Apache-2.0
// A scaling whose numbers stand in the configuration.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/documents.h"
#include "fedstein/data/error.h"
#include "support/throws.h"

namespace fedstein {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string fixed(const std::string& data, const std::string& scaling = "fixed") {
  return experiment("rows.csv", "scaling = \"" + scaling + "\"\n") + "[data]\n" + data +
         "[[algorithm]]\ntype = \"dsvgd\"\n";
}

TEST(FixedScaling, IsReadAndAppliedAsItStands) {
  const Plan plan = parsed(fixed("shift = [100, 0.5]\nspread = [10, 2]\n"));
  const DatasetPlan& dataset = plan.cases.front().dataset;
  EXPECT_EQ(dataset.scaling, ScalingRule::kFixed);
  EXPECT_THAT(dataset.file.scaling.shift, ElementsAre(100, 0.5));
  Matrix rows(1, 2);
  rows << 120, 4.5_r;
  apply_scaling(make_scaling(dataset.file.scaling, 2, "rows.csv"), rows);
  EXPECT_FLOAT_EQ(static_cast<float>(rows(0, 0)), 2);
  EXPECT_FLOAT_EQ(static_cast<float>(rows(0, 1)), 2);
  EXPECT_THROW_MESSAGE(make_scaling(dataset.file.scaling, 3, "rows.csv"),
                       DataError,
                       "rows.csv: has 3 features; data.shift has 2 numbers");
}

TEST(FixedScaling, MistakesAreNamed) {
  EXPECT_THAT(complaints(fixed("")), HasSubstr("needs one of each for every feature"));
  EXPECT_THAT(complaints(fixed("shift = [1, 2]\nspread = [1]\n")), HasSubstr("has 2 numbers and data.spread 1"));
  EXPECT_THAT(complaints(fixed("shift = [1]\nspread = [0]\n")), HasSubstr("data.spread holds 0"));
  EXPECT_THAT(complaints(fixed("shift = [1]\nspread = [1]\n", "standardise")),
              HasSubstr("it is for experiment.scaling = \"fixed\" only"));
  EXPECT_THAT(complaints(experiment("twonorm", "scaling = \"fixed\"\n") + "[[algorithm]]\ntype = \"dsvgd\"\n"),
              HasSubstr("fixed numbers are for a file of your own"));
}

}  // namespace
}  // namespace fedstein
