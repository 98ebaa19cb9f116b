// SPDX-License-Identifier: Apache-2.0
#include "fedstein/store/run_store.h"

#include <sqlite3.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <thread>

#include "store/stored_rounds.h"
#include "support/temporary_folder.h"
#include "support/throws.h"

namespace fedstein {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class Store : public testing::Test {
 protected:
  RunStore open(RunStore::Mode mode = RunStore::Mode::kWrite) { return RunStore(path_, mode); }

  TemporaryFolder folder_;
  std::string path_ = folder_.path("runs.db");
};

void sql(const std::string& path, const std::string& text) {
  sqlite3* handle = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &handle), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(handle, text.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(handle);
  sqlite3_close(handle);
}

TEST_F(Store, ARunComesBackAsItWasBegun) {
  const RunFacts facts = facts_named("first");
  {
    RunStore store = open();
    store.begin(facts, jobs_for_trials(2));
    store.begin(facts_named("second"), {});
  }
  const RunStore store = open(RunStore::Mode::kRead);
  const std::vector<StoredRun> runs = store.runs();
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].facts.name, "first");
  EXPECT_EQ(runs[0].facts.title, facts.title);
  EXPECT_EQ(runs[0].facts.document, facts.document);
  EXPECT_EQ(runs[0].facts.configuration, facts.configuration);
  EXPECT_EQ(runs[0].facts.version, facts.version);
  EXPECT_EQ(runs[0].facts.precision, facts.precision);
  EXPECT_EQ(runs[0].facts.seed, facts.seed);
  EXPECT_EQ(runs[0].facts.host, facts.host);
  EXPECT_EQ(runs[0].facts.command, facts.command);
  EXPECT_THAT(runs[0].started, testing::MatchesRegex("20..-..-..T..:..:..Z"));
  EXPECT_EQ(runs[0].finished, "");
  EXPECT_EQ(runs[1].facts.name, "second");

  const std::vector<StoredJob> jobs = store.jobs(runs[0].id);
  ASSERT_EQ(jobs.size(), 2U);
  EXPECT_EQ(jobs[1].facts.case_name, "twonorm, K = 20");
  EXPECT_EQ(jobs[1].facts.algorithm, "dsvgd");
  EXPECT_EQ(jobs[1].facts.trial, 2);
  EXPECT_EQ(jobs[1].facts.rounds, 30);
  EXPECT_FALSE(jobs[1].facts.centralised);
  EXPECT_EQ(jobs[1].status, JobStatus::kWaiting);
  EXPECT_THAT(store.jobs(runs[1].id), IsEmpty());
}

TEST_F(Store, RoundsComeBackInOrderAndAgainReplaces) {
  RunStore store = open();
  const JobId job = store.jobs(store.begin(facts_named("a"), jobs_for_trials(1)))[0].id;
  store.write_round(job, record_of(job, 2));
  RoundRecord wrong = record_of(job, 1);
  wrong.figures = {{"accuracy", 7}, {"only_once", 1}};
  store.write_round(job, wrong);
  EXPECT_TRUE(same_round(store.rounds(job)[0], wrong));
  store.write_round(job, record_of(job, 1));

  const std::vector<RoundRecord> rounds = store.rounds(job);
  ASSERT_EQ(rounds.size(), 2U);
  EXPECT_TRUE(same_round(rounds[0], record_of(job, 1)));
  EXPECT_TRUE(same_round(rounds[1], record_of(job, 2)));
  ASSERT_EQ(rounds[0].failures.size(), 1U);
  EXPECT_EQ(rounds[0].failures[0].agent, 2);
  EXPECT_EQ(rounds[0].failures[0].kind, Failure::Kind::kLost);
  EXPECT_EQ(rounds[0].failures[0].reason, "gone");
}

