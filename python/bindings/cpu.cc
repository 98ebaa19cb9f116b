// SPDX-License-Identifier: Apache-2.0
// fedstein._cpu: which of the installed levels this processor runs. Without nanobind and without the library, because
// it is there before any of them is chosen, and must run everywhere.
#include <Python.h>

#include <exception>
#include <string>

#include "cpu_levels.h"

namespace {

// choose(installed: list[str], wanted: str) -> str
PyObject* choose(PyObject* /*module*/, PyObject* arguments) {
  PyObject* list = nullptr;
  const char* wanted = nullptr;
  if (PyArg_ParseTuple(arguments, "O!s", &PyList_Type, &list, &wanted) == 0) return nullptr;
  try {
    fedstein::LevelOffer offer = {.supported = fedstein::supported_levels(), .installed = {}};
    for (Py_ssize_t i = 0; i < PyList_Size(list); ++i) {
      const char* name = PyUnicode_AsUTF8AndSize(PyList_GetItem(list, i), nullptr);
      if (name == nullptr) return nullptr;
      offer.installed.emplace_back(name);
    }
    return PyUnicode_FromString(fedstein::choose_level(offer, wanted).c_str());
  } catch (const std::exception& problem) {
    PyErr_SetString(PyExc_ValueError, problem.what());
    return nullptr;
  }
}

PyMethodDef methods[] = {
    {"choose", choose, METH_VARARGS, "The best level that is installed and that this processor runs."},
    {nullptr, nullptr, 0, nullptr}};
PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_cpu", nullptr, 0, methods, nullptr, nullptr, nullptr, nullptr};

}  // namespace

PyMODINIT_FUNC PyInit__cpu() {
  return PyModule_Create(&definition);
}
