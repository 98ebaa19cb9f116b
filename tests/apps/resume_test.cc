// SPDX-License-Identifier: Apache-2.0
// Chaos: a run that is killed at random moments and resumed ends with exactly the numbers of an undisturbed one.
#include <gmock/gmock.h>

#include <chrono>
#include <random>
#include <thread>

#include "apps/program.h"
#include "apps/small_file.h"
#include "experiment/small_experiment.h"

namespace fedstein {
namespace {

using testing::HasSubstr;

constexpr int kRounds = 400;
constexpr int kTrials = 2;
constexpr int kLocalSteps = 60;   // long enough to be killed in the middle
constexpr int kManyRounds = 600;  // long enough to be stopped by hand

std::string store_in(const TemporaryFolder& folder) {
  return folder.path("runs/small/store.sqlite");
}

bool is_finished(const std::string& path) {
  if (!std::filesystem::exists(path)) return false;
  const auto runs = RunStore(path, RunStore::Mode::kRead).runs();
  return !runs.empty() && !runs.back().finished.empty();
}

// It has a run to go on with, and has told of it: its first lines may be notes, from before there is one.
void wait_until_at_work(Process& process, const TemporaryFolder& folder) {
  const auto told = [&] { return process.errors().find("job 1 of") != std::string::npos; };
  while (process.running() && !(std::filesystem::exists(store_in(folder)) && told())) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

Numbers undisturbed(int rounds, std::chrono::duration<double>* took = nullptr) {
  const auto begin = std::chrono::steady_clock::now();
  const TemporaryFolder folder;
  folder.write("small.toml", small_file(rounds, kTrials, kLocalSteps));
  const Finished run = fedstein_in(folder, {"run", "small.toml"});
  EXPECT_EQ(run.code, 0) << run.errors;
  if (took != nullptr) *took = std::chrono::steady_clock::now() - begin;
  return numbers_of(store_in(folder));
}

TEST(ChaosResume, KilledAtRandomTimesItEndsWithTheSameNumbers) {
  const TemporaryFolder folder;
  folder.write("small.toml", small_file(kRounds, kTrials, kLocalSteps));
  std::chrono::duration<double> whole{};
  const Numbers expected = undisturbed(kRounds, &whole);
  // Measured by this machine: each process may do a small part of the run only.
  std::mt19937 random(2020);
  std::uniform_real_distribution<double> part(0.03, 0.2);
  int kills = 0;
  bool begun = false;
  for (int attempt = 0; attempt < 200; ++attempt) {
    std::vector<std::string> words = {"run", "small.toml"};
    if (begun) words.emplace_back("--resume");
    words.insert(words.end(), {"--checkpoint", "0.02"});
    Process process(program(words), folder.path("."));
    // After a dozen kills it may finish.
    const std::chrono::duration<double> patience = kills < 12 ? part(random) * whole : std::chrono::minutes(1);
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (process.running() && std::chrono::steady_clock::now() < deadline) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    if (!process.running()) {
      ASSERT_EQ(process.wait(), 0) << process.errors();
      break;
    }
    process.signal(SIGKILL);
    process.wait();
    ++kills;
    if (is_finished(store_in(folder))) break;  // killed between the last write and the end of the program
    begun = begun || (std::filesystem::exists(store_in(folder)) &&
                      !RunStore(store_in(folder), RunStore::Mode::kRead).runs().empty());
  }
  EXPECT_GE(kills, 2);
  EXPECT_EQ(numbers_of(store_in(folder)), expected);
}

TEST(Resume, CtrlCStopsCleanlyAndSaysHowToGoOn) {
  const TemporaryFolder folder;
  folder.write("small.toml", small_file(kManyRounds, kTrials, kLocalSteps));
  {
    Process process(program({"run", "small.toml"}), folder.path("."));
    wait_until_at_work(process, folder);
    process.signal(SIGINT);
    EXPECT_EQ(process.wait(), 130);
    EXPECT_THAT(process.errors(), HasSubstr("go on with: fedstein run small.toml --resume"));
  }
  EXPECT_EQ(fedstein_in(folder, {"run", "small.toml", "--resume"}).code, 0);
  EXPECT_EQ(numbers_of(store_in(folder)), undisturbed(kManyRounds));
}

TEST(Resume, WithoutAnythingToResumeOrWithAnotherConfigurationIsRefused) {
  const TemporaryFolder folder;
  folder.write("small.toml", small_file());
  const Finished nothing = fedstein_in(folder, {"run", "small.toml", "--resume"});
  EXPECT_EQ(nothing.code, 64);
  EXPECT_THAT(nothing.errors, HasSubstr("there is no run in runs/small"));
  EXPECT_EQ(fedstein_in(folder, {"run", "small.toml"}).code, 0);
  EXPECT_THAT(fedstein_in(folder, {"run", "small.toml", "--resume"}).errors, HasSubstr("has no unfinished run"));

  folder.write("small.toml", small_file(kManyRounds, kTrials, kLocalSteps));
  {
    Process process(program({"run", "small.toml"}), folder.path("."), "stopped");
    wait_until_at_work(process, folder);
    process.signal(SIGINT);
    process.wait();
  }
  const Finished other = fedstein_in(folder, {"run", "small.toml", "--resume", "--seed", "9"});
  EXPECT_EQ(other.code, 64);
  EXPECT_THAT(other.errors, HasSubstr("has another configuration"));
}

}  // namespace
}  // namespace fedstein
