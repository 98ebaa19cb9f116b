// SPDX-License-Identifier: Apache-2.0
// What both relays have in common with Python: messages as bytes, and what the library tells meanwhile.
#pragma once

#include <nanobind/nanobind.h>

#include <deque>
#include <mutex>
#include <string>
#include <utility>

#include "fedstein/relay/parcel.h"

namespace fedstein::python {

namespace nb = nanobind;

std::string string_of(nb::bytes bytes);
Parcel parcel_of_python(nb::bytes head, nb::list numbers);
// (head, numbers)
nb::tuple pair_of(const Parcel& parcel);

// What the library tells, from whichever thread, until Python asks for it.
template <typename Word>
class Told {
 public:
  void add(const Word& word) {
    constexpr std::size_t kMost = 10000;  // nobody listens
    const std::lock_guard lock(mutex_);
    if (words_.size() < kMost) words_.push_back(word);
  }
  std::deque<Word> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(words_, {});
  }

 private:
  std::mutex mutex_;
  std::deque<Word> words_;
};

nb::list list_of_lines(Told<std::string>& told);

}  // namespace fedstein::python
