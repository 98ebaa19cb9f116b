// SPDX-License-Identifier: Apache-2.0
// A run that somebody else writes, seen through its store alone.
#include "fedstein/live/followed_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "fedstein/config/parse.h"
#include "fedstein/experiment/execute.h"
#include "fedstein/store/run_lock.h"
#include "support/temporary_folder.h"

namespace fedstein {
namespace {

using nlohmann::json;

RoundRecord record(Index round, double accuracy, double agents = 2) {
  return {.round = round,
          .scheduled = {0, 1},
          .folded = {0, 1},
          .seconds = 0.5,
          .bytes_down = 60,
          .bytes_up = 40,
          .spread = 1,
          .figures = {{"accuracy", accuracy}, {"agents", agents}}};
}

class FollowedRunTest : public testing::Test {
 protected:
  FollowedRunTest() : store_(folder_.path("store.sqlite"), RunStore::Mode::kWrite) { begin("first"); }

  void begin(const std::string& name) {
    plan_ = parse_plan("[experiment]\nname = \"" + name +
                           "\"\ndataset = \"feature-skew\"\nagents = 2\n[federation]\nrounds = 100\n[[algorithm]]\n"
                           "type = \"dsvgd\"\n",
                       name + ".toml",
                       {});
    run_ = begin_run(plan_, store_, "fedstein run " + name + ".toml");
    job_ = store_.jobs(run_).front().id;
  }
  static json shown(FollowedRun& run) {
    Board::Parts parts;
    run.show(parts);
    json out;
    for (const auto& [name, text] : parts) out[name] = json::parse(text);
    return out;
  }

  TemporaryFolder folder_;
  RunStore store_;
  Plan plan_;
  RunId run_ = 0;
  JobId job_ = 0;
};

TEST_F(FollowedRunTest, SeesRoundsThatWereWrittenBeforeAndAfterItCame) {
  for (Index round = 1; round <= 3; ++round) store_.write_round(job_, record(round, 0.5));
  store_.checkpoint(job_, 1, "state");  // the writer goes on; whoever looks need not go back to it
  FollowedRun run(folder_.path("."));
  EXPECT_EQ(run.name(), "first");
  EXPECT_EQ(run.totals().rounds_done, 3);
  store_.write_round(job_, record(4, 0.75));
  store_.flush();
  EXPECT_EQ(run.totals().rounds_done, 4);
  EXPECT_EQ(run.totals().bytes_up, 160);
  store_.finish_job(job_);
  store_.finish_run(run_);
  EXPECT_EQ(run.totals().state, "finished");
  EXPECT_EQ(run.totals().jobs_done, 1);
  EXPECT_EQ(run.totals().bytes_up, 160) << "nothing is counted twice";
}

TEST_F(FollowedRunTest, SaysWhetherSomebodyWritesTheRun) {
  FollowedRun run(folder_.path("."));
  {
    const RunLock writing(folder_.path("store.sqlite"), run_);
    EXPECT_EQ(run.totals().state, "running");
  }
  EXPECT_EQ(run.totals().state, "stopped");
  const RunLock again(folder_.path("store.sqlite"), run_);
  EXPECT_EQ(run.totals().state, "running");
}

TEST_F(FollowedRunTest, GoesOverToARunThatBeginsLaterUnlessItsNumberWasAsked) {
  store_.write_round(job_, record(1, 0.5));
  store_.flush();
  FollowedRun newest(folder_.path("."));
  FollowedRun first(folder_.path(".") + "#1");
  begin("second");
  EXPECT_EQ(newest.totals().rounds_done, 0);
  EXPECT_EQ(newest.name(), "second");
  EXPECT_EQ(first.totals().rounds_done, 1);
  EXPECT_EQ(first.name(), "first");
}

TEST_F(FollowedRunTest, OfAFederationShowsAgentsAndFiguresThatComeLate) {
  store_.write_detail(job_, kAgentNamesDetail, "[\"north\", \"south\"]");
  store_.write_round(job_, record(1, 0.5));
  store_.flush();
  FollowedRun run(folder_.path("."));
  json parts = shown(run);
  EXPECT_EQ(parts["federation"]["state"], "running");
  EXPECT_EQ(parts["federation"]["troubles"][0], "the server of this federation is not running now");
  EXPECT_EQ(parts["agent.0"]["name"], "north");
  EXPECT_EQ(parts["agent.1"]["state"], "here");
  RoundRecord lost = record(2, 0);
  lost.folded = {0};
  lost.failures = {{2, 1, Failure::Kind::kTimedOut, "it did not answer"}};
  lost.figures.clear();
  store_.write_round(job_, lost);
  store_.flush();
  parts = shown(run);
  EXPECT_EQ(parts["agent.1"]["state"], "away");
  EXPECT_EQ(parts["agent.1"]["why"], "it did not answer");
  EXPECT_EQ(parts["agent.1.counts"][2], 1) << "missed deadlines";
  EXPECT_EQ(parts["events"][0]["reason"], "round 2: it did not answer");
  EXPECT_EQ(parts["agent.0.counts"][0], 2) << "the last round that counted it";
  const json before = parts;
  EXPECT_EQ(shown(run), before) << "what has been told is not told again";
  store_.write_figures(job_, 2, {{"accuracy", 0.875}, {"agents", 2}});
  store_.flush();
  EXPECT_NE(shown(run).dump().find("0.875"), std::string::npos);
}

TEST_F(FollowedRunTest, SaysWhyNothingFollowsWhenTheStoreCannotBeRead) {
  store_.write_round(job_, record(1, 0.5));
  store_.flush();
  FollowedRun run(folder_.path("."));
  EXPECT_FALSE(shown(run).contains("trouble"));
  // A newer fedstein, or somebody's hand: a run that this program cannot make sense of.
  store_.begin({.name = "odd", .document = "what is this"}, {});
  const json parts = shown(run);
  ASSERT_TRUE(parts.contains("trouble"));
  EXPECT_THAT(parts["trouble"].get<std::string>(), testing::HasSubstr("stored configuration"));
  EXPECT_EQ(run.totals().state, "stopped");
  EXPECT_EQ(parts["progress"]["rounds_done"], 1) << "what was read before is shown";
}

TEST_F(FollowedRunTest, RefusesWhatIsNoRunInOneSentence) {
  EXPECT_THROW(FollowedRun(folder_.path("absent")), Error);
  EXPECT_THROW(FollowedRun(folder_.path(".") + "#7"), Error);
  store_.write_detail(job_, kAgentNamesDetail, "{\"north\": [");  // a damaged detail makes it a plain run
  store_.flush();
  FollowedRun run(folder_.path("."));
  EXPECT_EQ(shown(run)["run"]["kind"], "run");
}

}  // namespace
}  // namespace fedstein
