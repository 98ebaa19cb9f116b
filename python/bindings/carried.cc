// SPDX-License-Identifier: Apache-2.0
#include "carried.h"

#include "arrays.h"
#include "fedstein/numeric/check.h"

namespace fedstein::python {

std::string string_of(nb::bytes bytes) {
  return {bytes.c_str(), bytes.size()};
}

namespace {

nb::bytes bytes_object(const std::string& bytes) {
  return nb::bytes(bytes.data(), bytes.size());
}

}  // namespace

Parcel parcel_of_python(nb::bytes head, nb::list numbers) {
  Parcel out{string_of(std::move(head)), {}};
  for (const nb::handle array : numbers) {
    check_argument(nb::isinstance<nb::bytes>(array), "numbers", [&] {
      return "an entry is a " + class_name(array) + "; all must be bytes";
    });
    out.numbers.push_back(string_of(nb::cast<nb::bytes>(array)));
  }
  return out;
}

nb::tuple pair_of(const Parcel& parcel) {
  nb::list numbers;
  for (const std::string& array : parcel.numbers) numbers.append(bytes_object(array));
  return nb::make_tuple(bytes_object(parcel.head), numbers);
}

nb::list list_of_lines(Told<std::string>& told) {
  nb::list out;
  for (const std::string& line : told.take()) {
    // A line may quote bytes of a file's name, which need not be text.
    out.append(nb::steal(PyUnicode_DecodeUTF8(line.data(), static_cast<Py_ssize_t>(line.size()), "replace")));
  }
  return out;
}

}  // namespace fedstein::python
