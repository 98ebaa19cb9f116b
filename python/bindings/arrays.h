// SPDX-License-Identifier: Apache-2.0
// NumPy's arrays as our matrices: arguments are read where they lie if they can be, results leave without a copy.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>
#include <string>

#include "fedstein/model/batch.h"
#include "fedstein/numeric/matrix.h"

namespace fedstein::python {

namespace nb = nanobind;

using RealMatrix = nb::ndarray<nb::numpy, Real, nb::ndim<2>, nb::c_contig>;
using NumberMatrix = nb::ndarray<nb::numpy, double, nb::ndim<2>, nb::c_contig>;
using NumberVector = nb::ndarray<nb::numpy, double, nb::ndim<1>, nb::c_contig>;

// The argument of a function, for complaints.
struct Argument {
  const char* function;
  const char* name;
};

enum class Finite { kMust, kNeedNot };

// A matrix that somebody gave. Reads an array of our numbers in place, converts everything else that NumPy takes for
// real numbers. Throws InvalidArgument. Lives and dies with the interpreter's lock.
class MatrixArgument {
 public:
  using View = Eigen::Map<const Matrix>;

  MatrixArgument(nb::handle given, const Argument& argument, Finite finite = Finite::kMust);

  View view() const { return {data_, rows_, columns_}; }
  Index rows() const { return rows_; }
  Index columns() const { return columns_; }

 private:
  nb::ndarray<const Real, nb::ndim<2>, nb::c_contig, nb::device::cpu> array_;
  const Real* data_ = nullptr;
  Index rows_ = 0;
  Index columns_ = 0;
};

Vector vector_of(nb::handle given, const Argument& argument);
DoubleVector numbers_of(nb::handle given, const Argument& argument);
DoubleVector any_numbers_of(nb::handle given, const Argument& argument);  // finite or not
DoubleMatrix number_matrix_of(nb::handle given, const Argument& argument);

// Rows with labels. The rows are read where they lie; labels are copied, because they are used as places in memory.
class RowsArgument {
 public:
  RowsArgument(nb::handle x, nb::handle y, const char* function);
  Batch batch() const { return {view_, y_}; }

 private:
  MatrixArgument x_;
  MatrixArgument::View view_;
  Vector y_;
};

// Results. The matrix moves into the array.
template <typename Number>
nb::ndarray<nb::numpy, Number, nb::ndim<2>, nb::c_contig> array_of(
    Eigen::Matrix<Number, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>&& matrix);
RealMatrix copy_of(const ConstMatrixRef& matrix);
NumberVector array_of(DoubleVector&& vector);
nb::object array_of_reals(const ConstVectorRef& vector);

// "float32"
const char* dtype_name();
// Of what somebody gave, for complaints.
std::string class_name(nb::handle given);
// As Python writes it, the first of it where it is long.
std::string shown(const nb::object& given);
// A str that can be written as UTF-8. Throws InvalidArgument.
std::string text_of(nb::handle given, const Argument& argument);
// str(given)
std::string words_of(const nb::object& given);

}  // namespace fedstein::python
