// SPDX-License-Identifier: Apache-2.0
// Documents that mean harm end as plans or as complaints, quickly; and the fuzzer's committed findings stay fixed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "config/documents.h"
#include "fuzz/config_target.h"

namespace fedstein {
namespace {

using testing::HasSubstr;

std::string repeated(const std::string& text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

TEST(Hostile, DeepKeysAndListsAreRefused) {
  EXPECT_THAT(complaints(repeated("a.", 5000) + "a = 1\n"), HasSubstr("holds more than 3000 dots"));
  EXPECT_THAT(complaints("a = " + repeated("[", 100000)), HasSubstr("not TOML"));
  const char* const kTooDeep = "more than 64 deep";
  EXPECT_THAT(complaints(experiment("heart", repeated("a.", 2500) + "a = 1\n")), HasSubstr(kTooDeep));
  EXPECT_THAT(complaints("[sweep]\n" + repeated("a.", 2500) + "a = [1]\n"), HasSubstr(kTooDeep));
  EXPECT_THAT(complaints("a = " + repeated("[", 100) + repeated("]", 100)), HasSubstr(kTooDeep));
  EXPECT_THAT(complaints(experiment("heart", repeated("a.", 60) + "a = 1\n")), HasSubstr("experiment.a is no key"));
  EXPECT_THAT(complaints("[sweep]\n" + repeated("a.", 60) + "a = [1]\n"), HasSubstr("is no path to a key"));
}

TEST(Hostile, HugeDocumentsAreRefused) {
  EXPECT_THAT(complaints(std::string(2U << 20U, '#')), HasSubstr("has 2097152 bytes; at most 1048576 are allowed"));
}

TEST(Hostile, HugeNumbersAreRefused) {
  const std::string method = "[[algorithm]]\ntype = \"dsvgd\"\n";
  EXPECT_THAT(complaints(experiment("heart", "seed = 99999999999999999999\n" + method)),
              HasSubstr("test.toml:5: not TOML"));
  EXPECT_THAT(complaints(experiment("heart", "trials = 9223372036854775807\n" + method)), HasSubstr("at most 1e+05"));
  EXPECT_THAT(complaints(experiment("heart", "[model]\nprior_scale = 1e999\n" + method)), testing::Not(""));
  EXPECT_THAT(complaints(experiment("heart", method + "particles = 9223372036854775807\n")),
              HasSubstr("more than 1e10 numbers"));
}

TEST(Hostile, ManyMistakesAreCutShort) {
  std::string document;
  for (int i = 0; i < 5000; ++i) document += "k" + std::to_string(i) + " = 1\n";
  const std::string all = complaints(document);
  EXPECT_THAT(all, HasSubstr("has more mistakes; only the first 200 are listed"));
  EXPECT_LT(std::count(all.begin(), all.end(), '\n'), 201);
}

TEST(Hostile, MessagesStayOnTheirLines) {
  const std::string all = complaints("[experiment]\nname = \"a\\nb\\u0007\"\n\"x\\ny\" = 1\n");
  EXPECT_THAT(all, HasSubstr("experiment.name is 'a?b?'"));
  EXPECT_THAT(all, HasSubstr("experiment.x?y is no key"));
}

TEST(ConfigFuzz, CommittedFindingsStayFixed) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(FEDSTEIN_SOURCE_DIR "/tests/config/fuzz_findings")) {
    std::ifstream stream(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    EXPECT_NO_THROW(fuzz_config(bytes)) << entry.path().filename();
    ++files;
  }
  EXPECT_GE(files, 1);
}

}  // namespace
}  // namespace fedstein
