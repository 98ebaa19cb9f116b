// SPDX-License-Identifier: Apache-2.0
// Covertype in its two encodings: the largest files there are, so this program is labelled slow.
#include <chrono>
#include <cstdlib>
#include <string>

#include "fedstein/data/libsvm.h"
#include "fedstein/data/text.h"
#include "support/close.h"

namespace fedstein {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

TEST(CovertypeReaders, TextAndLibsvmHoldTheSameRows) {
  const char* folder = std::getenv("FEDSTEIN_DATA");
  if (folder == nullptr) GTEST_SKIP() << "FEDSTEIN_DATA is not set; this test needs the real data files";
  const std::string covertype = std::string(folder) + "/covertype/";

  auto start = std::chrono::steady_clock::now();
  const Matrix table = read_text(covertype + "covtype.data.gz", {.columns = 55});
  RecordProperty("text_seconds", std::to_string(seconds_since(start)));
  start = std::chrono::steady_clock::now();
  const LabelledRows rows = read_libsvm(covertype + "covtype.libsvm.binary.bz2", 54);
  RecordProperty("libsvm_seconds", std::to_string(seconds_since(start)));

  ASSERT_EQ(table.rows(), 581012);
  ASSERT_EQ(table.cols(), 55);
  ASSERT_EQ(rows.x.rows(), table.rows());
  EXPECT_TRUE(table.leftCols(54) == rows.x);
  EXPECT_EQ((table.col(54).array() == Real{2}).count(), 283301);
  const auto second = (table.col(54).array() == Real{2}).template cast<Real>();
  EXPECT_TRUE((rows.y.array() == second + Real{1}).all());  // label 2: class 2; label 1: every other
}

}  // namespace
}  // namespace fedstein
