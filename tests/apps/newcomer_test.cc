// SPDX-License-Identifier: Apache-2.0
// What the program says to somebody who uses it for the first day.
#include <gmock/gmock.h>

#include <map>
#include <nlohmann/json.hpp>

#include "apps/program.h"
#include "apps/small_file.h"

namespace fedstein {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

// Two columns and a label that they tell.
std::string rows(const std::string& separator, const std::string& head, const char* no = "0") {
  std::string out = head;
  for (int i = 0; i < 60; ++i) {
    const double x = (i * 37 % 60) / 10.0 - 3;
    out += std::to_string(x) + separator + std::to_string(i % 7) + separator + (x > 0 ? "1" : no) + "\n";
  }
  return out;
}

std::string own_file(const std::string& more = "") {
  return "[experiment]\nname = \"own\"\ndataset = \"own.csv\"\nagents = 3\n" + more +
         "[federation]\nrounds = 2\n[[algorithm]]\ntype = \"fedavg\"\nlocal_steps = 2\n";
}

class Newcomer : public testing::Test {
 protected:
  Finished run(const std::vector<std::string>& words) const { return fedstein_in(folder_, words); }
  // Runs a line of the shell, in which $F is the program.
  Finished shell(const std::string& line) const {
    return run_process({"/bin/sh", "-c", "F='" + std::string(FEDSTEIN_PROGRAM) + "'; " + line}, folder_.path("."));
  }

