// SPDX-License-Identifier: Apache-2.0
// A message as a foreign carrier takes it: one head of bytes, and the values of every matrix by themselves, because
// engines carry arrays in pieces and small bytes whole. Nothing of it is believed before it was read as a whole.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fedstein/federated/messages.h"
#include "fedstein/federated/state.h"

namespace fedstein {

struct Parcel {
  std::string head = {};                  // versioned, checksummed; says the shape and the checksum of every array
  std::vector<std::string> numbers = {};  // the values of one matrix each, row after row, little-endian
  std::int64_t bytes() const;
};

class ParcelWriter {
 public:
  explicit ParcelWriter(std::string_view owner) : head_(owner) {}

  StateWriter& head() { return head_; }
  void belief(const Belief& belief);
  Parcel finish() &&;

 private:
  StateWriter head_;
  std::vector<std::string> numbers_;
};

// Reads in the order written. Throws BadState with one sentence.
class ParcelReader {
 public:
  // The parcel is read where it is.
  ParcelReader(const Parcel& parcel, std::string_view owner);
  ParcelReader(Parcel&& parcel, std::string_view owner) = delete;

  StateReader& head() { return head_; }
  // Within bounds; `what` names the number in the complaint.
  std::int64_t integer(const char* what, std::int64_t least, std::int64_t most);
  bool flag(const char* what);
  // At most some thousand bytes.
  std::string short_text(const char* what);
  Belief belief();
  // Nothing may be left over.
  void finish() const;

 private:
  const Parcel& parcel_;
  StateReader head_;
  std::size_t taken_ = 0;
};

}  // namespace fedstein
