// SPDX-License-Identifier: Apache-2.0
// Code in the documentation is quoted from programs that are built and run: every block must still be there, letter by
// letter. The reference is what the program prints, and links lead somewhere.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "fedstein/config/parse.h"
#include "fedstein/config/reference.h"

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

// The lines between "```cpp" and "```", without their common indentation.
std::vector<std::string> cpp_lines(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream lines(text);
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("```", 0) == 0) {
      inside = line == "```cpp";
    } else if (inside && line.find_first_not_of(' ') != std::string::npos) {
      out.push_back(line.substr(line.find_first_not_of(' ')));
    }
  }
  return out;
}

TEST(Documents, TheReadmeQuotesAnExample) {
  const std::string example = contents_of("examples/own_density.cc") + contents_of("examples/new_model.cc");
  const std::vector<std::string> lines = cpp_lines(contents_of("README.md"));
  ASSERT_GE(lines.size(), 8U);
  for (const std::string& line : lines) {
    EXPECT_NE(example.find(line), std::string::npos) << "not in examples/own_density.cc or new_model.cc: " << line;
  }
}

TEST(Documents, TheReferenceIsWhatTheProgramPrints) {
  EXPECT_TRUE(contents_of("docs/reference.md") == configuration_reference())
      << "docs/reference.md is out of date; fedstein schema --markdown > docs/reference.md";
}

TEST(Documents, TheReferencesExampleIsAnExperiment) {
  const std::vector<std::string> blocks = code_blocks(configuration_reference());
  ASSERT_EQ(blocks.size(), 1U);
  const Plan plan = parse_plan(blocks.front(), "reference.md", {.check_data = false});
  EXPECT_EQ(plan.cases.size(), 4U);
  EXPECT_EQ(plan.cases.front().algorithms.size(), 3U);
}

// Relative links of every Markdown file that a reader may open.
TEST(Documents, LinksLeadToFiles) {
  namespace fs = std::filesystem;
  const fs::path root = FEDSTEIN_SOURCE_DIR;
  std::vector<fs::path> pages = {root / "README.md", root / "ARCHITECTURE.md", root / "CONTRIBUTING.md"};
  for (const auto& entry : fs::recursive_directory_iterator(root / "docs")) {
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  }
  const std::regex link(R"(\]\(([^)#:\s]+)(#[^)]*)?\))");
  int seen = 0;
  for (const fs::path& page : pages) {
    const std::string text = contents_of(fs::relative(page, root).string());
    for (std::sregex_iterator match(text.begin(), text.end(), link), end; match != end; ++match, ++seen) {
      const std::string target = (*match)[1];
      EXPECT_TRUE(fs::exists(page.parent_path() / target)) << page << " links to " << target;
    }
  }
  EXPECT_GT(seen, 30);
}

}  // namespace
}  // namespace fedstein
