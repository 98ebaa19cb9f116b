// SPDX-License-Identifier: Apache-2.0
// Functions of the user's own as parts of a computation: one call for all particles, with copies as arguments.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

#include "arrays.h"
#include "fedstein/stein/score.h"

namespace fedstein::python {

// A Python object that a C++ object owns and that any thread may let go.
class Kept {
 public:
  Kept() = default;
  explicit Kept(nb::object object) : object_(std::move(object)) {}
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;
  Kept(Kept&& other) noexcept = default;
  Kept& operator=(Kept&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Kept();

  explicit operator bool() const { return object_.is_valid() && !object_.is_none(); }
  const nb::object& get() const { return object_; }

 private:
  nb::object object_;
};

// Throws InvalidArgument unless it can be called, or is None where that is allowed.
enum class Absent { kAllowed, kRefused };
Kept callable_of(nb::handle given, const Argument& argument, Absent absent = Absent::kRefused);

// grad += weight * what the function returned: N x d, as theta. A result of another shape or kind is InvalidArgument,
// one that is not finite a Divergence. With the interpreter's lock.
void add_returned(nb::handle returned, const char* what, double weight, MatrixRef grad);
// One number for each particle; -inf is a log density too.
DoubleVector densities_of(nb::handle returned, const char* what, Index particles);

// theta -> N x d.
class CallableScore : public Score {
 public:
  CallableScore(Kept function, const char* what) : function_(std::move(function)), what_(what) {}
  void add(const ConstMatrixRef& theta, Index step, double weight, MatrixRef grad) const override;

 private:
  Kept function_;
  const char* what_;
};

}  // namespace fedstein::python
