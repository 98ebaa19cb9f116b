// SPDX-License-Identifier: Apache-2.0
// The inside of ByteSource: where packed bytes come from, and what unpacks them.
#pragma once

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fedstein/data/error.h"

namespace fedstein {

// 256 KiB: long enough that calls do not count, short enough to stay in the second-level cache.
inline constexpr std::size_t kBlock = std::size_t{1} << 18;

// The bytes as they are stored, from a file or a buffer, with the front of them visible before they are taken.
class PackedInput {
 public:
  explicit PackedInput(const std::string& path);                 // a file
  PackedInput(std::string_view bytes, const std::string& name);  // a buffer
  static PackedInput standard_input();

  const std::string& name() const { return name_; }
  // What is at hand; refilled when used up, so it is empty only at the end.
  std::string_view peek();
  void take(std::size_t count);
  // Bytes taken so far.
  std::uint64_t offset() const { return offset_; }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  std::string name_;
  std::unique_ptr<std::FILE, Close> file_;  // none: a buffer, all of it in view_ from the start
  std::vector<char> block_;
  std::string_view view_;
  std::uint64_t offset_ = 0;
};

class Decoder {
 public:
  Decoder() = default;
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;
  virtual ~Decoder() = default;

  // The next unpacked bytes, valid until the next call; empty only at the end.
  virtual std::string_view next() = 0;
  // Packed bytes that went into all unpacked ones so far; nothing where they are the same.
  virtual std::optional<std::uint64_t> packed_bytes() const { return std::nullopt; }
};

std::unique_ptr<Decoder> make_gzip_decoder(PackedInput input);
std::unique_ptr<Decoder> make_bzip2_decoder(PackedInput input);

}  // namespace fedstein
