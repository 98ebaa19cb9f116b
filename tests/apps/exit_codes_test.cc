// SPDX-License-Identifier: Apache-2.0
// The same mistake ends every verb with the same code; --help has the table.
#include <gmock/gmock.h>

#include "apps/program.h"
#include "apps/small_file.h"

namespace fedstein {
namespace {

using testing::HasSubstr;

using Words = std::vector<std::string>;

class ExitCodes : public testing::Test {
 protected:
  void expect(int code, const std::vector<Words>& commands) const {
    for (const Words& words : commands) {
      const Finished ended = fedstein_in(folder_, words);
      EXPECT_EQ(ended.code, code) << testing::PrintToString(words) << ": " << ended.errors;
      EXPECT_FALSE(ended.errors.empty());
    }
  }
  TemporaryFolder folder_;
};

TEST_F(ExitCodes, OfWhatIsNotThere) {
  const Words agent{"agent", "localhost:1", "--state", "s", "--insecure", "a"};
  const auto with = [](Words words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  expect(66,
         {{"run", "none.toml"},
          {"serve", "none.toml"},
          {"compare", "none"},
          {"report", "none"},
          {"export", "none"},
          {"ca", "issue", "a", "--folder", "none"},
          {"ca", "list", "--folder", "none"},
          with(agent, {"--data", "none.csv"})});
}

TEST_F(ExitCodes, OfACommandLineThatCannotBeMeant) {
  expect(64,
         {{"run"},
          {"serve"},
          {"agent", "localhost:1"},
          {"agent", "localhost", "--state", "s", "--insecure", "a", "--simulate"},
          {"status", "--port", "0"},
          {"ca"},
          {"compare"},
          {"data", "make", "nothing"},
          {"reproduce", "nothing"}});
}

TEST_F(ExitCodes, OfConfigurationsDataAndPlaces) {
  folder_.write("bad.toml", "[experiment]\nagents = 0\n");
  expect(78, {{"run", "bad.toml"}, {"serve", "bad.toml"}});
  folder_.write("odd.csv", "1,2,words\n");
  folder_.write(
      "odd.toml",
      "[experiment]\nname = \"odd\"\ndataset = \"odd.csv\"\nagents = 1\ntrials = 1\n[federation]\nrounds = 1\n"
      "[[algorithm]]\ntype = \"dsvgd\"\n");
  expect(65, {{"run", "odd.toml"}});
  folder_.write("small.toml", small_file(1, 1));
  folder_.write("file", "");
  ASSERT_EQ(fedstein_in(folder_, {"run", "small.toml"}).code, 0);
  expect(74,
         {{"run", "small.toml", "--folder", "file/below"},
          {"compare", "odd.csv"},
          {"export", "runs/small", "-o", "file/below"},
          {"report", "runs/small", "-o", "file/below"},
          {"ca", "init", "--folder", "file/below"}});
  expect(69, {{"status", "--port", "1"}});
}

TEST_F(ExitCodes, OfWhatWouldBeOverwritten) {
  for (const Words& words : {Words{"ca", "init"}, {"ca", "issue", "a"}, {"data", "make", "twonorm", "-o", "d"}}) {
    ASSERT_EQ(fedstein_in(folder_, words).code, 0);
    expect(73, {words});
  }
  const std::string key = read_text(folder_.path("a.key"));
  expect(73, {{"ca", "issue", "a", "--out", "elsewhere"}});  // another folder: the name has a certificate
  EXPECT_EQ(read_text(folder_.path("a.key")), key);
  EXPECT_EQ(fedstein_in(folder_, {"ca", "issue", "a", "--force"}).code, 0);
  EXPECT_NE(read_text(folder_.path("a.key")), key);
  ASSERT_EQ(fedstein_in(folder_, {"ca", "revoke", "a"}).code, 0);
  EXPECT_EQ(fedstein_in(folder_, {"ca", "issue", "a", "--out", "elsewhere"}).code, 0);
}

TEST_F(ExitCodes, StandInTheHelp) {
  const std::string help = fedstein_in(folder_, {"--help"}).output;
  for (const char* code : {"0", "1", "64", "65", "66", "69", "73", "74", "77", "78", "130"}) {
    EXPECT_THAT(help, testing::ContainsRegex("\n  " + std::string(code) + " +[a-z]")) << code;
  }
}

}  // namespace
}  // namespace fedstein
