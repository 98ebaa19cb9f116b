// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>
#include <sstream>

#include "layers/layer_picture.h"
#include "support/temporary_folder.h"
#include "support/throws.h"

namespace fedstein {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kSource = FEDSTEIN_SOURCE_DIR "/src/fedstein";

std::string read(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(Layers, EveryIncludeOfTheProjectFollowsThePicture) {
  const LayerPicture picture = parse_layer_picture(read(kSource + "/layers.txt"));
  EXPECT_THAT(wrong_includes(picture, kSource), IsEmpty());
}

TEST(Layers, ThePictureAndTheFoldersAgree) {
  const LayerPicture picture = parse_layer_picture(read(kSource + "/layers.txt"));
  for (const auto& [folder, used] : picture.folders) EXPECT_TRUE(fs::is_directory(kSource + "/" + folder)) << folder;
}

// A small project with one wrong include of each kind: the check is worth nothing unless it finds them.
class WrongTree : public testing::Test {
 protected:
  void write(const std::string& path, const std::string& text) {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  std::vector<std::string> complaints() const { return wrong_includes(picture_, root_.string()); }

  const TemporaryFolder folder_;  // of its own: tests run at the same time
  const fs::path root_ = folder_.path(".");
  LayerPicture picture_ = parse_layer_picture("folder low:\nfolder high: low\nlibrary sqlite3: high\n");
};

TEST_F(WrongTree, TheRightOneIsSilent) {
  write("low/a.h", "#include <vector>\n#include \"fedstein/low/b.h\"\n");
  write("high/a.cc", "#include \"fedstein/low/a.h\"\n  #  include <sqlite3.h>\n");
  EXPECT_THAT(complaints(), IsEmpty());
}

TEST_F(WrongTree, AnIncludeAgainstTheArrowIsFound) {
  write("low/a.h", "#pragma once\n\n#include \"fedstein/high/a.h\"\n");
  EXPECT_THAT(complaints(),
              ElementsAre(HasSubstr("low/a.h:3: #include fedstein/high/a.h: folder low may not include")));
}

TEST_F(WrongTree, ALibraryInTheWrongFolderIsFound) {
  write("low/a.cc", "#include <sqlite3.h>\n");
  EXPECT_THAT(complaints(), ElementsAre(HasSubstr("folder low may not see the library sqlite3")));
}

TEST_F(WrongTree, AnUnknownLibraryAndAnUnknownFolderAreFound) {
  write("high/a.cc", "#include <boost/any.hpp>\n");
  write("misc/a.cc", "int x;\n");
  EXPECT_THAT(complaints(), ElementsAre(HasSubstr("belongs to no library"), HasSubstr("misc is not in layers.txt")));
}

TEST(LayerPicture, RefusesNonsense) {
  EXPECT_THROW_MESSAGE(parse_layer_picture("folder a: b\n"), std::runtime_error, "unknown folder 'b'");
  EXPECT_THROW_MESSAGE(parse_layer_picture("folder a: b\nfolder b: a\n"), std::runtime_error, "includes itself");
  EXPECT_THROW_MESSAGE(parse_layer_picture("layer a:\n"), std::runtime_error, "layers.txt:1: 'layer a:'");
}

}  // namespace
}  // namespace fedstein
