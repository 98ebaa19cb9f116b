// SPDX-License-Identifier: Apache-2.0
// What is refused by name comes with the name that was probably meant.
#include <gmock/gmock.h>

#include "config/documents.h"

namespace fedstein {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string kDsvgd = "[[algorithm]]\ntype = \"dsvgd\"\n";

std::string said_of_set(const std::string& change, const std::string& more = "") {
  ParseOptions options = without_data();
  options.overrides = {change};
  return complaints(experiment("heart", kDsvgd + more), options);
}

TEST(DidYouMean, OfChoices) {
  EXPECT_THAT(
      complaints(experiment("heart", "partition = \"dirichelt\"\n" + kDsvgd)),
      HasSubstr("test.toml:5: experiment.partition is 'dirichelt'; did you mean 'dirichlet'? allowed: one of iid"));
  EXPECT_THAT(complaints(experiment("heart", "scaling = \"standardize\"\n" + kDsvgd)),
              HasSubstr("did you mean 'standardise'? allowed: one of auto, standard"));
  EXPECT_THAT(complaints(experiment("heart", "[[algorithm]]\ntype = \"FedAvg\"\n")),
              HasSubstr("algorithm.type is 'FedAvg'; did you mean 'fedavg'? allowed: one of fedavg, "));
  EXPECT_THAT(complaints(experiment("heart", "[model]\ntype = \"logistic\"\n" + kDsvgd)),
              HasSubstr("did you mean 'logistic-regression'?"));
  EXPECT_THAT(complaints(experiment("heart", "[[figure]]\nkind = \"round\"\nmetric = \"accuracy\"\n" + kDsvgd)),
              HasSubstr("figure.kind is 'round'; did you mean 'rounds'?"));
  EXPECT_THAT(complaints(experiment("heart", "claims = [\"C1\", \"C99\"]\n" + kDsvgd)),
              HasSubstr("did you mean 'C9'? allowed: a list, each item one of C9, C1, C2"));
}

// Thirty methods are no help; those like the wrong name are, and where the others stand.
TEST(DidYouMean, LongListsAreShortened) {
  const std::string said = complaints(experiment("heart", "[[algorithm]]\ntype = \"dsgvd\"\n"));
  EXPECT_THAT(said, HasSubstr("did you mean 'dsvgd' or 'dsgld'? allowed: one of dsvgd, dsgld, "));
  EXPECT_THAT(said, HasSubstr(" more (`fedstein schema --markdown` shows all)"));
  EXPECT_THAT(said, Not(HasSubstr("scaffold")));
  EXPECT_THAT(complaints(experiment("minst", kDsvgd)),
              AllOf(HasSubstr("there is no such dataset; did you mean 'mnist'?"),
                    HasSubstr("more (`fedstein data list` shows all), or a path")));
}

TEST(DidYouMean, OfKeysInAnotherTable) {
  EXPECT_THAT(complaints(experiment("heart", "rounds = 3\n" + kDsvgd)),
              HasSubstr("test.toml:5: experiment.rounds is no key of this table; it belongs in [federation]"));
  EXPECT_THAT(
      complaints(experiment("heart", "[federation]\nparticles = 3\n" + kDsvgd)),
      HasSubstr("federation.particles is no key of this table; it belongs in [hyperparameters] or [evaluation]"));
  EXPECT_THAT(complaints(experiment("heart", "hidden = 3\n" + kDsvgd)), HasSubstr("it belongs in [model]"));
}

TEST(DidYouMean, OfTablesAndOfMethodsThatCallItOtherwise) {
  EXPECT_THAT(complaints(experiment("heart", kDsvgd + "[sever]\naddress = \"x\"\n")),
              HasSubstr("sever is no table; did you mean 'server'?"));
  EXPECT_THAT(complaints(experiment("heart", "[[algorithm]]\ntype = \"c-dsvgd\"\nlearning_rate = 1\n")),
              HasSubstr("algorithm.learning_rate is no key of this table; did you mean 'step'?"));
}

TEST(DidYouMean, OfOtherProgramsWords) {
  EXPECT_THAT(complaints(experiment("heart", "clients = 3\n" + kDsvgd)),
              HasSubstr("experiment.clients is no key of this table; did you mean 'agents'?"));
  EXPECT_THAT(complaints(experiment("heart", "[hyperparameters]\nlr = 0.1\n" + kDsvgd)),
              HasSubstr("hyperparameters.lr is a setting of no listed method; did you mean 'learning_rate'?"));
  EXPECT_THAT(complaints(experiment("heart", "lr = 0.1\n" + kDsvgd)),
              HasSubstr("it is called learning_rate and belongs in [hyperparameters]"));
  EXPECT_THAT(complaints(experiment("heart", "[hyperparameters]\nbatch_size = 3\n" + kDsvgd)),
              HasSubstr("did you mean 'batch'?"));
}

TEST(DidYouMean, OfPathsOnTheCommandLine) {
  EXPECT_THAT(said_of_set("rounds=3"),
              HasSubstr("--set: rounds is no path to a key; did you mean 'federation.rounds'?"));
  EXPECT_THAT(said_of_set("federaton.rounds=3"), HasSubstr("did you mean 'federation.rounds'?"));
  EXPECT_THAT(said_of_set("algorithm.dsvdg.particles=3"),
              HasSubstr("names no listed method; write algorithm.LABEL.KEY; did you mean 'dsvgd'? listed: dsvgd"));
  EXPECT_THAT(said_of_set("algorithm.dsvgd.type=svgd"),
              HasSubstr("algorithm.dsvgd.type is the same for all cases; change it where the method is listed"));
  const std::string cases = "[[case]]\nname = \"small\"\nfederation.rounds = 2\n[[case]]\nname = \"large\"\n";
  EXPECT_THAT(said_of_set("case.smal.federation.rounds=3", cases),
              HasSubstr("names no [[case]]; write case.NAME.TABLE.KEY; did you mean 'small'? there are: small; large"));
  EXPECT_THAT(said_of_set("case.a.federation.rounds=3"), HasSubstr("the experiment has none"));
}

TEST(DidYouMean, OfWhatStandsInQuotes) {
  EXPECT_THAT(
      complaints(experiment("heart", "[federation]\nrounds = \"10\"\n" + kDsvgd)),
      HasSubstr("federation.rounds is '10'; allowed: an integer of at least 1 and at most 1e+08, without quotes"));
  EXPECT_THAT(complaints(experiment("heart", "[evaluation]\nksd = \"true\"\n" + kDsvgd)),
              HasSubstr("allowed: true or false, without quotes"));
  EXPECT_THAT(complaints(experiment("heart", "[federation]\nrounds = 10.0\n" + kDsvgd)),
              HasSubstr("and at most 1e+08, without a decimal point"));
  EXPECT_THAT(complaints(experiment("heart", "[federation]\nrounds = \"ten\"\n" + kDsvgd)), Not(HasSubstr("quotes")));
}

TEST(DidYouMean, OfPartsOfAnExperiment) {
  ParseOptions options = without_data();
  options.methods = {"dsvdg"};
  EXPECT_THAT(complaints(experiment("heart", kDsvgd), options),
              HasSubstr("--method 'dsvdg' fits no name; did you mean 'dsvgd'? there are: dsvgd"));
}

// As an editor goes through the file.
TEST(Mistakes, ComeInTheOrderOfTheFile) {
  const std::string said = complaints(
      "[sever]\nx = 1\n[experiment]\nname = \"a\"\ndataset = \"heart\"\nagents = 0.5\n[federation]\nrounds = 0\n" +
      kDsvgd + "particles = 0\n");
  const auto at = [&](const std::string& text) {
    const std::size_t found = said.find(text);
    EXPECT_NE(found, std::string::npos) << text << " in " << said;
    return found;
  };
  EXPECT_LT(at("test.toml:1: "), at("test.toml:6: "));
  EXPECT_LT(at("test.toml:6: "), at("test.toml:8: "));
  EXPECT_LT(at("test.toml:8: "), at("test.toml:11: "));
}

}  // namespace
}  // namespace fedstein
