// SPDX-License-Identifier: Apache-2.0
// MATLAB 5 files for tests and fuzzing seeds, written by matio.
#pragma once

#include <matio.h>

#include <array>
#include <stdexcept>
#include <string>

namespace fedstein {

class MatlabWriter {
 public:
  explicit MatlabWriter(const std::string& path) : file_(Mat_CreateVer(path.c_str(), nullptr, MAT_FT_MAT5)) {
    if (file_ == nullptr) throw std::runtime_error("MatlabWriter: cannot create " + path);
  }
  MatlabWriter(const MatlabWriter&) = delete;
  MatlabWriter& operator=(const MatlabWriter&) = delete;
  ~MatlabWriter() { Mat_Close(file_); }

  // Column by column, as MATLAB does; matio copies the values (and lacks a const).
  template <typename T, std::size_t kRank>
  void add(const char* name,
           matio_classes type,
           matio_types stored,
           std::array<std::size_t, kRank> shape,
           const T* values,
           bool packed = false) {
    add_variable(Mat_VarCreate(name, type, stored, kRank, shape.data(), const_cast<T*>(values), 0), packed);
  }

  void add_complex(const char* name, std::array<std::size_t, 2> shape, double* real, double* imaginary) {
    mat_complex_split_t parts{real, imaginary};
    add_variable(Mat_VarCreate(name, MAT_C_DOUBLE, MAT_T_DOUBLE, 2, shape.data(), &parts, MAT_F_COMPLEX), false);
  }

  void add_cell(const char* name) {
    double value = 1;
    std::array<std::size_t, 2> one{1, 1};
    matvar_t* content = Mat_VarCreate(nullptr, MAT_C_DOUBLE, MAT_T_DOUBLE, 2, one.data(), &value, 0);
    std::array<matvar_t*, 1> cells{content};
    add_variable(Mat_VarCreate(name, MAT_C_CELL, MAT_T_CELL, 2, one.data(), cells.data(), 0), false);
  }

  // 2 x 2 with 5 in the first place.
  void add_sparse(const char* name) {
    std::array<std::size_t, 2> shape{2, 2};
    std::array<mat_uint32_t, 1> row{0};
    std::array<mat_uint32_t, 3> column_ends{0, 1, 1};
    std::array<double, 1> values{5};
    mat_sparse_t sparse{1, row.data(), 1, column_ends.data(), 3, 1, values.data()};
    add_variable(Mat_VarCreate(name, MAT_C_SPARSE, MAT_T_DOUBLE, 2, shape.data(), &sparse, 0), false);
  }

 private:
  void add_variable(matvar_t* variable, bool packed) {
    if (variable == nullptr) throw std::runtime_error("MatlabWriter: matio refuses the variable");
    const int result = Mat_VarWrite(file_, variable, packed ? MAT_COMPRESSION_ZLIB : MAT_COMPRESSION_NONE);
    Mat_VarFree(variable);
    if (result != 0) throw std::runtime_error("MatlabWriter: matio cannot write the variable");
  }

  mat_t* file_;
};

}  // namespace fedstein
