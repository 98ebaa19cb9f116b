// SPDX-License-Identifier: Apache-2.0
#include "arrays.h"

#include <nanobind/stl/string.h>

#include <cstdint>
#include <string_view>
#include <utility>

#include "fedstein/base/counted.h"
#include "fedstein/numeric/check.h"

namespace fedstein::python {
namespace {

const char* shape_words(int dimensions) {
  return dimensions == 1 ? "1 dimension" : "2 dimensions, a row for each particle or row of data";
}

// Anything as an array of these numbers that lie side by side.
nb::object converted(nb::handle given, int dimensions, const char* dtype, const Argument& argument) {
  const nb::module_ numpy = nb::module_::import_("numpy");
  nb::object array;
  try {
    array = numpy.attr("asarray")(given);
  } catch (const nb::python_error& problem) {
    if (!problem.matches(PyExc_ValueError) && !problem.matches(PyExc_TypeError)) throw;
    refuse(argument.function,
           std::string(argument.name) + " is a " + class_name(given) +
               " that NumPy cannot make an array of: " + problem.what());
  }
  const auto kind = nb::cast<std::string>(array.attr("dtype").attr("kind"));
  check_argument(std::string_view("biuf").find(kind) != std::string_view::npos, argument.function, [&] {
    return std::string(argument.name) + " holds " + words_of(array.attr("dtype")) + "; allowed: real numbers";
  });
  const auto found = nb::cast<int>(array.attr("ndim"));
  check_argument(found == dimensions, argument.function, [&] {
    return std::string(argument.name) + " has the shape " + words_of(array.attr("shape")) + "; it must have " +
           shape_words(dimensions);
  });
  // What does not fit becomes infinite, and is refused as such.
  const nb::object quiet = numpy.attr("errstate")(nb::arg("over") = "ignore");
  quiet.attr("__enter__")();
  try {
    nb::object out = numpy.attr("require")(array, dtype, nb::make_tuple("C", "A"));
    quiet.attr("__exit__")(nb::none(), nb::none(), nb::none());
    return out;
  } catch (...) {  // no memory: NumPy warns again afterwards, as before
    quiet.attr("__exit__")(nb::none(), nb::none(), nb::none());
    throw;
  }
}

// Only these are read where they lie. Other things that export a buffer are NumPy's business: what some of them export,
// such as its own dates, leads nanobind out of bounds.
bool is_numpy_array(nb::handle given) {
  static PyObject* const kArray =
      nb::object(nb::module_::import_("numpy").attr("ndarray")).release().ptr();  // for the process's life
  return PyObject_TypeCheck(given.ptr(), reinterpret_cast<PyTypeObject*>(kArray));
}

template <typename Array>
bool read_in_place(nb::handle given, Array& array) {
  if (!is_numpy_array(given) || !nb::try_cast(given, array, /*convert=*/false)) return false;
  return reinterpret_cast<std::uintptr_t>(array.data()) % alignof(typename Array::Scalar) == 0;
}

template <typename Number, int kDimensions>
using InPlace = nb::ndarray<const Number, nb::ndim<kDimensions>, nb::c_contig, nb::device::cpu>;

template <typename Number>
constexpr const char* name_of_type() {
  return sizeof(Number) == sizeof(float) ? "float32" : "float64";
}

template <typename Number, int kDimensions>
InPlace<Number, kDimensions> read(nb::handle given, const Argument& argument) {
  InPlace<Number, kDimensions> array;
  if (read_in_place(given, array)) return array;
  const nb::object other = converted(given, kDimensions, name_of_type<Number>(), argument);
  check_argument(read_in_place(other, array), argument.function, [&] {
    return std::string(argument.name) + " is a " + class_name(given) + " that cannot be read as an array";
  });
  return array;
}

Index length(std::size_t size) {
  return static_cast<Index>(size);
}

template <typename Result, typename Held>
Result move_out(Held&& held, std::initializer_list<std::size_t> shape) {
  using Kept = std::remove_cvref_t<Held>;
  auto kept = std::make_unique<Kept>(std::forward<Held>(held));
  const auto* data = kept->data();
  const nb::capsule owner(kept.get(), [](void* place) noexcept { delete static_cast<Kept*>(place); });
  kept.release();
  static typename Kept::Scalar nothing = 0;  // an empty array has an address too
  return Result(data != nullptr ? const_cast<typename Kept::Scalar*>(data) : &nothing, shape, owner);
}

std::size_t size_of(Index count) {
  return static_cast<std::size_t>(count);
}

}  // namespace

MatrixArgument::MatrixArgument(nb::handle given, const Argument& argument, Finite finite)
    : array_(read<Real, 2>(given, argument)),
      data_(array_.data()),
      rows_(length(array_.shape(0))),
      columns_(length(array_.shape(1))) {
  if (finite == Finite::kMust) check_finite(argument.function, argument.name, view());
}

Vector vector_of(nb::handle given, const Argument& argument) {
  const auto array = read<Real, 1>(given, argument);
  Vector out = Eigen::Map<const Vector>(array.data(), length(array.shape(0)));
  check_finite(argument.function, argument.name, Eigen::Map<const Matrix>(out.data(), out.size(), 1));
  return out;
}

DoubleVector any_numbers_of(nb::handle given, const Argument& argument) {
  const auto array = read<double, 1>(given, argument);
  return Eigen::Map<const DoubleVector>(array.data(), length(array.shape(0)));
}

DoubleVector numbers_of(nb::handle given, const Argument& argument) {
  DoubleVector out = any_numbers_of(given, argument);
  check_argument(out.allFinite(), argument.function, [&] {
    return std::string(argument.name) + " holds a number that is not finite";
  });
  return out;
}

DoubleMatrix number_matrix_of(nb::handle given, const Argument& argument) {
  const auto array = read<double, 2>(given, argument);
  return Eigen::Map<const DoubleMatrix>(array.data(), length(array.shape(0)), length(array.shape(1)));
}

RowsArgument::RowsArgument(nb::handle x, nb::handle y, const char* function)
    : x_(x, {function, "x"}), view_(x_.view()), y_(vector_of(y, {function, "y"})) {
  check_argument(y_.size() == view_.rows(), function, [&] {
    return "x has " + counted(view_.rows(), "row") + " and y " + counted(y_.size(), "value") +
           "; there must be one for each row";
  });
}

template <typename Number>
nb::ndarray<nb::numpy, Number, nb::ndim<2>, nb::c_contig> array_of(
    Eigen::Matrix<Number, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>&& matrix) {
  const std::size_t rows = size_of(matrix.rows());
  const std::size_t columns = size_of(matrix.cols());
  return move_out<nb::ndarray<nb::numpy, Number, nb::ndim<2>, nb::c_contig>>(std::move(matrix), {rows, columns});
}
template nb::ndarray<nb::numpy, float, nb::ndim<2>, nb::c_contig> array_of(
    Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>&&);
template nb::ndarray<nb::numpy, double, nb::ndim<2>, nb::c_contig> array_of(DoubleMatrix&&);

RealMatrix copy_of(const ConstMatrixRef& matrix) {
  return array_of(Matrix(matrix));
}

NumberVector array_of(DoubleVector&& vector) {
  const std::size_t size = size_of(vector.size());
  return move_out<NumberVector>(std::move(vector), {size});
}

nb::object array_of_reals(const ConstVectorRef& vector) {
  using Reals = nb::ndarray<nb::numpy, Real, nb::ndim<1>, nb::c_contig>;
  Vector copy = vector;
  const std::size_t size = size_of(copy.size());
  return nb::cast(move_out<Reals>(std::move(copy), {size}));
}

const char* dtype_name() {
  return name_of_type<Real>();
}

std::string shown(const nb::object& given) {
  constexpr std::size_t kMost = 80;
  const auto text = nb::cast<std::string>(nb::repr(given));
  return text.size() <= kMost ? text : text.substr(0, kMost) + " ...";
}

std::string text_of(nb::handle given, const Argument& argument) {
  std::string out;
  check_argument(nb::isinstance<nb::str>(given) && nb::try_cast(given, out), argument.function, [&] {
    return std::string(argument.name) + " is " + shown(nb::borrow(given)) + "; it must be a text";
  });
  return out;
}

std::string words_of(const nb::object& given) {
  std::string out;
  const nb::object text = nb::str(given);
  return nb::try_cast(text, out) ? out : shown(text);  // where UTF-8 has no letters for it
}

std::string class_name(nb::handle given) {
  if (given.is_none()) return "None";
  return nb::cast<std::string>(given.type().attr("__name__"));
}

}  // namespace fedstein::python