TEST_F(Store, NumbersThatAreNoneSurvive) {
  const double infinity = std::numeric_limits<double>::infinity();
  JobId job = 0;
  {
    RunStore store = open();
    job = store.jobs(store.begin(facts_named("a"), jobs_for_trials(1)))[0].id;
    store.write_round(job,
                      {.round = 1,
                       .seconds = std::nan(""),
                       .spread = infinity,
                       .figures = {{"nan", std::nan("")},
                                   {"inf", infinity},
                                   {"minus inf", -infinity},
                                   {"tiny", std::numeric_limits<double>::denorm_min()},
                                   {"third", 1.0 / 3}}});
  }
  const RoundRecord record = open(RunStore::Mode::kRead).rounds(job)[0];
  EXPECT_TRUE(std::isnan(record.seconds));
  EXPECT_EQ(record.spread, infinity);
  EXPECT_TRUE(std::isnan(record.figures.at("nan")));
  EXPECT_EQ(record.figures.at("inf"), infinity);
  EXPECT_EQ(record.figures.at("minus inf"), -infinity);
  EXPECT_EQ(record.figures.at("tiny"), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(record.figures.at("third"), 1.0 / 3);
}

TEST_F(Store, WhatAnAgentSaysNeedNotBeText) {
  RunStore store = open();
  const JobId job = store.jobs(store.begin(facts_named("a"), jobs_for_trials(1)))[0].id;
  store.write_round(job, {.round = 1, .failures = {{.round = 1, .kind = Failure::Kind::kBroken, .reason = "\xff!"}}});
  EXPECT_THAT(store.rounds(job)[0].failures[0].reason, testing::EndsWith("!"));
}

TEST_F(Store, ParticlesToTheLastBit) {
  RunStore store = open();
  const JobId job = store.jobs(store.begin(facts_named("a"), jobs_for_trials(1)))[0].id;
  store.write_particles(job, 5, particles_of(job, 5));
  store.write_particles(job, 2, particles_of(job, 9));
  store.write_particles(job, 2, particles_of(job, 2));
  store.write_particles(job, 7, Particles(0, 4));
  EXPECT_THAT(store.rounds_with_particles(job), ElementsAre(2, 5, 7));
  EXPECT_EQ(store.particles(job, 2), particles_of(job, 2));
  EXPECT_EQ(store.particles(job, 5), particles_of(job, 5));
  EXPECT_EQ(store.particles(job, 7).cols(), 4);
  EXPECT_THROW_MESSAGE(store.particles(job, 3), StoreError, "has no particles of round 3");
}

TEST_F(Store, DensitiesToTheLastBit) {
  RunStore store = open();
  const JobId job = store.jobs(store.begin(facts_named("a"), jobs_for_trials(1)))[0].id;
  store.write_density(job, 5, particles_of(job, 9));
  store.write_density(job, 5, particles_of(job, 5));
  EXPECT_EQ(store.density(job, 5), particles_of(job, 5));
  EXPECT_EQ(store.density(job, 4), std::nullopt);
}

TEST_F(Store, ParticlesOfTheOtherPrecisionAreConverted) {
  JobId job = 0;
  {
    RunStore store = open();
    job = store.jobs(store.begin(facts_named("a"), jobs_for_trials(1)))[0].id;
  }
  const std::string id = std::to_string(job);
  sql(path_, "INSERT INTO particles VALUES (" + id + ", 1, 1, 2, 4, x'0000C03F000000C0')");  // 1.5f, -2f
  sql(path_, "INSERT INTO particles VALUES (" + id + ", 2, 2, 1, 8, x'000000000000F83F00000000000000C0')");  // 1.5, -2
  sql(path_, "INSERT INTO particles VALUES (" + id + ", 3, 2, 2, 8, x'000000000000F83F00000000000000C0')");
  const RunStore store = open(RunStore::Mode::kRead);
  EXPECT_EQ(store.particles(job, 1), (Particles(1, 2) << 1.5_r, -2).finished());
  EXPECT_EQ(store.particles(job, 2), (Particles(2, 1) << 1.5_r, -2).finished());
  EXPECT_THROW_MESSAGE(store.particles(job, 3), StoreError, "particles of 2 x 2 numbers of 8 bytes have 16 bytes");
}

TEST_F(Store, ReliabilityAndCheckpointAndEnds) {
  RunStore store = open();
  const RunId run = store.begin(facts_named("a"), jobs_for_trials(3));
  const std::vector<StoredJob> jobs = store.jobs(run);
  store.write_reliability(jobs[0].id, 3, {{1, 1, 0.4}, {9, 8, 8.1}, {0, 0, 0}});
  store.write_reliability(jobs[0].id, 3, {{2, 1, 0.8}, {10, 9, 9.1}});
  EXPECT_EQ(store.last_checkpoint(jobs[0].id), std::nullopt);
  store.checkpoint(jobs[0].id, 3, state_of(1, 3));
  store.checkpoint(jobs[0].id, 6, state_of(1, 6));
  store.finish_job(jobs[1].id);
  store.finish_job(jobs[2].id, "all particles are NaN");
  store.finish_run(run);

  const std::vector<StoredReliability> found = store.reliability(jobs[0].id);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].round, 3);
  ASSERT_EQ(found[0].bins.size(), 2U);
  EXPECT_EQ(found[0].bins[1].count, 10);
  EXPECT_EQ(found[0].bins[1].correct, 9);
  EXPECT_EQ(found[0].bins[1].confidence_sum, 9.1);
  EXPECT_EQ(store.last_checkpoint(jobs[0].id)->round, 6);
  EXPECT_EQ(store.last_checkpoint(jobs[0].id)->state, state_of(1, 6));
  EXPECT_EQ(store.jobs(run)[0].status, JobStatus::kWaiting);
  EXPECT_EQ(store.jobs(run)[1].status, JobStatus::kDone);
  EXPECT_EQ(store.jobs(run)[2].status, JobStatus::kFailed);
  EXPECT_EQ(store.jobs(run)[2].error, "all particles are NaN");
  EXPECT_NE(store.runs()[0].finished, "");
}

