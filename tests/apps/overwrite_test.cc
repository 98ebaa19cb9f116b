// SPDX-License-Identifier: Apache-2.0
// Nothing of a user's is overwritten unasked: whatever a verb can be told to write, and wherever.
#include <gmock/gmock.h>

#include <filesystem>

#include "apps/program.h"

namespace fedstein {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using Words = std::vector<std::string>;

constexpr int kWouldOverwrite = 73;
constexpr const char* kModel = "runs/own/posteriors/dsvgd-1.fedstein";
constexpr const char* kPrecious = "what the user wrote\n";

class Overwrite : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<TemporaryFolder>();
    std::string features;
    std::string labelled;
    for (int i = 0; i < 60; ++i) {
      const std::string line = std::to_string(i % 11) + "," + std::to_string(i % 7);
      features += line + "\n";
      labelled += line + ((i % 11 > 5) != (i % 9 == 0) ? ",1\n" : ",-1\n");  // rows that tell a temperature
    }
    folder_->write("features.csv", features);
    folder_->write("labelled.csv", labelled);
    folder_->write(
        "own.toml",
        "[experiment]\nname = \"own\"\npreset = \"paper\"\ndataset = \"labelled.csv\"\nagents = 2\ntrials = 1\n"
        "[federation]\nrounds = 10\n[[algorithm]]\ntype = \"dsvgd\"\nparticles = 3\nlocal_steps = 50\n");
    const Finished run = fedstein_in(*folder_, {"run", "own.toml"});
    ASSERT_EQ(run.code, 0) << run.errors;
  }
  static void TearDownTestSuite() { folder_.reset(); }

  // Every verb that writes one file where it is told to.
  static std::vector<Words> writers() {
    return {{"predict", kModel, "features.csv"},
            {"predict", kModel, "features.csv", "--format", "json"},
            {"calibrate", kModel, "labelled.csv"},
            {"export", "runs/own"},
            {"export", "runs/own", "--format", "json"},
            {"export", "runs/own", "--format", "npz"},
            {"report", "runs/own"}};
  }
  static Finished fedstein(Words words, const std::string& output, bool force = false) {
    words.insert(words.end(), {"-o", output});
    if (force) words.push_back("--force");
    return fedstein_in(*folder_, words);
  }
  static void expect_refused(const Finished& ended, const Words& words) {
    EXPECT_EQ(ended.code, kWouldOverwrite) << testing::PrintToString(words) << ended.errors;
    EXPECT_THAT(ended.errors, AllOf(testing::StartsWith("fedstein: "), testing::EndsWith("\n")));
    EXPECT_EQ(std::count(ended.errors.begin(), ended.errors.end(), '\n'), 1) << ended.errors;
  }
  static std::string text_of(const std::string& name) { return read_text(folder_->path(name)); }

  static inline std::unique_ptr<TemporaryFolder> folder_;
};

TEST_F(Overwrite, AFileOfTheUsersIsLeftAloneUnlessForced) {
  for (const Words& words : writers()) {
    folder_->write("notes.txt", kPrecious);
    const Finished refused = fedstein(words, "notes.txt");
    expect_refused(refused, words);
    EXPECT_THAT(refused.errors, AllOf(HasSubstr("notes.txt: "), HasSubstr("--force")));
    EXPECT_EQ(text_of("notes.txt"), kPrecious) << testing::PrintToString(words);
    const Finished forced = fedstein(words, "notes.txt", true);
    EXPECT_EQ(forced.code, 0) << testing::PrintToString(words) << forced.errors;
    EXPECT_NE(text_of("notes.txt"), kPrecious) << testing::PrintToString(words);
  }
}

// A posterior and a report are known by their contents; numbers in a table could be anybody's.
TEST_F(Overwrite, WhatFedsteinWroteItselfIsReplacedWhereItCanBeKnown) {
  for (const Words& words : {Words{"calibrate", kModel, "labelled.csv"}, Words{"report", "runs/own"}}) {
    const std::string output = "mine-" + words.front();
    EXPECT_EQ(fedstein(words, output).code, 0);
    EXPECT_EQ(fedstein(words, output).code, 0);
  }
  for (const Words& words : {Words{"predict", kModel, "features.csv"}, Words{"export", "runs/own"}}) {
    const std::string output = "mine-" + words.front();
    EXPECT_EQ(fedstein(words, output).code, 0);
    expect_refused(fedstein(words, output), words);
  }
  // One kind is not the other.
  expect_refused(fedstein({"calibrate", kModel, "labelled.csv"}, "mine-report"), {"calibrate"});
  expect_refused(fedstein({"report", "runs/own"}, "mine-calibrate"), {"report"});
}

TEST_F(Overwrite, AFolderOfPosteriorsKeepsWhatIsNone) {
  const Words words{"export", "runs/own", "--format", "posterior"};
  fs::create_directories(folder_->path("kept"));
  folder_->write("kept/dsvgd-1.fedstein", kPrecious);
  expect_refused(fedstein(words, "kept"), words);
  EXPECT_EQ(text_of("kept/dsvgd-1.fedstein"), kPrecious);
  EXPECT_EQ(fedstein(words, "kept", true).code, 0);
  EXPECT_EQ(fedstein(words, "kept").code, 0);
}

