// SPDX-License-Identifier: Apache-2.0
#include "fedstein/data/load.h"

#include <filesystem>

#include "data/small_sets.h"
#include "fedstein/data/error.h"
#include "fedstein/numeric/check.h"
#include "support/close.h"
#include "support/temporary_folder.h"
#include "support/throws.h"

namespace fedstein {
namespace {

class Load : public testing::Test {
 protected:
  std::string write(const std::string& file, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(folder_.path(file)).parent_path());
    return folder_.write(file, text);
  }
  std::string folder() const { return folder_.path(""); }

 private:
  TemporaryFolder folder_;
};

OwnFile text_file(LabelKind labels) {
  OwnFile out;
  out.labels = labels;
  return out;
}

TEST_F(Load, AMissingFileIsNamedWithWhatCouldServe) {
  EXPECT_THROW_MESSAGE(
      load_dataset("heart", folder()), DataError, "the dataset heart needs raetsch/csv/heart.csv in the data folder");
  EXPECT_THROW_MESSAGE(load_dataset("heart", folder()), DataError, "FEDSTEIN_DATA");
  EXPECT_THROW_MESSAGE(load_dataset("twonorm", folder()), DataError, "fedstein data make twonorm");
  EXPECT_THROW_MESSAGE(load_dataset("mnist", ""), DataError, "mnist/train-images-idx3-ubyte.gz");
  std::filesystem::create_directories(std::filesystem::path(folder()) / "raetsch/csv/heart.csv");
  EXPECT_THROW_MESSAGE(load_dataset("heart", folder()), DataError, "no such file") << "a folder is no file";
}

TEST_F(Load, AnotherFileUnderAKnownNameIsRefused) {
  write("raetsch/csv/thyroid.csv", "1,2,3,4,5,1\n1,2,3,4,5,-1\n");
  EXPECT_THROW_MESSAGE(
      load_dataset("thyroid", folder()), DataError, "thyroid comes out as 2 x 5; the published set is 215 x 5");
  std::string rows;
  for (int row = 0; row < 215; ++row) rows += "1,2,3,4,5,1\n";
  write("raetsch/csv/thyroid.csv", rows);
  EXPECT_THROW_MESSAGE(
      load_dataset("thyroid", folder()), DataError, "has 0 / 215 rows a class; the published set has 150 / 65");
  rows.clear();
  for (int row = 0; row < 215; ++row) rows += row < 150 ? "1,2,3,4,5,-1\n" : "1,2,3,4,5,1\n";
  write("raetsch/csv/thyroid.csv", rows);
  const Dataset forged = load_dataset("thyroid", folder());
  EXPECT_THROW_MESSAGE(check_contents(find_dataset("thyroid"), forged), DataError, "checksum does not match");
}

TEST_F(Load, AnUnpackedFileServesToo) {
  std::string rows;
  for (int row = 0; row < 7400; ++row) {
    for (int column = 0; column < 20; ++column) rows += "0,";
    rows += row < 3697 ? "-1\n" : "1\n";
  }
  write("raetsch/csv/twonorm.csv", rows);
  EXPECT_EQ(load_dataset("twonorm", folder()).x.rows(), 7400);
}

TEST_F(Load, GeneratedSetsNeedNoFolder) {
  const Dataset set = load_dataset("feature-skew", "nowhere", 3);
  EXPECT_EQ(set.x.rows(), find_dataset("feature-skew").rows);
  EXPECT_NE(checksum(set), checksum(load_dataset("feature-skew", "nowhere", 4)));
}

TEST_F(Load, OwnTextWithLabelAndGroupAnywhere) {
  const std::string path = write("own.csv", "0.5,yes,7,2,10\n1.5,no,8,1,20\n");
  OwnFile file = text_file(LabelKind::kBinary);
  file.name = "mine";
  file.layout.text.ignored_columns = {1};
  file.layout.group_column = 2;
  file.layout.label_column = 3;
  file.layout.labels = {{2, -1}, {1, 1}};
  const Dataset set = load_dataset_file(path, file);
  EXPECT_EQ(set.name, "mine");
  EXPECT_TRUE(identical(set.x, Matrix{{Real{0.5}, Real{10}}, {Real{1.5}, Real{20}}}));
  EXPECT_TRUE(identical(set.y, Vector{{Real{-1}, Real{1}}}));
  EXPECT_EQ(set.group, (std::vector<Index>{7, 8}));
  EXPECT_EQ(set.classes, 2);

  file.layout.group_column = 4;  // to the right of the label
  EXPECT_EQ(load_dataset_file(path, file).group, (std::vector<Index>{10, 20}));
  file.layout.group_column = kNoColumn;
  EXPECT_EQ(load_dataset_file(path, file).x.cols(), 3);
}

TEST_F(Load, TheLabelIsLastUnlessToldOtherwise) {
  const std::string path = write("own.txt", " 1 2  0.25\n 3 4  -7\n");
  OwnFile file = text_file(LabelKind::kRegression);
  file.layout.text.separator = ' ';
  const Dataset set = load_dataset_file(path, file);
  EXPECT_EQ(set.name, path);
  EXPECT_EQ(set.classes, 0);
  EXPECT_TRUE(identical(set.y, Vector{{Real{0.25}, Real{-7}}}));
  EXPECT_TRUE(identical(set.x, Matrix{{1, 2}, {3, 4}}));
}

TEST_F(Load, OwnLibsvmIdxAndMulticlass) {
  OwnFile libsvm = text_file(LabelKind::kMulticlass);
  libsvm.layout.format = FileFormat::kLibsvm;
  libsvm.layout.features = 3;
  const Dataset set = load_dataset_file(write("own.libsvm", "2 1:0.5 3:1\n0 2:4\n"), libsvm);
  EXPECT_EQ(set.classes, 3);
  EXPECT_TRUE(identical(set.x, Matrix{{Real{0.5}, 0, 1}, {0, 4, 0}}));

  using namespace std::string_literals;
  OwnFile idx = text_file(LabelKind::kMulticlass);
  idx.layout.format = FileFormat::kIdx;
  const std::string images = write("images", "\0\0\x08\x03\0\0\0\x02\0\0\0\x01\0\0\0\x02\x01\x02\xff\x04"s);
  EXPECT_THROW_MESSAGE(load_dataset_file(images, idx), InvalidArgument, "1 files are given; this format needs 2");
  idx.label_path = write("labels", "\0\0\x08\x01\0\0\0\x02\x01\x04"s);
  const Dataset pictures = load_dataset_file(images, idx);
  EXPECT_TRUE(identical(pictures.x, Matrix{{1, 2}, {255, 4}}));
  EXPECT_EQ(pictures.classes, 5);
  idx.label_path = write("labels", "\0\0\x08\x01\0\0\0\x01\x01"s);
  EXPECT_THROW_MESSAGE(load_dataset_file(images, idx), DataError, "it holds 2 arrays");
  idx.label_path = images;
  EXPECT_THROW_MESSAGE(load_dataset_file(images, idx), DataError, "labels must have 1");
}

TEST_F(Load, RefusesLabelsGroupsAndColumnsThatDoNotFit) {
  const std::string path = write("own.csv", "1,2,3\n4,5,6\n");
  EXPECT_THROW_MESSAGE(load_dataset_file(path, text_file(LabelKind::kBinary)),
                       DataError,
                       "own.csv: it has the label 3 in row 1; it must be -1 or 1");

  OwnFile file = text_file(LabelKind::kBinary);
  file.layout.labels = {{3, -1}, {5, 1}};
  EXPECT_THROW_MESSAGE(load_dataset_file(path, file), DataError, "row 2 has the label 6; allowed are 3, 5");
  file.layout.label_column = 3;
  EXPECT_THROW_MESSAGE(load_dataset_file(path, file), DataError, "it has 3 columns of numbers");
  file.layout.label_column = -7;
  EXPECT_THROW_MESSAGE(load_dataset_file(path, file), DataError, "label in column -7");
  file.layout.label_column = 1;
  file.layout.group_column = 1;
  EXPECT_THROW_MESSAGE(load_dataset_file(path, file), InvalidArgument, "are the same");
  file.layout.group_column = 9;
  EXPECT_THROW_MESSAGE(load_dataset_file(path, file), DataError, "group in column 9");
  file.layout.text.ignored_columns = {1};
  EXPECT_THROW_MESSAGE(load_dataset_file(path, file), InvalidArgument, "label_column is 1, which is also ignored");

  OwnFile grouped = text_file(LabelKind::kRegression);
  grouped.layout.group_column = 0;
  EXPECT_THROW_MESSAGE(
      load_dataset_file(write("halves.csv", "1,2\n1.5,2\n"), grouped), DataError, "row 2 has the group 1.5");
  EXPECT_THROW_MESSAGE(load_dataset_file(write("far.csv", "1e30,2\n"), grouped), DataError, "whole numbers");
  EXPECT_THROW_MESSAGE(
      load_dataset_file(write("multi.csv", "1,-2\n"), text_file(LabelKind::kMulticlass)), DataError, "label -2");
  EXPECT_THROW_MESSAGE(
      load_dataset_file(write("huge.csv", "1,1e30\n"), text_file(LabelKind::kMulticlass)), DataError, "huge.csv");
  EXPECT_THROW(load_dataset_file(folder() + "/absent.csv", file), DataError);
}

TEST_F(Load, RowsOfAnotherWidthAreNotAppended) {
  Dataset set = striped_set(3, 2, 2);
  EXPECT_THROW_MESSAGE(append_rows(set, striped_set(3, 2, 4), "b.csv"), DataError, "b.csv: it has 4 features");
  const Dataset more = grouped_set({1, 2});
  Dataset first = grouped_set({3});
  append_rows(first, more, "b.csv");
  EXPECT_EQ(first.group, (std::vector<Index>{3, 1, 2}));
  EXPECT_TRUE(identical(first.x.bottomRows(2), more.x));
  EXPECT_EQ(first.y.size(), 3);
}

}  // namespace
}  // namespace fedstein