// Without a second write and without a flush: the store's own clock does it.
TEST_F(Store, DetailsAreKeptByNameAndReplaced) {
  RunStore store = open();
  const std::vector<StoredJob> jobs = store.jobs(store.begin(facts_named("a"), jobs_for_trials(2)));
  store.write_detail(jobs[0].id, "guess", R"({"accuracy":0.5})");
  store.write_detail(jobs[0].id, "rows", "{}");
  store.write_detail(jobs[0].id, "guess", R"({"accuracy":0.6})");
  store.finish_job(jobs[0].id);
  const std::map<std::string, std::string> expected = {{"guess", R"({"accuracy":0.6})"}, {"rows", "{}"}};
  EXPECT_EQ(store.details(jobs[0].id), expected);
  EXPECT_TRUE(store.details(jobs[1].id).empty());
}

TEST_F(Store, ARoundReachesOthersByItself) {
  RunStore writer = open();
  const JobId job = writer.jobs(writer.begin(facts_named("a"), jobs_for_trials(1)))[0].id;
  const RunStore reader = open(RunStore::Mode::kRead);
  const auto start = std::chrono::steady_clock::now();
  writer.write_round(job, record_of(job, 1));
  while (reader.rounds(job).empty()) {
    ASSERT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
    std::this_thread::yield();
  }
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(400)) << "was not kept back at all";
}

TEST_F(Store, TheLastToCloseLeavesOneFileAndItsLock) {
  { open().begin(facts_named("a"), jobs_for_trials(1)); }
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path(""))) {
    names.push_back(entry.path().filename().string());
  }
  EXPECT_THAT(names, testing::UnorderedElementsAre("runs.db", "runs.db-lock"));
}

TEST_F(Store, MovesWithItsWaitingRounds) {
  RunStore first = open();
  const JobId job = first.jobs(first.begin(facts_named("a"), jobs_for_trials(1)))[0].id;
  first.write_round(job, record_of(job, 1));
  const RunStore second(std::move(first));
  EXPECT_EQ(second.rounds(job).size(), 1U);
}

}  // namespace
}  // namespace fedstein