TEST_F(Overwrite, LinksAreNotWrittenThroughEvenWhenForced) {
  for (const Words& words : writers()) {
    const std::string target = folder_->write("target.txt", kPrecious);
    fs::remove(folder_->path("link"));
    fs::create_symlink(target, folder_->path("link"));
    for (const bool force : {false, true}) {
      const Finished refused = fedstein(words, "link", force);
      expect_refused(refused, words);
      EXPECT_THAT(refused.errors, HasSubstr("symbolic link"));
    }
    EXPECT_EQ(text_of("target.txt"), kPrecious) << testing::PrintToString(words);
    EXPECT_TRUE(fs::is_symlink(folder_->path("link")));
  }
  // A link to nothing is one as well.
  fs::remove(folder_->path("target.txt"));
  expect_refused(fedstein({"export", "runs/own"}, "link", true), {"export"});
  EXPECT_FALSE(fs::exists(folder_->path("target.txt")));
}

TEST_F(Overwrite, AnInputIsNeverTheOutputEvenWhenForced) {
  const std::string rows = text_of("features.csv");
  const std::string labelled = text_of("labelled.csv");
  const std::string model = text_of(kModel);
  const std::string store = text_of("runs/own/store.sqlite");
  fs::create_hard_link(folder_->path("features.csv"), folder_->path("same.csv"));
  const std::vector<std::pair<Words, std::string>> commands = {
      {{"predict", kModel, "features.csv"}, "features.csv"},
      {{"predict", kModel, "features.csv"}, "./runs/../features.csv"},
      {{"predict", kModel, "features.csv"}, "same.csv"},
      {{"predict", kModel, "features.csv"}, kModel},
      {{"calibrate", kModel, "labelled.csv"}, "labelled.csv"},
      {{"calibrate", kModel, "labelled.csv"}, kModel},
      {{"export", "runs/own"}, "runs/own/store.sqlite"},
      {{"report", "runs/own"}, "runs/own/store.sqlite"}};
  for (const auto& [words, output] : commands) {
    const Finished refused = fedstein(words, output, true);
    expect_refused(refused, words);
    EXPECT_THAT(refused.errors, HasSubstr(output + ": is the input ")) << testing::PrintToString(words);
  }
  // Standard input is a file too when it comes from one.
  const Finished piped =
      run_process({"/bin/sh",
                   "-c",
                   std::string(FEDSTEIN_PROGRAM) + " predict " + kModel + " - -o features.csv --force < features.csv"},
                  folder_->path("."));
  expect_refused(piped, {"predict -"});
  EXPECT_EQ(text_of("features.csv"), rows);
  EXPECT_EQ(text_of("labelled.csv"), labelled);
  EXPECT_EQ(text_of(kModel), model);
  EXPECT_EQ(text_of("runs/own/store.sqlite"), store);
  fs::remove(folder_->path("same.csv"));
}

// Said before hours of work, not after.
TEST_F(Overwrite, ARunLeavesAForeignReportAlone) {
  fs::create_directories(folder_->path("other/own"));
  folder_->write("other/own/report.html", kPrecious);
  const Finished refused = fedstein_in(*folder_, {"run", "own.toml", "--folder", "other/own"});
  expect_refused(refused, {"run"});
  EXPECT_EQ(text_of("other/own/report.html"), kPrecious);
  EXPECT_FALSE(fs::exists(folder_->path("other/own/store.sqlite")));
  fs::remove(folder_->path("other/own/report.html"));
  fs::create_directories(folder_->path("other/own/posteriors"));
  folder_->write("other/own/posteriors/dsvgd-1.fedstein", kPrecious);
  expect_refused(fedstein_in(*folder_, {"run", "own.toml", "--folder", "other/own"}), {"run"});
  EXPECT_EQ(text_of("other/own/posteriors/dsvgd-1.fedstein"), kPrecious);
}

TEST_F(Overwrite, AnAuthorityIsNotReplacedByWhatItIssues) {
  const TemporaryFolder folder;
  ASSERT_EQ(fedstein_in(folder, {"ca", "init"}).code, 0);
  const std::string key = read_text(folder.path("ca/ca.key"));
  for (const Words& words :
       {Words{"ca", "issue", "ca", "--out", "ca"}, {"ca", "issue", "ca", "--out", "ca", "--force"}}) {
    expect_refused(fedstein_in(folder, words), words);
    EXPECT_EQ(read_text(folder.path("ca/ca.key")), key);
  }
  // Another federation's certificate, and a certificate without its key.
  fs::create_directories(folder.path("keys"));
  folder.write("keys/ca.crt", kPrecious);
  folder.write("keys/a.crt", kPrecious);
  expect_refused(fedstein_in(folder, {"ca", "issue", "a", "--out", "keys"}), {"ca issue"});
  expect_refused(fedstein_in(folder, {"ca", "issue", "b", "--out", "keys"}), {"ca issue"});
  EXPECT_EQ(read_text(folder.path("keys/ca.crt")), kPrecious);
  EXPECT_EQ(read_text(folder.path("keys/a.crt")), kPrecious);
  EXPECT_EQ(fedstein_in(folder, {"ca", "issue", "a", "--out", "keys", "--force"}).code, 0);
  EXPECT_EQ(fedstein_in(folder, {"ca", "issue", "b", "--out", "keys"}).code, 0);  // its ca.crt is the same now
}

}  // namespace
}  // namespace fedstein
