// SPDX-License-Identifier: Apache-2.0
#include "fedstein/base/text.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <limits>

#include "fedstein/base/upper_median.h"

namespace fedstein {
namespace {

std::string printf_text(const char* form, int precision, double value) {
  std::array<char, 512> text{};
  std::snprintf(text.data(), text.size(), form, precision, value);
  return text.data();
}

// printf is the reference.
TEST(Text, NumbersAreWrittenAsPrintfWritesThem) {
  using Limits = std::numeric_limits<double>;
  for (const double value : {0.0,
                             -0.0,
                             1.0,
                             0.5,
                             2.5,
                             0.125,
                             1e-5,
                             123456.0,
                             1234567.0,
                             -9.9999995,
                             1e300,
                             Limits::max(),
                             Limits::denorm_min(),
                             Limits::infinity(),
                             -Limits::infinity(),
                             Limits::quiet_NaN()}) {
    for (const int precision : {0, 1, 2, 3, 4, 6, 7}) {
      EXPECT_EQ(fixed_text(value, precision), printf_text("%.*f", precision, value));
      EXPECT_EQ(digits_text(value, precision), printf_text("%.*g", precision, value));
      EXPECT_EQ(scientific_text(value, precision), printf_text("%.*e", precision, value));
    }
  }
}

TEST(Text, PadsWithZeros) {
  EXPECT_EQ(padded_text(7, 2), "07");
  EXPECT_EQ(padded_text(123, 2), "123");
}

TEST(Text, TimesAreUtc) {
  EXPECT_EQ(utc_text(0), "1970-01-01T00:00:00Z");
  EXPECT_EQ(utc_text(1'709'210'096), "2024-02-29T12:34:56Z");
  EXPECT_EQ(utc_date(1'709'210'096), "2024-02-29");
  EXPECT_EQ(utc_now().size(), utc_text(0).size());
}

TEST(UpperMedian, IsTheMiddleOrTheUpperOfTwo) {
  EXPECT_EQ(upper_median({3}), 3);
  EXPECT_EQ(upper_median({3, 1, 2}), 2);
  EXPECT_EQ(upper_median({4, 1, 2, 3}), 3);
}

TEST(JsonNesting, CountsBracketsOutsideOfStrings) {
  EXPECT_EQ(json_nesting("7"), 0);
  EXPECT_EQ(json_nesting(R"({"a": [1, [2]], "b": {}})"), 3);
  EXPECT_EQ(json_nesting(R"(["[[[", "\"[[", []])"), 2);
  EXPECT_GT(json_nesting(std::string(100'000, '[')), kMostJsonNesting);
}

}  // namespace
}  // namespace fedstein
