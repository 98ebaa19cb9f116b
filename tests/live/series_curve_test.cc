// SPDX-License-Identifier: Apache-2.0
#include "fedstein/live/series_curve.h"

#include <gtest/gtest.h>

#include <cmath>

namespace fedstein {
namespace {

RoundFigures told(Index round, double value) {
  return {.round = round, .bytes = 10.0 * static_cast<double>(round), .seconds = 1, .figures = {{"accuracy", value}}};
}

TEST(SeriesCurve, KeepsFewRoundsOfManyEachAsItWasAndTheLastOne) {
  SeriesCurve curve(100);
  for (Index round = 1; round <= 10000; ++round) {
    curve.note(told(round, std::sin(static_cast<double>(round))), round - 1, false);
    ASSERT_LE(curve.rows().size(), 101U);
    ASSERT_EQ(curve.rows().rbegin()->first, round);
  }
  EXPECT_EQ(curve.stride(), 128);
  EXPECT_GE(curve.rows().size(), 50U);
  EXPECT_EQ(curve.rows().begin()->first, 1);
  for (const auto& [round, row] : curve.rows()) {
    EXPECT_EQ(row.figures.at("accuracy").mean(), std::sin(static_cast<double>(round)));
    EXPECT_EQ(row.bytes.mean(), 10.0 * static_cast<double>(round));
    EXPECT_TRUE(round == 10000 || (round - 1) % 128 == 0) << round;
  }
}

TEST(SeriesCurve, TrialsMeetInTheSameRoundsHoweverFarTheFirstHasCome) {
  SeriesCurve curve(50);
  for (int trial = 0; trial < 3; ++trial) {
    for (Index place = 0; place < 1000; ++place) curve.note(told(5 * (place + 1), trial), place, false);
  }
  for (const auto& [round, row] : curve.rows()) {
    EXPECT_EQ(row.figures.at("accuracy").count(), 3) << round;
    EXPECT_DOUBLE_EQ(row.figures.at("accuracy").mean(), 1);
    EXPECT_DOUBLE_EQ(row.figures.at("accuracy").error(), 1 / std::sqrt(3.0));
  }
  EXPECT_EQ(curve.rows().rbegin()->first, 5000);
}

TEST(SeriesCurve, ARoundThatIsToldAgainIsReplaced) {
  SeriesCurve curve(50);
  curve.note(told(1, 0.5), 0, false);
  curve.note(told(1, 0.75), 0, true);
  EXPECT_EQ(curve.rows().at(1).figures.at("accuracy").count(), 1);
  EXPECT_EQ(curve.rows().at(1).figures.at("accuracy").mean(), 0.75);
}

TEST(SeriesCurve, AFloodOfFiguresIsBounded) {
  SeriesCurve curve(50);
  RoundFigures many{.round = 1};
  for (int i = 0; i < 1000; ++i) many.figures["f" + std::to_string(i)] = i;
  curve.note(many, 0, false);
  EXPECT_EQ(curve.rows().at(1).figures.size(), SeriesCurve::kMostFigures);
}

TEST(Average, OfOneNumberHasNoError) {
  Average one;
  one.add(3);
  EXPECT_EQ(one.mean(), 3);
  EXPECT_TRUE(std::isnan(one.error()));
}

}  // namespace
}  // namespace fedstein
