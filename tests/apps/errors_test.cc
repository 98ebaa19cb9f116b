// SPDX-License-Identifier: Apache-2.0
// Bad input gets one clear error, a non-zero exit code, and leaves nothing behind.
#include <gmock/gmock.h>

#include "apps/program.h"
#include "apps/small_file.h"

namespace fedstein {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

TEST(Errors, AllMistakesOfAConfigurationComeAtOnceWithTheirLines) {
  const TemporaryFolder folder;
  folder.write("bad.toml",
               "[experiment]\nname = \"bad\"\ndataset = \"feature-skew\"\nagents = 0\ncolour = \"red\"\n\n"
               "[federation]\nrounds = \"ten\"\n\n[[algorithm]]\ntype = \"dsvgd\"\nparticles = 0\n");
  const Finished run = fedstein_in(folder, {"run", "bad.toml"});
  EXPECT_EQ(run.code, 78);
  EXPECT_THAT(run.errors,
              AllOf(HasSubstr("bad.toml:4: "),
                    HasSubstr("bad.toml:5: "),
                    HasSubstr("colour"),
                    HasSubstr("bad.toml:8: "),
                    HasSubstr("bad.toml:12: ")));
  EXPECT_FALSE(std::filesystem::exists(folder.path("runs")));
}

TEST(Errors, AMissingFileIsNamed) {
  const TemporaryFolder folder;
  const Finished run = fedstein_in(folder, {"run", "nowhere.toml"});
  EXPECT_EQ(run.code, 66);
  EXPECT_THAT(run.errors, AllOf(StartsWith("fedstein: "), HasSubstr("nowhere.toml")));
}

TEST(Errors, AMissingDatasetIsNamedBeforeAnyWork) {
  const TemporaryFolder folder;
  const Finished run = fedstein_in(folder, {"reproduce", "no-drift", "--data", folder.path("empty")});
  EXPECT_EQ(run.code, 78);
  EXPECT_THAT(run.errors, AllOf(HasSubstr("twonorm"), HasSubstr("covertype")));
  EXPECT_FALSE(std::filesystem::exists(folder.path("runs")));
}

// What is wrong with a file of the user's own is said once, before any work.
TEST(Errors, AnOwnFileIsCheckedBeforeAnyWork) {
  const TemporaryFolder folder;
  std::string rows;
  for (int i = 0; i < 40; ++i) rows += std::to_string(i) + "," + std::to_string(i * i % 7) + (i % 2 ? ",1\n" : ",-1\n");
  folder.write("own.csv", rows);
  folder.write("own.toml",
               "[experiment]\nname = \"own\"\ndataset = \"own.csv\"\nagents = 2\ntrials = 1\n[federation]\nrounds = 1\n"
               "[[algorithm]]\ntype = \"dsvgd\"\nlocal_steps = 2\n[[algorithm]]\ntype = \"fedavg\"\nlocal_steps = 2\n");
  EXPECT_EQ(fedstein_in(folder, {"run", "own.toml"}).code, 0);
  folder.write("own.csv", rows + "1,x,1\n");
  const Finished bad = fedstein_in(folder, {"run", "own.toml", "--folder", "elsewhere"});
  EXPECT_NE(bad.code, 0);
  EXPECT_THAT(bad.errors,
              AllOf(StartsWith("fedstein: "), HasSubstr("column 1 (from 0): found 'x' in line 41; expected a number")));
  EXPECT_EQ(std::count(bad.errors.begin(), bad.errors.end(), '\n'), 1);
  EXPECT_FALSE(std::filesystem::exists(folder.path("elsewhere")));
}

// Steps without measure: no update can be taken in, and the table must not look like a result.
TEST(Errors, RoundsThatAllFailAreWarnedOf) {
  const TemporaryFolder folder;
  folder.write("small.toml", small_file(2, 1));
  const Finished run = fedstein_in(folder, {"run", "small.toml", "--set", "hyperparameters.learning_rate=1e30"});
  EXPECT_THAT(run.errors, AllOf(HasSubstr("warning: "), HasSubstr("2 of 2 rounds took nobody's update in")));
}

TEST(Errors, UnknownNamesAreAnsweredWithTheKnownOnes) {
  const TemporaryFolder folder;
  const Finished run = fedstein_in(folder, {"reproduce", "toy-3d"});
  EXPECT_EQ(run.code, 64);
  EXPECT_THAT(run.errors, AllOf(HasSubstr("'toy-3d'"), HasSubstr("toy-2d")));
  EXPECT_EQ(fedstein_in(folder, {"fly"}).code, 64);
  EXPECT_THAT(fedstein_in(folder, {"fly"}).errors, HasSubstr("there is no verb 'fly'"));
  EXPECT_EQ(fedstein_in(folder, {}).code, 64);
  EXPECT_EQ(fedstein_in(folder, {"check-gradients", "oracle"}).code, 64);
}

TEST(Errors, ARunThatIsNoneIsASentence) {
  const TemporaryFolder folder;
  const Finished missing = fedstein_in(folder, {"compare", "runs/none"});
  EXPECT_EQ(missing.code, 66);
  EXPECT_THAT(missing.errors, HasSubstr("there is no run 'runs/none'"));
  folder.write("broken", "this is not a store");
  const Finished broken = fedstein_in(folder, {"compare", "broken"});
  EXPECT_EQ(broken.code, 74);
  EXPECT_THAT(broken.errors, StartsWith("fedstein: "));
  folder.write("small.toml", small_file(1, 1));
  EXPECT_EQ(fedstein_in(folder, {"run", "small.toml"}).code, 0);
  const Finished target = fedstein_in(folder, {"compare", "runs/small", "--target", "accuracy"});
  EXPECT_EQ(target.code, 64);
  EXPECT_THAT(target.errors, HasSubstr("'accuracy' is not FIGURE=NUMBER"));
  const Finished unknown = fedstein_in(folder, {"compare", "runs/small", "--target", "charm=0.7"});
  EXPECT_EQ(unknown.code, 64);
  EXPECT_THAT(unknown.errors, HasSubstr("no figure 'charm'; there are accuracy"));
  const Finished unreachable = fedstein_in(folder, {"compare", "runs/small", "--target", "accuracy=2"});
  EXPECT_EQ(unreachable.code, 64);
  EXPECT_THAT(unreachable.errors, HasSubstr("--target: accuracy is never 2; allowed: 0 to 1"));
}

}  // namespace
}  // namespace fedstein
