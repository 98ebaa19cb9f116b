// SPDX-License-Identifier: Apache-2.0
#include "fedstein/data/matlab.h"

#include <fstream>
#include <iterator>
#include <limits>
#include <vector>

#include "support/close.h"
#include "support/matlab_writer.h"
#include "support/pack.h"
#include "support/temporary_folder.h"
#include "support/throws.h"

namespace fedstein {
namespace {

using Shape = std::array<std::size_t, 2>;

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

class ReadMatlab : public testing::Test {
 protected:
  std::string path() const { return folder_.path("a.mat"); }

  // 3 x 2 doubles 'data' and 3 x 1 int16 'target'.
  std::string usual(bool packed) const {
    const std::vector<double> data{1.5, 2, 3, -4, 5, 6.25};
    const std::vector<std::int16_t> target{1, -1, 1};
    {
      MatlabWriter file(path());
      file.add("data", MAT_C_DOUBLE, MAT_T_DOUBLE, Shape{3, 2}, data.data(), packed);
      file.add("target", MAT_C_INT16, MAT_T_INT16, Shape{3, 1}, target.data(), packed);
    }
    return bytes_of(path());
  }

  const TemporaryFolder folder_;
};

template <typename T>
void expect_class(const std::string& path, matio_classes type, matio_types stored) {
  const std::vector<T> values{1, 2, 3, std::numeric_limits<T>::max() / 4, 5, std::numeric_limits<T>::lowest() / 4};
  for (const bool packed : {false, true}) {
    {
      MatlabWriter file(path);
      file.add("v1", type, stored, Shape{2, 3}, values.data(), packed);
    }
    const Matrix found = read_matlab(path, "v1");
    ASSERT_EQ(found.rows(), 2);
    ASSERT_EQ(found.cols(), 3);
    for (Index row = 0; row < 2; ++row) {
      for (Index column = 0; column < 3; ++column) {
        EXPECT_EQ(found(row, column), static_cast<Real>(values[static_cast<std::size_t>(row + 2 * column)])) << stored;
      }
    }
  }
}

TEST_F(ReadMatlab, ReadsEveryNumericClassPlainAndPacked) {
  expect_class<float>(path(), MAT_C_SINGLE, MAT_T_SINGLE);
  expect_class<std::int8_t>(path(), MAT_C_INT8, MAT_T_INT8);
  expect_class<std::uint8_t>(path(), MAT_C_UINT8, MAT_T_UINT8);
  expect_class<std::int16_t>(path(), MAT_C_INT16, MAT_T_INT16);
  expect_class<std::uint16_t>(path(), MAT_C_UINT16, MAT_T_UINT16);
  expect_class<std::int32_t>(path(), MAT_C_INT32, MAT_T_INT32);
  expect_class<std::uint32_t>(path(), MAT_C_UINT32, MAT_T_UINT32);
  expect_class<std::int64_t>(path(), MAT_C_INT64, MAT_T_INT64);
  expect_class<std::uint64_t>(path(), MAT_C_UINT64, MAT_T_UINT64);
  const Matrix expected{{Real{1.5}, -4}, {2, 5}, {3, Real{6.25}}};
  for (const bool packed : {false, true}) {
    const std::string bytes = usual(packed);
    EXPECT_TRUE(identical(read_matlab(path(), "data"), expected));
    EXPECT_TRUE(identical(parse_matlab(bytes, "f", "data"), expected));
    EXPECT_TRUE(identical(parse_matlab(bytes, "f", "target"), Matrix{{1}, {-1}, {1}}));
    EXPECT_TRUE(identical(read_matlab(folder_.write("b.mat.gz", gzipped(bytes)), "data"), expected));
  }
}

// A file of the other byte order, written by hand: a 1 x 2 double matrix that is stored as int16, as MATLAB does.
TEST_F(ReadMatlab, ReadsBigEndianFilesAndNarrowStorage) {
  std::string bytes(124, ' ');
  const auto word = [&](std::uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 0xff);
  };
  bytes += std::string_view("\1\0MI", 4);
  word(14);
  word(16 + 16 + 8 + 8);
  for (const std::uint32_t value : {6U, 8U, 6U, 0U, 5U, 8U, 1U, 2U}) word(value);
  word(0x00040001);  // four bytes of name, packed into the tag
  bytes += "data";
  word(0x00040003);  // four bytes of int16
  word(0x0102fffe);
  EXPECT_TRUE(identical(parse_matlab(bytes, "f", "data"), Matrix{{258, -2}}));
}

TEST_F(ReadMatlab, RefusalsListWhatTheFileHolds) {
  std::vector<double> real{1, 2, 3, 4, 5, 6};
  std::vector<double> imaginary(6, 1.0);
  const std::string text = "hello!";
  {
    MatlabWriter file(path());
    file.add("deep", MAT_C_DOUBLE, MAT_T_DOUBLE, std::array<std::size_t, 5>{1, 1, 1, 2, 3}, real.data());
    file.add_complex("z", {3, 2}, real.data(), imaginary.data());
    file.add_cell("cells");
    file.add_sparse("few");
    file.add("cube", MAT_C_DOUBLE, MAT_T_DOUBLE, std::array<std::size_t, 3>{1, 2, 3}, real.data());
    file.add("word", MAT_C_CHAR, MAT_T_UINT8, Shape{1, 6}, text.data());
    file.add("none", MAT_C_DOUBLE, MAT_T_DOUBLE, Shape{0, 3}, real.data());
    file.add("good", MAT_C_SINGLE, MAT_T_SINGLE, Shape{1, 1}, std::vector<float>{1}.data());
  }
  const std::string holds =
      "the file holds 'deep' (5-dimensional double), 'z' (3 x 2 complex double), 'cells' (1 x 1 cell), 'few' (2 x 2 "
      "sparse), 'cube' (1 x 2 x 3 "
      "double), 'word' (1 x 6 char), 'none' (0 x 3 double), 'good' (1 x 1 single)";
  const std::string expected = "; expected a real numeric matrix with at least one row and one column; " + holds;
  EXPECT_THROW_MESSAGE(read_matlab(path(), "nope"), DataError, path() + ": there is no variable 'nope'; " + holds);
  EXPECT_THROW_MESSAGE(read_matlab(path(), "z"), DataError, ": variable 'z' is 3 x 2 complex double" + expected);
  EXPECT_THROW_MESSAGE(read_matlab(path(), "cells"), DataError, "variable 'cells' is 1 x 1 cell" + expected);
  EXPECT_THROW_MESSAGE(read_matlab(path(), "few"), DataError, "variable 'few' is 2 x 2 sparse" + expected);
  EXPECT_THROW_MESSAGE(read_matlab(path(), "cube"), DataError, "variable 'cube' is 1 x 2 x 3 double" + expected);
  EXPECT_THROW_MESSAGE(read_matlab(path(), "word"), DataError, "variable 'word' is 1 x 6 char" + expected);
  EXPECT_THROW_MESSAGE(read_matlab(path(), "none"), DataError, "variable 'none' is 0 x 3 double" + expected);
  EXPECT_TRUE(identical(read_matlab(path(), "good"), Matrix{{1}}));
}

TEST_F(ReadMatlab, NumbersThatAreNotFiniteNameTheirPlace) {
  const std::vector<double> values{1, 2, 3, std::numeric_limits<double>::quiet_NaN(), 5, 6};
  const std::vector<double> infinite{1, -std::numeric_limits<double>::infinity()};
  const std::vector<double> large{1e300};
  {
    MatlabWriter file(path());
    file.add("data", MAT_C_DOUBLE, MAT_T_DOUBLE, Shape{3, 2}, values.data());
    file.add("far", MAT_C_DOUBLE, MAT_T_DOUBLE, Shape{2, 1}, infinite.data());
    file.add("large", MAT_C_DOUBLE, MAT_T_DOUBLE, Shape{1, 1}, large.data());
  }
  EXPECT_THROW_MESSAGE(read_matlab(path(), "data"),
                       DataError,
                       ": byte 128: variable 'data', row 1, column 1 (from 0): found 'nan'; expected a finite number");
  EXPECT_THROW_MESSAGE(
      read_matlab(path(), "far"), DataError, "row 2, column 0 (from 0): found '-inf'; expected a finite number");
#if !FEDSTEIN_REAL_IS_DOUBLE
  EXPECT_THROW_MESSAGE(
      read_matlab(path(), "large"), DataError, "found '1e+300'; expected a number that fits into float");
#endif
}

TEST_F(ReadMatlab, FilesOfOtherKindsAreRefused) {
  EXPECT_THROW_MESSAGE(parse_matlab("", "f", "data"), DataError, "f: the file is empty");
  EXPECT_THROW_MESSAGE(parse_matlab("1,2,3\n", "f", "data"),
                       DataError,
                       "f: byte 0: found '1,2,3\\x0a'; expected the header of a MATLAB 5 file");
  std::string bytes = usual(false);
  bytes[125] = 2;
  bytes[124] = 0;
  EXPECT_THROW_MESSAGE(parse_matlab(bytes, "f", "data"), DataError, "f: byte 124: this is a MATLAB 7.3 file (HDF5)");
  bytes.resize(128);
  bytes[125] = 1;
  EXPECT_THROW_MESSAGE(
      parse_matlab(bytes, "f", "data"), DataError, "f: there is no variable 'data'; the file holds no");
}

TEST_F(ReadMatlab, EveryCutIsFound) {
  for (const bool packed : {false, true}) {
    const std::string bytes = usual(packed);
    const std::size_t second = 128 + 8 + static_cast<unsigned char>(bytes[132]);  // where 'data' ends
    for (std::size_t size = 1; size < bytes.size(); ++size) {
      if (size == second) continue;  // a whole file with one variable less
      EXPECT_THROW(parse_matlab(bytes.substr(0, size), "f", "data"), DataError) << size;
    }
  }
  EXPECT_THROW_MESSAGE(parse_matlab(usual(false).substr(0, 150), "f", "data"),
                       DataError,
                       "f: byte 128: an element promises 96 bytes, 14 bytes are left; expected all");
  EXPECT_THROW_MESSAGE(parse_matlab(usual(false).substr(0, 133), "f", "data"),
                       DataError,
                       "f: byte 128: the file ends inside a tag; expected the rest of it");
}

TEST_F(ReadMatlab, LyingSizesAreFound) {
  // matio's layout of 'data': tag 128, flags 136, dimensions 152, name 168, values' tag 176, values 184.
  const std::string good = usual(false);
  const auto with = [&](std::size_t at, std::uint32_t value) {
    std::string bytes = good;
    for (std::size_t i = 0; i < 4; ++i) bytes[at + i] = static_cast<char>(value >> 8 * i & 0xff);
    return bytes;
  };
  const auto refuse = [](const std::string& bytes, const std::string& part) {
    EXPECT_THROW_MESSAGE(parse_matlab(bytes, "f", "data"), DataError, "f: byte 128: " + part);
  };
  refuse(with(132, 0xfffffff0), "an element promises 4294967280 bytes, ");
  refuse(with(128, 3), "found an element of type 3; expected 14 (matrix) or 15 (packed)");
  refuse(with(136, 5), "a variable does not start with its flags");
  refuse(with(140, 4000), "the part with the flags promises 4000 bytes; expected at most the 88 bytes that are left");
  refuse(with(156, 0x7ffffff8), "the part with the dimensions promises 2147483640 bytes; expected at most");
  refuse(with(160, 1U << 30),
         "found 48 bytes of values; expected 2147483648 numbers of 8 bytes for 1073741824 x 2 double");
  refuse(with(160, 0xffffffff), "a dimension is negative; expected 0 or more");
  refuse(with(160, 2), "found 48 bytes of values; expected 4 numbers of 8 bytes for 2 x 2 double");
  refuse(with(168, 0x00090001), "the size of the name is impossible; expected up to 4");
  refuse(with(176, 17), "the values are stored as type 17; expected one that suits 3 x 2 double");
  refuse(with(176, 1), "found 48 bytes of values; expected 6 numbers of 1 bytes");
  refuse(with(180, 40), "found 40 bytes of values; expected 6 numbers of 8 bytes");
  refuse(with(180, 0x10000000),
         "the part with the values promises 268435456 bytes; expected at most the 48 bytes that are left");
  refuse(with(144, 10), "the values are stored as type 9; expected one that suits 3 x 2 int16");
}

TEST_F(ReadMatlab, PackedVariablesThatLieOrAreDamagedAreFound) {
  const auto packed_file = [](const std::string& content) {
    const std::string packed = zlib_packed(content);
    std::string bytes(124, ' ');
    bytes += std::string_view("\0\1IM\x0f\0\0\0", 8);
    for (unsigned i = 0; i < 4; ++i) bytes += static_cast<char>(packed.size() >> 8 * i & 0xff);
    return bytes + packed;
  };
  const std::string element = usual(false).substr(128, 104);
  EXPECT_NO_THROW(parse_matlab(packed_file(element), "f", "data"));
  const auto refuse = [](const std::string& bytes, const std::string& part) {
    EXPECT_THROW_MESSAGE(parse_matlab(bytes, "f", "data"), DataError, "f: byte 128: " + part);
  };
  refuse(packed_file(element + "more"), "a packed variable is damaged (it holds another number of bytes)");
  refuse(packed_file(element.substr(0, 100)), "a packed variable is damaged (it holds another number of bytes)");
  refuse(packed_file("short"), "a packed variable is damaged (it holds another number of bytes); expected zlib data");
  refuse(packed_file(std::string(64, 'x')), "an element holds no matrix; expected a variable");
  std::string huge = element;
  huge[7] = '\x7f';
  refuse(packed_file(huge), "a packed variable promises 2130706536 bytes; expected at most what its ");
  std::string sum = packed_file(element);
  sum.back() = static_cast<char>(sum.back() ^ 1);
  refuse(sum, "a packed variable is damaged (incorrect data check); expected 104 sound bytes");
  std::string garbage = packed_file(element);
  garbage[136] = 'y';
  refuse(garbage, "a packed variable is damaged (incorrect header check); expected zlib data");
  EXPECT_THROW_MESSAGE(parse_matlab(packed_file(element), "f", "data", 100), DataError, "the limit of 100");
}

}  // namespace
}  // namespace fedstein
