// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "apps/program.h"
#include "store/stored_rounds.h"

namespace fedstein {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// A run folder with two runs; the second has one round more.
class ExportVerb : public testing::Test {
 protected:
  ExportVerb() {
    std::filesystem::create_directory(folder_.path("mine"));
    RunStore store(folder_.path("mine/store.sqlite"), RunStore::Mode::kWrite);
    for (Index rounds = 1; rounds <= 2; ++rounds) {
      const RunId run = store.begin(facts_named("a"), jobs_for_trials(1));
      const JobId job = store.jobs(run)[0].id;
      for (Index round = 1; round <= rounds; ++round) store.write_round(job, record_of(job, round));
    }
  }
  Finished csv(const std::string& run) const { return fedstein_in(folder_, {"export", run}); }

  TemporaryFolder folder_;
};

TEST_F(ExportVerb, TheNewestRunOrTheOneAskedFor) {
  const auto lines = [](const std::string& text) { return std::count(text.begin(), text.end(), '\n'); };
  EXPECT_EQ(lines(csv("mine").output), 3);
  EXPECT_EQ(lines(csv("mine#1").output), 2);
  EXPECT_EQ(csv("mine/store.sqlite#2").output, csv("mine").output);
  EXPECT_THAT(csv("mine#3").errors, HasSubstr("there is no run 3; it holds runs 1 to 2"));
  EXPECT_THAT(csv("mine#x").errors, HasSubstr("there is no run 'mine#x'"));
  EXPECT_THAT(csv(".").errors, HasSubstr("holds no run: there is no store.sqlite in it"));
  EXPECT_EQ(csv("mine#3").code, 66);
}

TEST_F(ExportVerb, WritesWholeFiles) {
  const Finished npz = fedstein_in(folder_, {"export", "mine", "--format", "npz", "-o", "out/run.npz"});
  EXPECT_EQ(npz.code, 0);
  EXPECT_EQ(npz.output, "");
  std::ostringstream content;
  content << std::ifstream(folder_.path("out/run.npz"), std::ios::binary).rdbuf();
  EXPECT_THAT(content.str(), StartsWith("PK\x03\x04"));
  EXPECT_EQ(content.str(), fedstein_in(folder_, {"export", "mine", "--format", "npz"}).output);
  EXPECT_THAT(fedstein_in(folder_, {"export", "mine", "--format", "json"}).output, StartsWith("{\"run\":{\"id\":2,"));
  EXPECT_EQ(fedstein_in(folder_, {"export", "mine", "--format", "xml"}).code, 64);
}

}  // namespace
}  // namespace fedstein
