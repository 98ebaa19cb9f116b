// SPDX-License-Identifier: Apache-2.0
// [federation] validation and stop.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/documents.h"

namespace fedstein {
namespace {

using testing::HasSubstr;

std::string with(const std::string& federation, const std::string& more = "") {
  return experiment("feature-skew", "[federation]\n" + federation + "[[algorithm]]\ntype = \"dsvgd\"\n" + more);
}

TEST(Validation, IsNoneUnlessAsked) {
  const Plan plan = parsed(with(""));
  EXPECT_EQ(plan.cases[0].validation.share, 0);
  EXPECT_FALSE(plan.cases[0].validation.plateau);
}

TEST(Validation, ComesFromItsTableAndIsStored) {
  const Plan plan = parsed(with("validation = 0.1\nstop = \"plateau\"\n"));
  EXPECT_EQ(plan.cases[0].validation.share, 0.1);
  EXPECT_TRUE(plan.cases[0].validation.plateau);
  EXPECT_NE(to_json(plan), to_json(parsed(with("validation = 0.1\n"))));
  EXPECT_EQ(to_json(plan), to_json(parsed(plan.document)));
}

TEST(Validation, MayDifferByCase) {
  const Plan plan = parsed(with("", "[sweep]\n\"federation.validation\" = [0, 0.2]\n"));
  ASSERT_EQ(plan.cases.size(), 2U);
  EXPECT_EQ(plan.cases[1].validation.share, 0.2);
}

TEST(Validation, APlateauNeedsRowsToJudgeBy) {
  EXPECT_THAT(complaints(with("stop = \"plateau\"\n")),
              HasSubstr("federation.stop is 'plateau'; a plateau is judged on rows that agents keep back"));
  EXPECT_THAT(complaints(with("stop = \"never\"\n")), HasSubstr("federation.stop is 'never'; allowed: "));
  EXPECT_THAT(complaints(with("validation = 1\n")), HasSubstr("federation.validation is 1; allowed: "));
}

TEST(Validation, AToyHasNothingToKeepBack) {
  const std::string toy =
      "[experiment]\nname = \"t\"\n[model]\ntype = \"gaussian-mixture-1d\"\n[[algorithm]]\ntype = "
      "\"dsvgd\"\n[federation]\nvalidation = 0.1\n";
  EXPECT_THAT(complaints(toy), HasSubstr("an agent of a gaussian-mixture has no rows to keep back"));
  EXPECT_THAT(complaints(toy + "stop = \"plateau\"\n"), HasSubstr("federation.stop is 'plateau'"));
}

TEST(Validation, IsNotAMethodsOwn) {
  EXPECT_THAT(complaints(with("", "validation = 0.1\n")), HasSubstr("algorithm.validation is no key"));
}

// Figures may draw what is recorded only.
TEST(Validation, ItsFiguresCanBeDrawn) {
  const std::string figure = "[[figure]]\nkind = \"rounds\"\nmetric = \"validation_log_likelihood\"\n";
  EXPECT_EQ(complaints(with("validation = 0.1\n", figure)), "");
  EXPECT_THAT(complaints(with("", figure)), HasSubstr("figure.metric"));
}

}  // namespace
}  // namespace fedstein
