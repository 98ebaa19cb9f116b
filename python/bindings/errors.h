// SPDX-License-Identifier: Apache-2.0
// Errors on their way between the two languages.
#pragma once

#include <nanobind/nanobind.h>

#include <exception>
#include <type_traits>
#include <utility>

#include "ending.h"
#include "fedstein/base/check.h"

namespace fedstein::python {

namespace nb = nanobind;

// What a user's own function raised, or what it returned in a wrong way, on its way through a C++ loop. No
// std::exception on purpose: an agent that fails is a value to the round loop, but a user's mistake has to come out of
// the call that led to it.
struct PassingThrough {
  std::exception_ptr error;
};

// Ctrl-C ended the computation.
struct Interrupted {};

// Runs `call` with the interpreter's lock, from whatever thread. A Divergence stays one: that is a result.
template <typename Call>
auto in_python(const Call& call) -> decltype(call()) {
  const Visit visit;
  if (!visit.is_welcome()) throw PassingThrough{std::make_exception_ptr(Interrupted{})};
  const nb::gil_scoped_acquire lock;
  try {
    return call();
  } catch (const Divergence&) {
    throw;
  } catch (const PassingThrough&) {
    throw;
  } catch (...) {
    throw PassingThrough{std::current_exception()};
  }
}

// Runs `call` without the interpreter's lock, for whatever computes: threads of the loops below may need it.
template <typename Call>
auto without_lock(const Call& call) -> decltype(call()) {
  const Unlocked unlocked;
  return call();
}

// Throws KeyboardInterrupt as PassingThrough where Ctrl-C was pressed. Cheap enough for every step: the interpreter is
// asked a few times a second.
void heed_signals();

// Our errors become the classes of fedstein.errors.
void translate_errors();

}  // namespace fedstein::python
