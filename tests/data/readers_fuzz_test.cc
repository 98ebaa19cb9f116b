// SPDX-License-Identifier: Apache-2.0
// Replays the files READER-WHAT in fuzz_findings through the fuzzers' own bodies: what the fuzzers found, and a few
// hostile files made by hand so that every reader is tried.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
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
  std::set<std::string> tried;
  for (const auto& entry : std::filesystem::directory_iterator(FEDSTEIN_SOURCE_DIR "/tests/data/fuzz_findings")) {
    const std::string file = entry.path().filename().string();
    const auto reader = readers.find(file.substr(0, file.find('-')));
    ASSERT_NE(reader, readers.end()) << file << " names no reader";
    std::ifstream stream(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    EXPECT_NO_THROW(reader->second(bytes)) << file;
    tried.insert(reader->first);
  }
  EXPECT_EQ(tried.size(), readers.size());
}

}  // namespace
}  // namespace fedstein
