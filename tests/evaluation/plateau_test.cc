// SPDX-License-Identifier: Apache-2.0
#include "fedstein/evaluation/plateau.h"

#include <cmath>
#include <limits>
#include <vector>

#include "fedstein/numeric/check.h"
#include "support/throws.h"

namespace fedstein {
namespace {

// The round at which it stops, 0 for never: values of rounds 1, 2, ...
Index stops_at(Plateau plateau, const std::vector<double>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (plateau.note(static_cast<Index>(i) + 1, values[i])) return static_cast<Index>(i) + 1;
  }
  return 0;
}

TEST(Plateau, StopsAfterItsPatience) {
  EXPECT_EQ(stops_at(Plateau(), std::vector<double>(21, -0.3)), 21);
  EXPECT_EQ(stops_at(Plateau(), std::vector<double>(20, -0.3)), 0);
  EXPECT_EQ(stops_at(Plateau({.evaluations = 3}), {-1, -0.5, -0.6, -0.7, -0.8}), 5);
}

TEST(Plateau, ABetterValueBeginsAnew) {
  EXPECT_EQ(stops_at(Plateau({.evaluations = 3}), {-1, -1, -1, -0.9, -1, -1, -0.8, -1, -1, -1}), 10);
}

// Each step is below the threshold, but three of them are not.
TEST(Plateau, SmallStepsAddUp) {
  std::vector<double> values;
  for (int i = 0; i < 60; ++i) values.push_back(-0.5 + 0.0004 * i);
  EXPECT_EQ(stops_at(Plateau({.evaluations = 4}), values), 0);
  EXPECT_EQ(stops_at(Plateau({.evaluations = 2}), values), 3);
}

TEST(Plateau, TheThresholdGrowsWithTheValueAndNotBelowOne) {
  EXPECT_EQ(stops_at(Plateau({.evaluations = 1}), {-100, -99.95}), 2);
  EXPECT_EQ(stops_at(Plateau({.evaluations = 1}), {-100, -99.85}), 0);
  EXPECT_EQ(stops_at(Plateau({.evaluations = 1}), {0, 0.0009}), 2);
  EXPECT_EQ(stops_at(Plateau({.evaluations = 1}), {0, 0.0011}), 0);
}

// An early best, a fall, and the way back.
TEST(Plateau, WhatComesBackFromAFallDoesNotStandStill) {
  std::vector<double> values = {-0.4};
  for (int i = 0; i < 40; ++i) values.push_back(-0.9 + 0.01 * i);
  EXPECT_EQ(stops_at(Plateau(), values), 0);
  for (int i = 0; i < 40; ++i) values.push_back(values.back());
  EXPECT_GT(stops_at(Plateau(), values), 41);
}

TEST(Plateau, WhatComesBackFromInfinityDoesNotStandStill) {
  std::vector<double> values = {-0.4};
  for (int i = 0; i < 10; ++i) values.push_back(-std::numeric_limits<double>::infinity());
  for (int i = 0; i < 30; ++i) values.push_back(-5 + 0.1 * i);
  EXPECT_EQ(stops_at(Plateau(), values), 0);
}

TEST(Plateau, AgentsInTurnAreAllHeardFirst) {
  EXPECT_EQ(stops_at(Plateau({.rounds = 40}), std::vector<double>(60, -1.0)), 41);
}

TEST(Plateau, WhatIsNotFiniteIsNeverBetter) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(stops_at(Plateau({.evaluations = 3}), {nan, nan, nan}), 3);
  EXPECT_EQ(stops_at(Plateau({.evaluations = 3}), {-infinity, -1, infinity, -infinity, nan}), 5);
}

TEST(Plateau, WrongOptionsAreRefused) {
  EXPECT_THROW_MESSAGE(Plateau({.threshold = -1}), InvalidArgument, "threshold is -1; it must be at least 0");
  EXPECT_THROW_MESSAGE(Plateau({.evaluations = 0}), InvalidArgument, "evaluations is 0; it must be at least 1");
  EXPECT_THROW_MESSAGE(Plateau({.rounds = -1}), InvalidArgument, "rounds is -1; it must be at least 0");
}

}  // namespace
}  // namespace fedstein
