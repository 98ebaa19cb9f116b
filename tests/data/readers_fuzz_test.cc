// SPDX-License-Identifier: Apache-2.0
// Replays what the fuzzers once found: files READER-WHAT in fuzz_findings, through the fuzzers' own bodies.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "fuzz/targets.h"

namespace fedstein {
namespace {

TEST(ReadersFuzz, CommittedFindingsStayFixed) {
  const std::map<std::string, void (*)(std::string_view)> readers{{"text", fuzz_text},
                                                                  {"libsvm", fuzz_libsvm},
                                                                  {"idx", fuzz_idx},
                                                                  {"matlab", fuzz_matlab},
                                                                  {"leaf", fuzz_leaf},
                                                                  {"unpack", fuzz_unpack}};
  int replayed = 0;
  for (const auto& entry : std::filesystem::directory_iterator(FEDSTEIN_SOURCE_DIR "/tests/data/fuzz_findings")) {
    const std::string file = entry.path().filename().string();
    const auto reader = readers.find(file.substr(0, file.find('-')));
    ASSERT_NE(reader, readers.end()) << file << " names no reader";
    std::ifstream stream(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    EXPECT_NO_THROW(reader->second(bytes)) << file;
    ++replayed;
  }
  EXPECT_GT(replayed, 0);
}

}  // namespace
}  // namespace fedstein