  TemporaryFolder folder_;
};

TEST_F(Newcomer, WrongVerbsAndOptionsComeWithTheRightOnes) {
  const auto expect = [&](const std::vector<std::string>& words, const std::string& sentence) {
    const Finished ended = run(words);
    EXPECT_EQ(ended.code, 64) << sentence;
    EXPECT_EQ(ended.errors, "fedstein: " + sentence + "\n");
  };
  expect({"repord"}, "there is no verb 'repord'; did you mean 'report'? `fedstein --help` lists those there are");
  expect(
      {"data", "lits"},
      "there is no verb 'lits' of `fedstein data`; did you mean 'list'? `fedstein data --help` lists those there are");
  expect({"run", "x.toml", "--fodler", "y"},
         "`fedstein run` has no option '--fodler'; did you mean '--folder'? `fedstein run --help` lists those it has");
  expect({"run", "--dryrun"},
         "`fedstein run` has no option '--dryrun'; did you mean '--dry-run'? `fedstein run --help` lists those it has");
  expect({"schema", "too", "much"}, "'too' is one word too many; `fedstein schema --help` shows how it is used");
  expect({}, "a verb is missing; `fedstein --help` shows how it is used");
  expect({"data"}, "a verb is missing; `fedstein data --help` shows how it is used");
  expect(
      {"export", "x", "--format", "jsn"},
      "--format: is 'jsn'; did you mean 'json'? allowed: csv, json, npz, posterior; `fedstein export --help` shows how "
      "it is used");
  expect({"run", "x.toml", "--seed", "-1"},
         "--seed: is '-1'; allowed: a whole number of at least 0; `fedstein run --help` shows how it is used");
  expect(
      {"run", "x.toml", "--trials", "many"},
      "--trials: is 'many'; allowed: a whole number of at least 1 and at most 1000000; `fedstein run --help` shows how "
      "it is used");
  expect({"data", "make", "twonrom"},
         "data make: 'twonrom' has no generator; did you mean 'twonorm'? allowed: twonorm, ringnorm, waveform, "
         "feature-skew, two-arcs, all");
  EXPECT_THAT(run({"data", "check", "minst"}).errors, HasSubstr("there is no dataset 'minst'; did you mean 'mnist'?"));
  EXPECT_THAT(run({"reproduce", "toy1d"}).errors, HasSubstr("did you mean 'toy-1d'?"));
  EXPECT_THAT(run({"check-gradients", "softmax"}).errors, HasSubstr("did you mean 'softmax-regression'?"));
}

TEST_F(Newcomer, WrongPathsComeWithTheRightOnes) {
  folder_.write("own.csv", rows(",", "a,b,ill\n"));
  folder_.write("own.toml", own_file());
  EXPECT_THAT(run({"run", "onw.toml"}).errors, HasSubstr("there is no file 'onw.toml'; did you mean 'own.toml'?"));
  EXPECT_THAT(run({"run", "own.csv"}).errors,
              HasSubstr("'own.csv' is a table, and an experiment is a TOML file that names it, dataset = \"own.csv\""));
  EXPECT_THAT(run({"run", "own.toml", "--set", "experiment.dataset=onw.csv"}).errors,
              HasSubstr("experiment.dataset is 'onw.csv'; there is no such file; did you mean 'own.csv'?"));
  folder_.write("empty.toml", "\n");
  EXPECT_THAT(run({"run", "empty.toml"}).errors,
              HasSubstr("empty.toml: is empty; an experiment begins with [experiment]"));
  ASSERT_EQ(run({"run", "own.toml"}).code, 0);
  EXPECT_THAT(run({"compare", "runs"}).errors, HasSubstr("its folders that hold one: runs/own"));
  EXPECT_THAT(run({"compare", "runs/onw"}).errors, HasSubstr("there is no run 'runs/onw'; did you mean 'runs/own'?"));
  for (const char* place : {"runs/own", "runs/own/posteriors"}) {
    const Finished ended = run({"summary", place});
    EXPECT_EQ(ended.code, 66);
    EXPECT_THAT(ended.errors, HasSubstr("is a folder; name a model in it: runs/own/posteriors/fedavg-1.fedstein"));
  }
}

// A dry run is a run without its work: what that would refuse, this does.
TEST_F(Newcomer, ADryRunLooksAtTheData) {
  folder_.write("made.toml", "[experiment]\nname = \"made\"\ndataset = \"waveform\"\nagents = 3\n");
  const Finished made = run({"run", "made.toml", "--dry-run", "--data", "sets"});
  EXPECT_EQ(made.code, 78);
  EXPECT_THAT(made.errors,
              HasSubstr("is not in the data folder 'sets'; `fedstein data make waveform -o sets` makes it, or point "
                        "FEDSTEIN_DATA (or --data) at the folder that holds it"));
  const Finished known = run({"run", "made.toml", "--dry-run", "--data", "sets", "--set", "experiment.dataset=mnist"});
  EXPECT_THAT(known.errors, HasSubstr("`fedstein data fetch mnist -o sets` downloads it"));
  EXPECT_EQ(run({"data", "make", "waveform", "-o", "sets"}).code, 0);
  EXPECT_EQ(run({"run", "made.toml", "--dry-run", "--data", "sets"}).code, 0);

  folder_.write("own.toml", own_file());
  const Finished missing = run({"run", "own.toml", "--dry-run"});
  EXPECT_EQ(missing.code, 78);
  EXPECT_THAT(missing.errors, HasSubstr("own.toml:3: experiment.dataset is 'own.csv'; there is no such file"));
  folder_.write("own.csv", rows(",", "a,b,ill\n"));
  const Finished good = run({"run", "own.toml", "--dry-run"});
  EXPECT_EQ(good.code, 0);
  // What it says of bytes is what a run of this method exchanges.
  ASSERT_EQ(run({"run", "own.toml"}).code, 0);
  const auto compared = nlohmann::json::parse(run({"compare", "runs/own", "--json"}).output);
  const auto bytes = static_cast<int>(compared["rows"][0]["bytes"].get<double>());
  EXPECT_THAT(good.output, HasSubstr("2 rounds, 12 local steps, at least " + std::to_string(bytes) + " B exchanged\n"));
  std::filesystem::remove_all(folder_.path("runs"));
  folder_.write("own.csv", rows(",", "a,b,ill\n") + "1,x,1\n");
  EXPECT_EQ(run({"run", "own.toml", "--dry-run", "--set", "data.categorical=[]"}).code, 65);
  EXPECT_FALSE(std::filesystem::exists(folder_.path("runs")));
}

// Columns that only a reader of the whole file knows.
TEST_F(Newcomer, AnEstimateSaysWhatItDoesNotKnow) {
  folder_.write("own.svm", "1 1:0.5 2:1\n-1 1:2 2:0.25\n1 2:1\n-1 1:1\n1 1:3\n-1 2:2\n1 1:1 2:1\n-1 1:4\n");
  folder_.write(
      "own.toml",
      "[experiment]\nname = \"own\"\ndataset = \"./own.svm\"\nagents = 2\n[data]\nformat = \"libsvm\"\nfeatures "
      "= 2\nlabels = \"binary\"\n[[algorithm]]\ntype = \"fedavg\"\n");
  EXPECT_THAT(run({"run", "own.toml", "--dry-run"}).output, HasSubstr("B exchanged\n"));
  const Finished ended = run({"run", "own.toml", "--dry-run", "--set", "data.labels=multiclass"});
  EXPECT_THAT(ended.output + ended.errors, AnyOf(HasSubstr("bytes unknown (the columns of"), HasSubstr("label")));
}

// The average of one agent is that agent: whoever gets it is told.
TEST_F(Newcomer, AnAverageOfOneIsTold) {
  folder_.write("own.csv", rows(",", "a,b,ill\n"));
  folder_.write("own.toml", own_file());
  EXPECT_THAT(run({"run", "own.toml"}).errors, Not(HasSubstr("note: ")));
  const Finished paper = run({"run", "own.toml", "--set", "experiment.preset=paper", "--set", "experiment.trials=1"});
  EXPECT_THAT(paper.errors,
              HasSubstr("note: fedavg: one agent takes part in each round, and there is nobody to combine it with; "
                        "scheduler = \"all\""));
  EXPECT_THAT(run({"run", "own.toml", "--dry-run", "--set", "federation.scheduler=round-robin"}).output,
              HasSubstr("Note: fedavg: one agent takes part"));
}

TEST_F(Newcomer, ADivergedMethodIsNamedWithItsRoundAndWhatToDo) {
  folder_.write("own.csv", rows(",", "a,b,ill\n"));
  folder_.write(
      "own.toml",
      "[experiment]\nname = \"own\"\ndataset = \"own.csv\"\nagents = 3\nscaling = \"none\"\n[data]\nlabel = "
      "\"a\"\nlabels = \"regression\"\n[federation]\nrounds = 4\n[[algorithm]]\ntype = \"fedavg\"\nlocal_steps = "
      "1\nstep_rule = \"plain\"\nlearning_rate = 1e18\n");
  const Finished ended = run({"run", "own.toml"});
  EXPECT_THAT(ended.errors + ended.output, Not(HasSubstr("log_densities")));
  EXPECT_THAT(
      ended.errors + ended.output,
      AllOf(HasSubstr("fedavg"), HasSubstr("try a smaller learning_rate, scaling = \"standardise\", or another")));
}

TEST_F(Newcomer, ModelsOfOtherRunsAreTold) {
  folder_.write("own.csv", rows(",", "a,b,ill\n"));
  folder_.write("own.toml", own_file());
  EXPECT_THAT(run({"run", "own.toml"}).errors, Not(HasSubstr("note: ")));
  folder_.write("own.toml", std::string(own_file()) + "label = \"other\"\n");
  EXPECT_THAT(run({"run", "own.toml"}).errors,
              HasSubstr("note: runs/own/posteriors also holds models that this run did not make: fedavg-1.fedstein\n"));
}

// Tables of numbers alone, whose layout the configuration tells.
TEST_F(Newcomer, OtherSeparatorsGetAHint) {
  folder_.write("own.csv", rows(",", "", "-1"));
  folder_.write("own.tsv", rows("\t", "", "-1"));
  folder_.write("own.ssv", rows(";", "", "-1"));
  const std::string file = own_file() + "[data]\nlabels_from = [-1, 1]\nlabels_to = [-1, 1]\n";
  folder_.write("own.toml", file);
  ASSERT_EQ(run({"run", "own.toml"}).code, 0);
  const std::string model = "runs/own/posteriors/fedavg-1.fedstein";
  EXPECT_THAT(run({"run", "own.toml", "--set", "experiment.dataset=own.tsv"}).errors,
              HasSubstr("; the columns seem to be separated by tabs: separator = \"\\t\""));
  EXPECT_THAT(run({"evaluate", model, "own.ssv"}).errors,
              HasSubstr("; the columns seem to be separated by semicolons: separator = \";\""));
  const Finished judged = run({"evaluate", model, "own.tsv", "--separator", "\\t"});
  EXPECT_EQ(judged.code, 0) << judged.errors;
  EXPECT_THAT(judged.output, HasSubstr("60 rows judged"));
  EXPECT_EQ(run({"predict", model, "own.tsv", "--separator", "tab"}).code, 0);
  EXPECT_THAT(run({"predict", model, "own.tsv", "--separator", "ab"}).errors,
              HasSubstr("--separator: it is 'ab'; allowed: one character, \\t (a tab) or blank"));
  EXPECT_EQ(
      run({"run", "own.toml", "--set", "experiment.dataset=own.tsv", "--set", "data.separator=tab", "--folder", "t"})
          .code,
      0);
  folder_.write("nan.csv", rows(",", "nan,1,1\n", "-1"));
  EXPECT_THAT(run({"evaluate", model, "nan.csv"}).errors,
              AllOf(HasSubstr("nan.csv:1: column 0 (from 0): found 'nan'"),
                    HasSubstr("it stands for a missing value"),
                    Not(HasSubstr("header"))));
}

TEST_F(Newcomer, NothingOnTheStandardInputIsOneError) {
  folder_.write("own.csv", rows(",", "a,b,ill\n"));
  folder_.write("own.toml", own_file());
  ASSERT_EQ(run({"run", "own.toml"}).code, 0);
  folder_.write("numbers.csv", rows(",", "", "-1"));
  folder_.write("numbers.toml", own_file() + "[data]\nlabels_from = [-1, 1]\nlabels_to = [-1, 1]\n");
  ASSERT_EQ(run({"run", "numbers.toml", "--folder", "numbers", "--set", "experiment.dataset=numbers.csv"}).code, 0);
  for (const char* const model : {"runs/own/posteriors/fedavg-1.fedstein", "numbers/posteriors/fedavg-1.fedstein"}) {
    for (const char* input : {"", "\\n", "\\n  \\n\\n"}) {
      for (const std::string& verb : {"predict " + std::string(model) + " -",
                                      "evaluate " + std::string(model) + " -",
                                      "calibrate " + std::string(model) + " - -o c.fedstein",
                                      std::string("data describe -")}) {
        const Finished ended = shell("printf '" + std::string(input) + "' | $F " + verb);
        EXPECT_EQ(ended.code, 65) << verb << " of '" << input << "': " << ended.errors << ended.output;
        EXPECT_THAT(ended.errors + ended.output, AnyOf(HasSubstr("is no row"), HasSubstr("is empty"))) << verb;
      }
    }
  }
  for (const char* verb : {"evaluate runs/own/posteriors/fedavg-1.fedstein -", "data describe -"}) {
    EXPECT_EQ(shell("$F " + std::string(verb) + " < own.csv").code, 0) << verb;
    EXPECT_EQ(shell("cat own.csv | $F " + std::string(verb)).code, 0) << verb;
  }
  EXPECT_EQ(shell("cat numbers.csv | $F evaluate numbers/posteriors/fedavg-1.fedstein -").code, 0);
}

TEST_F(Newcomer, AListOfDatasetsForPrograms) {
  EXPECT_EQ(run({"data", "make", "twonorm", "-o", "sets"}).code, 0);
  const auto list = nlohmann::json::parse(run({"data", "list", "--json", "--data", "sets"}).output);
  EXPECT_EQ(list["folder"], "sets");
  std::map<std::string, nlohmann::json> sets;
  for (const auto& one : list["datasets"]) sets[one["name"]] = one;
  EXPECT_EQ(sets["twonorm"]["here"], true);
  EXPECT_EQ(sets["twonorm"]["make"], true);
  EXPECT_TRUE(sets["twonorm"]["missing"].is_null());
  EXPECT_EQ(sets["mnist"]["here"], false);
  EXPECT_EQ(sets["mnist"]["fetch"], true);
  EXPECT_EQ(sets["mnist"]["classes"], 10);
  EXPECT_EQ(sets["feature-skew"]["generated"], true);
}

// Cases that a list of datasets makes, a name with an = in it, and a word in another script.
TEST_F(Newcomer, PartsAndSettingsByTheirNames) {
  folder_.write("own.csv", rows(",", "größe,b,ill\n"));
  folder_.write(
      "two.toml",
      "[experiment]\nname = \"two\"\ndataset = [\"own.csv\", \"feature-skew\"]\nagents = 3\n[[algorithm]]\ntype "
      "= \"fedavg\"\n[[case]]\nname = \"rounds = 2\"\nfederation.rounds = 2\n");
  const Finished one = run({"run", "two.toml", "--dry-run", "--case", "own.csv"});
  EXPECT_EQ(one.code, 0) << one.errors;
  EXPECT_THAT(one.output,
              AllOf(HasSubstr("Cases (1)"), HasSubstr("own.csv, rounds = 2"), Not(HasSubstr("feature-skew"))));
  EXPECT_THAT(run({"run", "two.toml", "--dry-run", "--case", "own.cvs"}).errors,
              HasSubstr("--case 'own.cvs' fits no name; did you mean 'own.csv'?"));
  const Finished set = run({"run", "two.toml", "--dry-run", "--set", "case.rounds = 2.federation.rounds=7"});
  EXPECT_EQ(set.code, 0) << set.errors;
  EXPECT_THAT(set.output, testing::ContainsRegex("rounds +7"));
  // A file behind an override is a file.
  EXPECT_EQ(run({"run", "--dry-run", "--set", "federation.rounds=3", "two.toml"}).code, 0);
  const Finished script = run({"run", "two.toml", "--dry-run", "--case", "own.csv", "--set", "data.ignore=größe"});
  EXPECT_THAT(script.errors, Not(HasSubstr("a TOML value or a word")));
  EXPECT_THAT(run({"data", "describe", "own.csv", "--label", "grösse"}).output,
              HasSubstr("there is no column 'grösse'; did you mean 'größe'? there are 'größe', 'b', 'ill'"));
}

// A disk that is full behind a redirection is no success, whichever verb it is.
TEST_F(Newcomer, WhatCannotBeWrittenIsAnError) {
  folder_.write("small.toml", small_file(1, 1));
  ASSERT_EQ(run({"run", "small.toml"}).code, 0);
  for (const char* verb : {"data list",
                           "schema",
                           "compare runs/small",
                           "compare runs/small --json",
                           "run small.toml --dry-run",
                           "export runs/small",
                           "--help"}) {
    const Finished ended = shell("$F " + std::string(verb) + " > /dev/full");
    EXPECT_EQ(ended.code, 74) << verb;
    EXPECT_THAT(ended.errors, HasSubstr("the standard output cannot be written")) << verb;
  }
}

TEST_F(Newcomer, AResumedRunSaysWhatIsDifferent) {
  folder_.write("long.toml", small_file(100000, 1));
  Process running(program({"run", "long.toml"}), folder_.path("."), "long");
  // Its first line of progress: rounds are being done.
  while (read_text(folder_.path("long.err")).find("job 1 of") == std::string::npos && running.running()) {
  }
  running.signal(SIGINT);
  EXPECT_EQ(running.wait(), 130);
  const Finished ended = run({"run", "long.toml", "--resume", "--set", "federation.rounds=3"});
  EXPECT_EQ(ended.code, 64);
  EXPECT_THAT(ended.errors,
              HasSubstr("has another configuration (\"rounds\": 100000 then, \"rounds\": 3 now); give the"));
  const Finished exported = run({"export", "runs/small", "--format", "posterior", "-o", "models"});
  EXPECT_THAT(exported.errors, HasSubstr("no job of the run is finished, and models are made of a job's last round"));
}

}  // namespace
}  // namespace fedstein
