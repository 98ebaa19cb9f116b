// SPDX-License-Identifier: Apache-2.0
// Code in the documentation is quoted from programs that are built and run: every block must still be there, letter by
// letter.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace fedstein {
namespace {

std::string contents_of(const std::string& path) {
  std::ifstream file(std::string(FEDSTEIN_SOURCE_DIR) + "/" + path);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// The fenced blocks of a Markdown text, each with its final line break. A fence that is never closed is refused.
std::vector<std::string> code_blocks(const std::string& text) {
  std::vector<std::string> blocks;
  std::istringstream lines(text);
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("```", 0) == 0) {
      inside = !inside;
      if (inside) blocks.emplace_back();
    } else if (inside) {
      blocks.back() += line + "\n";
    }
  }
  if (inside) throw std::runtime_error("a code block is not closed");
  return blocks;
}

TEST(Documents, CodeBlocksAreFound) {
  EXPECT_EQ(code_blocks("a\n```cpp\nb;\n  c;\n```\nd\n```\n```\n"), (std::vector<std::string>{"b;\n  c;\n", ""}));
  EXPECT_THROW(code_blocks("```cpp\nb;\n"), std::runtime_error);
  EXPECT_THROW(contents_of("docs/no-such-file.md"), std::runtime_error);
}

TEST(Documents, AddingAnAlgorithmQuotesTheExample) {
  const std::string example = contents_of("examples/new_algorithm.cc");
  const std::vector<std::string> blocks = code_blocks(contents_of("docs/adding-an-algorithm.md"));
  ASSERT_GE(blocks.size(), 5U);
  for (const std::string& block : blocks) {
    EXPECT_FALSE(block.empty());
    EXPECT_NE(example.find(block), std::string::npos) << "not in examples/new_algorithm.cc:\n" << block;
  }
}

}  // namespace
}  // namespace fedstein
