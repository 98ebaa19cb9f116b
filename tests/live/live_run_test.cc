// SPDX-License-Identifier: Apache-2.0
// What a live page is told of a run, from a store that is being written.
#include "fedstein/live/live_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "fedstein/config/parse.h"
#include "fedstein/experiment/execute.h"
#include "fedstein/live/federation_parts.h"
#include "support/temporary_folder.h"

namespace fedstein {
namespace {

using nlohmann::json;

RoundRecord record(Index round, double accuracy) {
  return {.round = round,
          .scheduled = {0},
          .folded = {0},
          .seconds = 0.5,
          .bytes_down = 60,
          .bytes_up = 40,
          .spread = 1,
          .figures = {{"accuracy", accuracy}, {"rows", 100}}};
}

class LiveRunTest : public testing::Test {
 protected:
  LiveRunTest() : store_(folder_.path("store.sqlite"), RunStore::Mode::kWrite) {
    plan_ = parse_plan(
        "[experiment]\nname = \"two\"\ndataset = \"feature-skew\"\nagents = 3\ntrials = 2\n[federation]\nrounds = "
        "1000\n[[algorithm]]\ntype = \"dsvgd\"\n[[algorithm]]\ntype = \"fedavg\"\n",
        "two.toml",
        {});
    run_ = begin_run(plan_, store_, "fedstein run two.toml");
  }
  json shown(const LiveRun& live) const {
    Board::Parts parts;
    live.show(parts);
    json out;
    for (const auto& [name, text] : parts) out[name] = json::parse(text);
    return out;
  }
  JobId job(std::size_t at) const { return store_.jobs(run_).at(at).id; }

