// SPDX-License-Identifier: Apache-2.0
#include "fedstein/base/visible.h"

#include <gtest/gtest.h>

#include <string>

namespace fedstein {
namespace {

// The character at the beginning, and whether all of the text is it.
std::uint32_t only_character(const std::string& text) {
  std::uint32_t character = 0;
  EXPECT_EQ(take_character(text, 0, character), text.size()) << text;
  return character;
}

TEST(Visible, TakesUtf8Apart) {
  EXPECT_EQ(only_character("a"), 0x61U);
  EXPECT_EQ(only_character("ö"), 0xf6U);
  EXPECT_EQ(only_character("€"), 0x20acU);
  EXPECT_EQ(only_character("𝛼"), 0x1d6fcU);
  std::uint32_t character = 0;
  EXPECT_EQ(take_character("xö", 1, character), 2U);
  for (const char* broken : {"\xc3", "\xc3(", "\xff", "\x80", "\xe2\x82", "\xf5\x80\x80\x80"}) {
    EXPECT_EQ(take_character(broken, 0, character), 0U);
  }
}

TEST(Visible, TellsWhatShowsNothing) {
  for (const std::uint32_t hidden : {0x0U, 0x1bU, 0x7fU, 0x9bU, 0x200bU, 0x202eU, 0xfeffU, 0xe0001U}) {
    EXPECT_TRUE(is_hidden(hidden)) << hidden;
  }
  for (const std::uint32_t shown : {0x20U, 0x61U, 0xf6U, 0x4e2dU, 0x1f600U}) EXPECT_FALSE(is_hidden(shown)) << shown;
}

}  // namespace
}  // namespace fedstein
