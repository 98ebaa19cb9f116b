// SPDX-License-Identifier: Apache-2.0
#include "fedstein/metrics/evaluation_sums.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "fedstein/base/check.h"
#include "support/throws.h"

namespace fedstein {
namespace {

using testing::HasSubstr;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr EvaluationShape kClasses{.bins = 2, .fewest_rows = 10, .most_rows = 1000};
constexpr EvaluationShape kRegression{.bins = 0, .fewest_rows = 10, .most_rows = 1000};

EvaluationSums of_classes() {
  return {.rows = 40, .log_likelihood = -20, .bins = {{10, 4, 4.5}, {30, 27, 25}}, .brier = 10};
}
EvaluationSums of_regression() {
  return {.rows = 40, .log_likelihood = -20, .squared_error = 90, .intervals = 40, .covered = 38};
}

template <typename Change>
std::string why_not(EvaluationSums sums, const EvaluationShape& shape, const Change& change) {
  change(sums);
  return objection_to(sums, shape);
}

TEST(EvaluationSums, OfARegressionGiveItsFigures) {
  EvaluationSums sums = of_regression();
  sums += {.rows = 10, .log_likelihood = 5, .squared_error = 10, .intervals = 10, .covered = 7};
  const std::map<std::string, double> figures = figures_of(sums);
  EXPECT_EQ(figures.size(), 4U);
  EXPECT_EQ(figures.at("rows"), 50);
  EXPECT_DOUBLE_EQ(figures.at("rmse"), std::sqrt(2.0));
  EXPECT_DOUBLE_EQ(figures.at("log_likelihood"), -0.3);
  EXPECT_DOUBLE_EQ(figures.at("coverage"), 0.9);
}

// Whose model says no intervals has no coverage; who says none of its own takes nothing from the others'.
TEST(EvaluationSums, CoverageIsOfTheRowsWithIntervals) {
  EvaluationSums none = of_regression();
  none.intervals = none.covered = 0;
  EXPECT_FALSE(figures_of(none).contains("coverage"));
  EvaluationSums both = of_regression();
  both += none;
  EXPECT_DOUBLE_EQ(figures_of(both).at("coverage"), 0.95);
}

TEST(EvaluationSums, OfOtherBinsAreNotAdded) {
  EvaluationSums sums = of_classes();
  EXPECT_THROW_MESSAGE(sums += of_regression(), InvalidArgument, "the other sums have 0 bins; they must have 2");
}

TEST(EvaluationSums, ThatCanBeAreTaken) {
  EXPECT_EQ(objection_to(of_classes(), kClasses), "");
  EXPECT_EQ(objection_to(of_regression(), kRegression), "");
  const auto dense = [](EvaluationSums& sums) { sums.log_likelihood = 300; };
  EXPECT_EQ(why_not(of_regression(), kRegression, dense), "");
}

TEST(EvaluationSums, OfAClassifierThatCannotBeAreRefusedInASentence) {
  using Sums = EvaluationSums;
  const auto refused = [](const auto& change) { return why_not(of_classes(), kClasses, change); };
  EXPECT_THAT(refused([](Sums& one) { one.rows = -40; }), HasSubstr("over -40 test rows; at least 10 are needed"));
  EXPECT_THAT(refused([](Sums& one) { one.rows = Index{1} << 62; }), HasSubstr("over more than 1000 test rows"));
  EXPECT_THAT(refused([](Sums& one) { one.bins.pop_back(); }), HasSubstr("in 1 bins; this federation has 2"));
  EXPECT_THAT(refused([](Sums& one) { one.bins.clear(); }), HasSubstr("in 0 bins; this federation has 2"));
  EXPECT_THAT(refused([](Sums& one) { one.rows = 41; }), HasSubstr("whose bins hold 40 of 41 rows"));
  EXPECT_THAT(refused([](Sums& one) { one.bins[0].correct = 11; }), HasSubstr("correct 11"));
  EXPECT_THAT(refused([](Sums& one) { one.bins[0].count = -10; }), HasSubstr("count -10"));
  EXPECT_THAT(refused([](Sums& one) { one.bins[0].confidence_sum = kNaN; }), HasSubstr("confidence sum nan"));
  EXPECT_THAT(refused([](Sums& one) { one.bins[1].count = std::numeric_limits<std::int64_t>::max(); }),
              HasSubstr("that cannot be"));
  for (const double lie : {kNaN, kInfinity, -kInfinity, 1e300, -1e300, 0.1}) {
    EXPECT_THAT(refused([&](Sums& one) { one.log_likelihood = lie; }), HasSubstr("whose log-likelihood adds up to"));
  }
  for (const double lie : {kNaN, kInfinity, -kInfinity, -1.0, 81.0}) {
    EXPECT_THAT(refused([&](Sums& one) { one.brier = lie; }), HasSubstr("whose Brier score adds up to"));
  }
}

TEST(EvaluationSums, OfARegressionThatCannotBeAreRefusedInASentence) {
  using Sums = EvaluationSums;
  const auto refused = [](const auto& change) { return why_not(of_regression(), kRegression, change); };
  EXPECT_THAT(refused([](Sums& one) {
                one.bins = {{40, 20, 30}};
              }),
              HasSubstr("in 1 bins; this federation learns a regression"));
  for (const double lie : {kNaN, kInfinity, -1.0, 1e300}) {
    EXPECT_THAT(refused([&](Sums& one) { one.squared_error = lie; }), HasSubstr("whose squared error adds up to"));
  }
  for (const double lie : {kNaN, kInfinity, -kInfinity}) {
    EXPECT_THAT(refused([&](Sums& one) { one.log_likelihood = lie; }), HasSubstr("whose log-likelihood adds up to"));
  }
  EXPECT_THAT(refused([](Sums& one) { one.covered = 41; }), HasSubstr("with 41 of 40 targets within their intervals"));
  EXPECT_THAT(refused([](Sums& one) { one.covered = -1; }), HasSubstr("with -1 of 40"));
  EXPECT_THAT(refused([](Sums& one) { one.intervals = 39; }), HasSubstr("over 40 rows, which cannot be"));
}

}  // namespace
}  // namespace fedstein
