// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "apps/program.h"
#include "apps/small_file.h"

namespace fedstein {
namespace {

using testing::HasSubstr;

// The data that a report's page would draw.
nlohmann::json data_in(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  const std::string page = text.str();
  const std::string tag = R"(id="fedstein-data">)";
  const std::size_t begin = page.find(tag);
  if (begin == std::string::npos) throw std::runtime_error(path + " holds no data");
  const std::size_t from = begin + tag.size();
  return nlohmann::json::parse(page.substr(from, page.find("</script", from) - from));
}

TEST(Report, OfOneRunLiesBesideIt) {
  const TemporaryFolder folder;
  folder.write("small.toml", small_file());
  ASSERT_EQ(fedstein_in(folder, {"run", "small.toml"}).code, 0);
  const Finished report = fedstein_in(folder, {"report", "runs/small"});
  EXPECT_EQ(report.code, 0) << report.errors;
  EXPECT_EQ(report.output, "report: runs/small/report.html\n");
  const nlohmann::json data = data_in(folder.path("runs/small/report.html"));
  ASSERT_EQ(data["runs"].size(), 1U);
  EXPECT_EQ(data["runs"][0]["command"], "fedstein run small.toml");
  EXPECT_EQ(data["runs"][0]["series"].size(), 3U);
  // A store's file means the same run.
  EXPECT_EQ(fedstein_in(folder, {"report", "runs/small/store.sqlite", "-o", "here.html"}).code, 0);
  EXPECT_EQ(data_in(folder.path("here.html"))["runs"][0]["series"], data["runs"][0]["series"]);
}

TEST(Report, SeveralRunsStandSideBySide) {
  const TemporaryFolder folder;
  folder.write("small.toml", small_file(2, 1));
  ASSERT_EQ(fedstein_in(folder, {"run", "small.toml"}).code, 0);
  ASSERT_EQ(fedstein_in(folder, {"run", "small.toml", "--seed", "5"}).code, 0);
  ASSERT_EQ(fedstein_in(folder, {"run", "small.toml", "--set", "experiment.name=other"}).code, 0);
  const auto seeds = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "report");
    words.insert(words.end(), {"-o", "report.html"});
    const Finished report = fedstein_in(folder, words);
    EXPECT_EQ(report.code, 0) << report.errors;
    std::vector<std::string> out;
    const nlohmann::json data = data_in(folder.path("report.html"));
    for (const auto& run : data["runs"]) {
      out.push_back(run["name"].get<std::string>() + " " + run["seed"].get<std::string>());
    }
    return out;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(seeds({"runs/small"}), (Names{"small 5"}));
  EXPECT_EQ(seeds({"runs/small#1", "runs/small#2"}), (Names{"small 1", "small 5"}));
  EXPECT_EQ(seeds({"runs/small", "--all"}), (Names{"small 1", "small 5"}));
  EXPECT_EQ(seeds({"runs"}), (Names{"other 1", "small 5"}));
}

TEST(Report, WhatIsNoRunGivesASentenceAndNoFile) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path("empty"));
  folder.write("broken.sqlite", "this is not a store");
  for (const char* run : {"nowhere", "empty", "broken.sqlite", "empty#3"}) {
    const Finished report = fedstein_in(folder, {"report", run, "-o", "report.html"});
    EXPECT_EQ(report.code, run == std::string("broken.sqlite") ? 74 : 66) << run;
    EXPECT_THAT(report.errors, testing::StartsWith("fedstein: ")) << run;
    EXPECT_EQ(std::count(report.errors.begin(), report.errors.end(), '\n'), 1) << report.errors;
    EXPECT_FALSE(std::filesystem::exists(folder.path("report.html"))) << run;
  }
}

TEST(Report, AFileThatCannotBeWrittenGivesASentence) {
  const TemporaryFolder folder;
  folder.write("small.toml", small_file(2, 1));
  folder.write("file", "");
  ASSERT_EQ(fedstein_in(folder, {"run", "small.toml"}).code, 0);
  const Finished report = fedstein_in(folder, {"report", "runs/small", "-o", "file/report.html"});
  EXPECT_NE(report.code, 0);
  EXPECT_THAT(report.errors, HasSubstr("file/report.html"));
}

}  // namespace
}  // namespace fedstein
