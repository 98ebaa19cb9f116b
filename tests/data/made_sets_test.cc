// SPDX-License-Identifier: Apache-2.0
#include "fedstein/data/made_sets.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "fedstein/data/error.h"
#include "fedstein/files/whole_file.h"
#include "fedstein/numeric/check.h"
#include "support/temporary_folder.h"
#include "support/throws.h"

namespace fedstein {
namespace {

namespace fs = std::filesystem;

std::string content_of(const std::string& path) {
  std::ostringstream out;
  out << std::ifstream(path, std::ios::binary).rdbuf();
  return out.str();
}

TEST(MadeSets, AreReadByNameToTheLastBit) {
  const TemporaryFolder folder;
  for (const char* name : {"twonorm", "ringnorm", "waveform"}) {
    const MadeFile file = make_file(name, {.folder = folder.path("data"), .seed = 5});
    EXPECT_TRUE(file.known_by_name);
    EXPECT_EQ(file.path, folder.path("data/" + find_dataset(name).files.front()));
    const Dataset made = make_dataset(name, {.seed = 5});
    const Dataset read = load_dataset(name, folder.path("data"));
    EXPECT_EQ(read.x, made.x) << name;
    EXPECT_EQ(read.y, made.y) << name;
    EXPECT_THROW_MESSAGE(check_contents(find_dataset(name), read), DataError, "checksum does not match");
  }
}

TEST(MadeSets, OfAnotherSizeAreReadByPath) {
  const TemporaryFolder folder;
  const MadeFile file = make_file("waveform", {.folder = folder.path(""), .rows = 30, .seed = 1});
  EXPECT_FALSE(file.known_by_name);
  EXPECT_EQ(fs::path(file.path).filename(), "waveform-30.csv.gz");
  EXPECT_EQ(load_dataset_file(file.path, made_layout("waveform")).x,
            make_dataset("waveform", {.rows = 30, .seed = 1}).x);
  EXPECT_THROW_MESSAGE(load_dataset("waveform", folder.path("")), DataError, "no such file");
}

TEST(MadeSets, SetsWithAgentsKeepThem) {
  const TemporaryFolder folder;
  for (const char* name : {"feature-skew", "two-arcs"}) {
    const MadeFile file = make_file(name, {.folder = folder.path(""), .seed = 3});
    const Dataset read = load_dataset_file(file.path, made_layout(name));
    const Dataset made = load_dataset(name, "", 3);
    EXPECT_FALSE(file.known_by_name);
    EXPECT_EQ(read.x, made.x) << name;
    EXPECT_EQ(read.y, made.y) << name;
    EXPECT_EQ(read.group, made.group) << name;
  }
}

TEST(MadeSets, ReplaceNothingUnasked) {
  const TemporaryFolder folder;
  const MakeOptions options{.folder = folder.path(""), .seed = 1};
  const std::string path = make_file("twonorm", options).path;
  const std::string first = content_of(path);
  EXPECT_THROW_MESSAGE(make_file("twonorm", options), AlreadyThere, "twonorm.csv.gz: is there already");
  EXPECT_EQ(make_file("twonorm", {.folder = folder.path(""), .seed = 1, .replace = true}).path, path);
  EXPECT_EQ(content_of(path), first) << "the same seed makes the same bytes";
  make_file("twonorm", {.folder = folder.path(""), .seed = 2, .replace = true});
  EXPECT_NE(content_of(path), first);
  EXPECT_EQ(std::distance(fs::directory_iterator(fs::path(path).parent_path()), fs::directory_iterator()), 1);
  EXPECT_THROW_MESSAGE(make_file("heart", options), InvalidArgument, "no generator for 'heart'");
}

}  // namespace
}  // namespace fedstein
