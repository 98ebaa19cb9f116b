// SPDX-License-Identifier: Apache-2.0
#include "errors.h"

#include <chrono>
#include <filesystem>
#include <map>
#include <new>
#include <string>

#include "fedstein/base/error.h"

namespace fedstein::python {
namespace {

// Kept for the life of the process, as the interpreter's own exceptions are.
struct ErrorClasses {
  PyObject* base = nullptr;
  std::map<ErrorKind, PyObject*> of_kind = {};
};

ErrorClasses& classes() {
  static ErrorClasses all;
  return all;
}

// Messages quote what users gave, which may be any bytes.
void raise(PyObject* type, const char* sentence) {
  const std::string text(sentence);
  PyObject* message = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
  if (message == nullptr) return;
  PyErr_SetObject(type, message);
  Py_DECREF(message);
}

void translate(const std::exception_ptr& error, void* /*unused*/) {
  try {
    std::rethrow_exception(error);
  } catch (const PassingThrough& passing) {
    translate(passing.error, nullptr);
  } catch (const Interrupted&) {
    // Python's handler has seen the signal, and raises here.
    if (PyErr_CheckSignals() == 0) PyErr_SetNone(PyExc_KeyboardInterrupt);
  } catch (nb::python_error& problem) {
    problem.restore();
  } catch (const nb::builtin_exception& problem) {
    raise(problem.type() == nb::exception_type::type_error ? PyExc_TypeError : PyExc_RuntimeError, problem.what());
  } catch (const Error& problem) {
    const auto found = classes().of_kind.find(problem.kind());
    raise(found == classes().of_kind.end() ? classes().base : found->second, problem.what());
  } catch (const std::bad_alloc&) {
    raise(PyExc_MemoryError, "fedstein: not enough memory for what was asked");
  } catch (const std::filesystem::filesystem_error& problem) {
    raise(classes().of_kind[ErrorKind::kInputOutput], problem.what());
  } catch (const std::bad_cast&) {
    raise(PyExc_TypeError, "fedstein: a value is of a type that is not taken here");
  } catch (const std::exception& problem) {
    raise(classes().base, problem.what());
  }
}

}  // namespace

void translate_errors() {
  const nb::module_ errors = nb::module_::import_("fedstein.errors");
  const auto class_named = [&](const char* name) {
    return nb::object(nb::hasattr(errors, name) ? errors.attr(name) : errors.attr("Error")).release().ptr();
  };
  classes() = {.base = class_named("Error"),
               .of_kind = {{ErrorKind::kArgument, class_named("InvalidArgument")},
                           {ErrorKind::kConfiguration, class_named("InvalidArgument")},
                           {ErrorKind::kData, class_named("DataError")},
                           {ErrorKind::kDivergence, class_named("Divergence")},
                           {ErrorKind::kMissing, class_named("FileError")},
                           {ErrorKind::kAlreadyThere, class_named("FileError")},
                           {ErrorKind::kInputOutput, class_named("FileError")}}};
  nb::register_exception_translator(translate);
}

void heed_signals() {
  using Clock = std::chrono::steady_clock;
  constexpr auto kEvery = std::chrono::milliseconds(100);
  thread_local Clock::time_point next = Clock::now() + kEvery;
  const Clock::time_point now = Clock::now();
  if (now < next) return;
  next = now + kEvery;
  in_python([] {
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  });
}

}  // namespace fedstein::python
