// SPDX-License-Identifier: Apache-2.0
// The table [server] beside an experiment: TOML's own word on where tables begin and end, and all mistakes of both.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/documents.h"
#include "fedstein/config/server_plan.h"
#include "support/temporary_folder.h"

namespace fedstein {
namespace {

using testing::HasSubstr;

const std::string kDsvgd = "[[algorithm]]\ntype = \"dsvgd\"\n";

// As `fedstein run` and `fedstein serve` read a file.
Plan loaded(const std::string& document) {
  const TemporaryFolder folder;
  return load_plan(folder.write("served.toml", document), without_data());
}

std::string load_complaints(const std::string& document) {
  try {
    loaded(document);
  } catch (const BadConfiguration& error) {
    return error.what();
  }
  return "";
}

Index rounds_of(const Plan& plan) {
  return plan.cases.at(0).algorithms.at(0).rounds;
}

TEST(ServerTable, EndsAtTheNextHeadingWhateverThatLineSays) {
  const std::string before = experiment("feature-skew", kDsvgd) + "[server]\nquorum = 1\n";
  EXPECT_EQ(rounds_of(loaded(before + "[federation]\nrounds = 3\n")), 3);
  EXPECT_EQ(rounds_of(loaded(before + "[federation] # was = 30\nrounds = 3\n")), 3);
  EXPECT_EQ(rounds_of(loaded(before + "[ federation ] # = [server]\nrounds = 3\n")), 3);
  EXPECT_EQ(rounds_of(loaded(before + "[\"federation\"] # =\nrounds = 3\n")), 3);
}

TEST(ServerTable, IsFoundHoweverItIsWritten) {
  const std::string rest = experiment("feature-skew", kDsvgd);
  for (const std::string table :
       {"[ server ]\nquorum = 3\n", "[\"server\"]\nquorum = 3\n", "[server] # =\nquorum = 3\n"}) {
    EXPECT_THAT(load_complaints(rest + table), HasSubstr(":8: server.quorum is 3; allowed: ")) << table;
  }
  EXPECT_THAT(load_complaints("server.quorum = 3\n" + rest), HasSubstr(":1: server.quorum is 3; allowed: "));
  EXPECT_THAT(load_complaints("server = { quorum = 3 }\n" + rest), HasSubstr(":1: server.quorum is 3; allowed: "));
  EXPECT_THAT(load_complaints(rest + "[[server]]\nquorum = 1\n"),
              HasSubstr(":7: server is written otherwise; write one"));
}

// Text of the experiment that looks like a table, and a list that begins its lines with brackets.
TEST(ServerTable, IsNotSeenInsideTexts) {
  const Plan plan = loaded(experiment("feature-skew", "title = \"\"\"\\\n[server] \\\n\"\"\"\n" + kDsvgd));
  EXPECT_EQ(plan.title, "[server] ");
  const std::string nested = experiment("feature-skew", kDsvgd) + "[server]\nagents = [\n\"a\",\n\"b\"]\nquorum = 1\n";
  EXPECT_EQ(load_complaints(nested), "");
}

TEST(ServerTable, MistakesOfBothAreSaidTogetherWithTheirLines) {
  const std::string all =
      load_complaints("[server]\nquorum = 3\n\n" + experiment("feature-skew", "agnets = 2\n" + kDsvgd) +
                      "[federation] # =\nround = 2\n");
  EXPECT_THAT(all, HasSubstr(":2: server.quorum is 3"));
  EXPECT_THAT(all, HasSubstr(":8: experiment.agnets is no key"));
  EXPECT_THAT(all, HasSubstr(":12: federation.round is no key"));
}

// What a server tells its agents, and what a store keeps.
TEST(ServerTable, BesideAPlansOwnDocumentGivesBoth) {
  const Plan plan = parsed(experiment("feature-skew", kDsvgd));
  const ServedPlan told =
      parse_served_plan(plan.document + "\n[server]\nfeatures = 20\nclasses = 2\n", "charter", without_data());
  EXPECT_EQ(told.plan.document, plan.document);
  EXPECT_EQ(told.server.features, 20);
  EXPECT_EQ(told.server.classes, 2);
  EXPECT_EQ(told.server.address, "127.0.0.1:7410");
  // Without the table: its defaults.
  EXPECT_EQ(parse_served_plan(plan.document, "charter", without_data()).server.address, "127.0.0.1:7410");
}

TEST(ServerTable, RefusesNamesThatTwoAgentsWouldShareOrNoCertificateHas) {
  const auto said = [](const std::string& names) {
    return load_complaints(experiment("feature-skew", kDsvgd) + "[server]\nagents = " + names + "\n");
  };
  EXPECT_EQ(said("[\"a\", \"b\"]"), "");
  EXPECT_THAT(
      said("[\"a\", \"b\", \"a\"]"),
      HasSubstr(":8: server.agents names 'a' twice, at positions 1 and 3; every agent needs a name of its own"));
  EXPECT_THAT(
      said("[\"a\", \"two words\"]"),
      HasSubstr(":8: server.agents has 'two words' at position 2, which no certificate can name; allowed: 1 to 63"));
  EXPECT_THAT(said("[\"\"]"), HasSubstr("server.agents has '' at position 1"));
  EXPECT_THAT(said("[\"-a\"]"), HasSubstr("server.agents has '-a' at position 1"));
  EXPECT_THAT(said("[\"" + std::string(64, 'a') + "\"]"), HasSubstr("which no certificate can name"));
}

}  // namespace
}  // namespace fedstein
