// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "fedstein/data/source.h"

namespace fedstein {

// One string or number, with the blanks around it. The parser holds a token in memory, so it must end some time.
inline constexpr std::uint64_t kLongestToken = std::uint64_t{1} << 20;

// The bytes of a source one by one, for the parser's iterators.
class ByteCursor {
 public:
  explicit ByteCursor(ByteSource source) : source_(std::move(source)) {}

  bool at_end() {
    if (block_.empty() && !asked_past_end_) {
      block_ = source_.next();
      asked_past_end_ = block_.empty();
    }
    return asked_past_end_;
  }
  char front() const { return block_.front(); }
  void advance() {
    block_.remove_prefix(1);
    if (++offset_ - token_start_ > kLongestToken) {
      fail("a string or number has more than " + std::to_string(kLongestToken) + " bytes");
    }
  }
  void end_token() { token_start_ = offset_; }
  bool asked_past_end() const { return asked_past_end_; }
  const std::string& name() const { return source_.name(); }
  [[noreturn]] void fail(const std::string& complaint) const { fail_byte(name(), offset_, complaint); }

 private:
  ByteSource source_;
  std::string_view block_;
  std::uint64_t offset_ = 0;
  std::uint64_t token_start_ = 0;
  bool asked_past_end_ = false;
};

class ByteIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = char;

  ByteIterator() = default;  // the end
  explicit ByteIterator(ByteCursor& cursor) : cursor_(&cursor) {}

  char operator*() const { return cursor_->front(); }
  ByteIterator& operator++() {
    cursor_->advance();
    return *this;
  }
  void operator++(int) { cursor_->advance(); }
  bool operator==(const ByteIterator& other) const { return ended() == other.ended(); }
  bool operator!=(const ByteIterator& other) const { return !(*this == other); }

 private:
  bool ended() const { return cursor_ == nullptr || cursor_->at_end(); }

  ByteCursor* cursor_ = nullptr;
};

}  // namespace fedstein
