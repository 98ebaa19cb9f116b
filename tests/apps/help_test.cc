// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "apps/program.h"

namespace fedstein {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;

TEST(Help, TheProgramShowsItsVerbsAndExamples) {
  const TemporaryFolder folder;
  const Finished help = fedstein_in(folder, {"--help"});
  EXPECT_EQ(help.code, 0);
  for (const char* word : {"run", "reproduce", "compare", "check-gradients", "Examples:", "Exit codes"}) {
    EXPECT_THAT(help.output, HasSubstr(word));
  }
}

// Whatever verbs there are: each explains itself, with an example.
TEST(Help, EveryVerbHasExamples) {
  const TemporaryFolder folder;
  const std::string help = fedstein_in(folder, {"--help"}).output;
  const auto verbs = help.find("Subcommands:");
  ASSERT_NE(verbs, std::string::npos);
  const std::regex line(R"(\n  ([a-z][a-z-]*) +\S)");
  int seen = 0;
  const std::string list = help.substr(verbs, help.find("Examples:") - verbs);
  for (std::sregex_iterator match(list.begin(), list.end(), line), end; match != end; ++match, ++seen) {
    const std::string verb = (*match)[1];
    const Finished one = fedstein_in(folder, {verb, "--help"});
    EXPECT_EQ(one.code, 0) << verb;
    EXPECT_THAT(one.output, HasSubstr("Example")) << verb;
  }
  EXPECT_GE(seen, 4);
}

// A family's verbs show its examples, not the program's.
TEST(Help, VerbsOfAFamilyHaveItsExamples) {
  const TemporaryFolder folder;
  EXPECT_THAT(fedstein_in(folder, {"data", "make", "--help"}).output, HasSubstr("fedstein data make twonorm"));
  EXPECT_THAT(fedstein_in(folder, {"ca", "issue", "--help"}).output, HasSubstr("fedstein ca issue hospital-a"));
}

TEST(Help, TheVersionNamesPrecisionAndInstructions) {
  const TemporaryFolder folder;
  const Finished version = fedstein_in(folder, {"--version"});
  EXPECT_EQ(version.code, 0);
  EXPECT_THAT(version.output,
              MatchesRegex("fedstein [0-9]+\\.[0-9]+\\.[0-9]+, (single|double) precision, [a-z0-9_-]+.*\n"));
}

TEST(Help, TheCatalogueIsListed) {
  const TemporaryFolder folder;
  const Finished list = fedstein_in(folder, {"reproduce", "list"});
  EXPECT_EQ(list.code, 0);
  EXPECT_THAT(list.output, HasSubstr("toy-1d-kl"));
  const auto json = nlohmann::json::parse(fedstein_in(folder, {"reproduce", "list", "--json"}).output);
  EXPECT_GE(json.size(), 14U);
}

TEST(Help, GradientsAreCheckedByNameOfTheModel) {
  const TemporaryFolder folder;
  for (const char* model : {"logistic-regression",
                            "bnn-regression",
                            "bnn-classification",
                            "linear-regression",
                            "softmax-regression",
                            "poisson-regression",
                            "negative-binomial-regression",
                            "gaussian-mixture-1d"}) {
    const Finished check = fedstein_in(folder, {"check-gradients", model});
    EXPECT_EQ(check.code, 0) << check.output << check.errors;
    EXPECT_THAT(check.output, HasSubstr("likelihood: agrees"));
  }
}

}  // namespace
}  // namespace fedstein
