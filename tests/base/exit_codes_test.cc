// SPDX-License-Identifier: Apache-2.0
#include "fedstein/base/exit_codes.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <system_error>

#include <map>
#include <new>
#include <set>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "fedstein/base/check.h"

namespace fedstein {
namespace {

// The codes of the printed table, each with its meaning.
std::map<int, std::string> printed() {
  std::map<int, std::string> rows;
  std::istringstream lines(exit_code_table());
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    int code = -1;
    std::string meaning;
    words >> code;
    std::getline(words >> std::ws, meaning);
    EXPECT_TRUE(rows.emplace(code, meaning).second) << "code " << code << " is told twice";
  }
  return rows;
}

// All kinds. The switch has no default: a kind that is added and forgotten here does not compile.
std::vector<ErrorKind> every_kind() {
  std::vector<ErrorKind> out;
  for (int i = 0; i <= static_cast<int>(ErrorKind::kInternal); ++i) out.push_back(static_cast<ErrorKind>(i));
  for (const ErrorKind kind : out) {
    switch (kind) {
      case ErrorKind::kArgument:
      case ErrorKind::kData:
      case ErrorKind::kMissing:
      case ErrorKind::kUnavailable:
      case ErrorKind::kAlreadyThere:
      case ErrorKind::kInputOutput:
      case ErrorKind::kRefused:
      case ErrorKind::kConfiguration:
      case ErrorKind::kDivergence:
      case ErrorKind::kInternal:
        break;
    }
  }
  return out;
}

TEST(ExitCodes, EveryKindHasACodeThatTheHelpTells) {
  const std::map<int, std::string> table = printed();
  for (const ErrorKind kind : every_kind()) {
    const auto row = table.find(exit_code(kind));
    ASSERT_NE(row, table.end()) << "kind " << static_cast<int>(kind) << " has code " << exit_code(kind);
    EXPECT_FALSE(row->second.empty()) << row->first;
  }
  for (const int code : {0, kExitNegative, kExitInterrupted}) EXPECT_TRUE(table.contains(code)) << code;
}

// Only a divergence and a mistake of ours share one: what a script can do about them is the same.
TEST(ExitCodes, KindsAreToldApart) {
  std::set<int> codes;
  for (const ErrorKind kind : every_kind()) codes.insert(exit_code(kind));
  EXPECT_EQ(codes.size() + 1, every_kind().size());
  EXPECT_EQ(exit_code(ErrorKind::kDivergence), exit_code(ErrorKind::kInternal));
}

TEST(ExitCodes, OfExceptions) {
  EXPECT_EQ(exit_code(InvalidArgument("no")), exit_code(ErrorKind::kArgument));
  EXPECT_EQ(exit_code(Divergence("no")), exit_code(ErrorKind::kDivergence));
  EXPECT_EQ(exit_code(std::runtime_error("no")), exit_code(ErrorKind::kInternal));
  EXPECT_EQ(exit_code(std::bad_alloc()), 71);
  EXPECT_EQ(sentence_of(InvalidArgument("what is wrong")), "what is wrong");
  EXPECT_EQ(sentence_of(std::bad_alloc()), "out of memory");
  EXPECT_TRUE(printed().contains(71));
}

TEST(ExitCodes, WhatTheFileSystemRefusesIsNoMistakeOfOurs) {
  const std::filesystem::filesystem_error refused("no", std::make_error_code(std::errc::permission_denied));
  EXPECT_EQ(exit_code(refused), exit_code(ErrorKind::kInputOutput));
}

}  // namespace
}  // namespace fedstein
