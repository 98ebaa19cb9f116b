// SPDX-License-Identifier: Apache-2.0
// `fedstein flower new` as a user starts it. That Python writes the same bytes is tested in python/tests/flower.
#include <gmock/gmock.h>

#include <filesystem>

#include "apps/program.h"

namespace fedstein {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kExperiment =
    "[experiment]\nname = \"hospitals\"\ndataset = \"rows.csv\"\nagents = 2\ntrials = 1\nscaling = \"none\"\n"
    "[federation]\nrounds = 2\n[[algorithm]]\ntype = \"c-dsvgd\"\n[server]\nfeatures = 3\n";

TEST(FlowerVerb, WritesAnAppOnce) {
  const TemporaryFolder folder;
  folder.write("experiment.toml", kExperiment);
  const Finished made = fedstein_in(folder, {"flower", "new", "app", "experiment.toml", "--publisher", "hospitals"});
  ASSERT_EQ(made.code, 0) << made.errors;
  EXPECT_EQ(made.output, "wrote app\nflwr run app\n");
  EXPECT_THAT(read_text(folder.path("app/pyproject.toml")), HasSubstr("publisher = \"hospitals\"\n"));
  EXPECT_EQ(read_text(folder.path("app/app_app/experiment.toml")), kExperiment);
  const Finished again = fedstein_in(folder, {"flower", "new", "app", "experiment.toml"});
  EXPECT_EQ(again.code, 73);
  EXPECT_EQ(again.errors, "fedstein: app: is there already; name a folder that is new or empty\n");
}

TEST(FlowerVerb, RefusesAsServeDoes) {
  const TemporaryFolder folder;
  folder.write("wrong.toml", std::string(kExperiment) + "quorums = 2\n");
  const auto refused = [&](const std::vector<std::string>& words, int code, const std::string& part) {
    const Finished found = fedstein_in(folder, words);
    EXPECT_EQ(found.code, code) << found.errors;
    EXPECT_THAT(found.errors, StartsWith("fedstein: "));
    EXPECT_THAT(found.errors, HasSubstr(part));
    EXPECT_FALSE(std::filesystem::exists(folder.path("app")));
  };
  refused({"flower", "new", "app", "wrong.toml"}, 78, "did you mean 'quorum'?");
  refused({"flower", "new", "app", "absent.toml"}, 66, "absent.toml");
  refused({"flower", "new", "app"}, 64, "file");
  refused({"flower", "knew", "app"}, 64, "did you mean 'new'?");
}

}  // namespace
}  // namespace fedstein
