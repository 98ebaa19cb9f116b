// SPDX-License-Identifier: Apache-2.0
#include "fedstein/experiment/figure_range.h"

#include <gtest/gtest.h>

namespace fedstein {
namespace {

TEST(FigureRange, NamesWhatAFigureCanBe) {
  EXPECT_EQ(why_out_of_reach("accuracy", 2, true), "accuracy is never 2; allowed: 0 to 1");
  EXPECT_EQ(why_out_of_reach("validation_ece", -0.1, true), "validation_ece is never -0.1; allowed: 0 to 1");
  EXPECT_EQ(why_out_of_reach("accuracy@north", 1.5, true), "accuracy@north is never 1.5; allowed: 0 to 1");
  EXPECT_EQ(why_out_of_reach("rmse", -1, false), "rmse is never -1; allowed: at least 0");
  EXPECT_EQ(why_out_of_reach("log_likelihood", 0.5, true), "log_likelihood is never 0.5; allowed: at most 0");
  EXPECT_EQ(why_out_of_reach("brier", 2.5, true), "brier is never 2.5; allowed: 0 to 2");
}

TEST(FigureRange, LetsWhatCanBePass) {
  EXPECT_EQ(why_out_of_reach("accuracy", 1, true), "");
  EXPECT_EQ(why_out_of_reach("answered@0.2", 0.97, true), "");
  EXPECT_EQ(why_out_of_reach("rmse", 1e6, false), "");
  EXPECT_EQ(why_out_of_reach("log_likelihood", 0.5, false), "");  // of a density
  EXPECT_EQ(why_out_of_reach("free_energy", -7, false), "");
}

}  // namespace
}  // namespace fedstein