  TemporaryFolder folder_;
  RunStore store_;
  Plan plan_;
  RunId run_ = 0;
};

TEST_F(LiveRunTest, HearsOfRoundsAndEndsAndGivesCurvesAndJobs) {
  const auto live = std::make_shared<LiveRun>(LiveKind::kRun, plan_, store_, run_);
  store_.watch(live);
  const auto facts = store_.jobs(run_);
  for (std::size_t k = 0; k < facts.size(); ++k) {
    if (facts[k].facts.algorithm != "dsvgd") continue;
    for (Index round = 1; round <= 3; ++round) {
      store_.write_round(job(k), record(round, 0.5 + 0.1 * static_cast<double>(facts[k].facts.trial)));
    }
    if (facts[k].facts.trial == 1) store_.finish_job(job(k));
  }
  const json parts = shown(*live);
  EXPECT_EQ(parts["run"]["kind"], "run");
  EXPECT_EQ(parts["progress"]["jobs"], 4);
  EXPECT_EQ(parts["progress"]["jobs_done"], 1);
  EXPECT_EQ(parts["series.0"]["algorithm"], "dsvgd");
  EXPECT_EQ(parts["series.0"]["trials"], 2);
  EXPECT_EQ(parts["series.0.0"]["rounds"], (json{1, 2, 3}));
  EXPECT_NEAR(parts["series.0.0"]["figures"]["accuracy"]["mean"][2].get<double>(), 0.65, 1e-6);
  EXPECT_EQ(parts["series.0.0"]["bytes"], (json{100, 200, 300}));
  EXPECT_FALSE(parts["series.0.0"]["figures"].contains("rows"));
  EXPECT_EQ(parts["jobs.0"]["states"], "dr");
  EXPECT_EQ(parts["jobs.0"]["at_work"][0][1], 3);
  EXPECT_EQ(parts["jobs.1"]["states"], "ww");
  EXPECT_FALSE(parts.contains("series.1.0"));
}

TEST_F(LiveRunTest, APageOfARestartedProgramHasTheWholeCurve) {
  for (Index round = 1; round <= 700; ++round)
    store_.write_round(job(0), record(round, 0.001 * static_cast<double>(round)));
  store_.finish_job(job(0));
  store_.flush();
  const RunStore again(folder_.path("store.sqlite"), RunStore::Mode::kRead);
  const LiveRun live(LiveKind::kRun, plan_, again, run_);
  const json parts = shown(live);
  EXPECT_EQ(parts["series.0"]["stride"], 2);
  std::vector<Index> rounds;
  for (int piece = 0; parts.contains("series.0." + std::to_string(piece)); ++piece) {
    for (const json& round : parts["series.0." + std::to_string(piece)]["rounds"]) rounds.push_back(round.get<Index>());
  }
  EXPECT_EQ(rounds.front(), 1);
  EXPECT_EQ(rounds.back(), 700);
  EXPECT_EQ(rounds.size(), 351U);
}

TEST_F(LiveRunTest, ARoundChangesOnePieceOfTheCurve) {
  const auto live = std::make_shared<LiveRun>(LiveKind::kRun, plan_, store_, run_);
  store_.watch(live);
  Board board;
  std::size_t most = 0;
  std::uint64_t seen = 0;
  for (Index round = 1; round <= 300; ++round) {
    store_.write_round(job(0), record(round, 0.5));
    Board::Parts parts;
    live->show(parts);
    board.update(parts);
    const BoardEvent event = board.since(seen);
    if (seen > 0) most = std::max(most, event.text.size());
    seen = event.version;
  }
  EXPECT_LT(most, 2500U);
  EXPECT_GT(board.since(0).text.size(), 7000U);  // whoever comes late gets all of it
}

TEST_F(LiveRunTest, FiguresThatComeLateReplaceTheRoundsOwn) {
  Plan one = plan_;
  one.trials = 1;
  const auto live = std::make_shared<LiveRun>(LiveKind::kFederation, one, store_, run_);
  RoundRecord first = record(1, 0.5);
  first.figures.clear();
  live->wrote_round(job(0), first);
  live->wrote_round(job(0), first);
  EXPECT_FALSE(shown(*live)["series.0.0"]["figures"].contains("accuracy"));
  live->wrote_round(job(0), record(2, 0.7));
  live->wrote_round(job(0), record(1, 0.6));
  const json parts = shown(*live);
  EXPECT_EQ(parts["series.0.0"]["rounds"], (json{1, 2}));
  EXPECT_EQ(parts["series.0.0"]["bytes"], (json{100, 200}));
  EXPECT_EQ(parts["series.0.0"]["figures"]["accuracy"]["mean"], (json{0.6, 0.7}));
}

// As a server has them: agents evaluate a belief while the next round is computed.
TEST_F(LiveRunTest, FiguresOfARoundThatIsWrittenAlreadyAreAddedToIt) {
  Plan one = plan_;
  one.trials = 1;
  const auto live = std::make_shared<LiveRun>(LiveKind::kFederation, one, store_, run_);
  store_.watch(live);
  RoundRecord bare = record(1, 0);
  bare.figures = {{"step", 0.2}};
  store_.write_round(job(0), bare);
  bare.round = 2;
  store_.write_round(job(0), bare);
  store_.write_figures(job(0), 1, {{"accuracy", 0.5}, {"agents", 2}, {"rows", 40}});
  store_.write_figures(job(0), 1, {{"accuracy", 0.625}, {"agents", 3}, {"rows", 60}});
  store_.write_figures(job(0), 9, {{"accuracy", 0.1}});
  const json figures = shown(*live)["series.0.0"]["figures"];
  EXPECT_EQ(figures["accuracy"]["mean"][0], 0.625);
  EXPECT_TRUE(figures["accuracy"]["mean"][1].is_null());
  EXPECT_EQ(figures["step"]["mean"].size(), 2U);
  EXPECT_FALSE(figures.contains("agents"));
}

TEST_F(LiveRunTest, ARoundThatHalfOfTheAgentsHaveEvaluatedIsNotDrawnYet) {
  Plan one = plan_;
  one.trials = 1;
  const auto live = std::make_shared<LiveRun>(LiveKind::kFederation, one, store_, run_);
  store_.watch(live);
  for (Index round = 1; round <= 3; ++round) {
    RoundRecord bare = record(round, 0);
    bare.figures.clear();
    store_.write_round(job(0), bare);
  }
  const auto accuracy = [&](std::size_t at) {
    const json figures = shown(*live)["series.0.0"]["figures"];
    return figures.contains("accuracy") ? figures["accuracy"]["mean"][at] : json();
  };
  store_.write_figures(job(0), 1, {{"accuracy", 0.25}, {"agents", 1}});
  store_.write_figures(job(0), 1, {{"accuracy", 0.5}, {"agents", 2}});
  EXPECT_EQ(accuracy(0), 0.5);
  store_.write_figures(job(0), 2, {{"accuracy", 0.75}, {"agents", 1}});
  EXPECT_TRUE(accuracy(1).is_null());
  // The second agent is away: the next round's first report shows it, and the end the last one.
  store_.write_figures(job(0), 3, {{"accuracy", 0.625}, {"agents", 1}});
  EXPECT_EQ(accuracy(1), 0.75);
  live->end("finished");
  EXPECT_EQ(accuracy(2), 0.625);
}

TEST(FederationParts, TellWhoIsWhereAndWhy) {
  DeskStatus desk{.begun = true, .closed_round = 7};
  desk.agents.push_back({.name = "north", .enrolled = true, .attached = true, .waited_for = true, .rows = 20});
  desk.agents.push_back({.name = "south",
                         .enrolled = true,
                         .away_since = "2026-01-01T00:00:00Z",
                         .away_because = "its connection ended"});
  desk.agents.push_back({.name = "east", .enrolled = true, .bar = "its certificate is revoked"});
  desk.agents.push_back({.name = "\xff<b>"});
  for (int k = 0; k < 200; ++k) desk.events.push_back({.at = "t", .reason = std::string(500, 'x')});
  Board::Parts parts;
  show_federation(parts, {.address = "a:1", .rounds = 9, .troubles = {"", "a list is old"}}, desk);
  EXPECT_EQ(json::parse(parts["federation"])["troubles"], (json{"a list is old"}));
  EXPECT_EQ(json::parse(parts["agent.0"])["state"], "working");
  EXPECT_EQ(json::parse(parts["agent.1"])["state"], "away");
  EXPECT_EQ(json::parse(parts["agent.1"])["why"], "its connection ended");
  EXPECT_EQ(json::parse(parts["agent.2"])["state"], "barred");
  EXPECT_EQ(json::parse(parts["agent.2"])["why"], "its certificate is revoked");
  EXPECT_EQ(json::parse(parts["agent.3"])["state"], "new");
  EXPECT_EQ(json::parse(parts["events"]).size(), 60U);
}

}  // namespace
}  // namespace fedstein
