// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

#include "fedstein/data/error.h"

namespace fedstein {

// How many unpacked bytes a reader takes before it refuses: far above any data set of this project, far below what a
// few megabytes of hostile compression can unpack to.
inline constexpr std::uint64_t kByteLimit = std::uint64_t{8} << 30;

// For readers that keep nothing of what they read.
inline constexpr std::uint64_t kNoByteLimit = std::numeric_limits<std::uint64_t>::max();

// What is made to unpack to much and means nothing shows by its ratio: zeros shrink a thousandfold, tables of numbers
// tenfold, sparse ones perhaps fiftyfold. Beyond kUnsuspicious bytes a packed source is refused where it is larger.
inline constexpr std::uint64_t kUnsuspicious = std::uint64_t{64} << 20;
inline constexpr std::uint64_t kMostExpansion = 200;

class Decoder;

// The unpacked bytes of a file or a buffer, block by block. gzip and bzip2 are recognised by their first bytes,
// whatever the file is called; several packed streams one after another count as one. Throws DataError for a file that
// is missing, a directory, unreadable or empty, for a packed stream that is cut short, damaged or followed by anything
// else, for more than byte_limit unpacked bytes and, unless that is kNoByteLimit, for kMostExpansion.
class ByteSource {
 public:
  static ByteSource open(const std::string& path, std::uint64_t byte_limit = kByteLimit);
  // The program's standard input, under that name. Blocks come as they arrive, so that what is typed or piped can be
  // answered line by line.
  static ByteSource standard_input(std::uint64_t byte_limit = kByteLimit);
  // `bytes` must outlive the source; `name` stands in for the file in messages.
  static ByteSource over(std::string_view bytes, const std::string& name, std::uint64_t byte_limit = kByteLimit);

  ByteSource(ByteSource&& other) noexcept;
  ByteSource& operator=(ByteSource&& other) noexcept;
  ~ByteSource();

  // The next block, valid until the next call; empty at the end, and then forever.
  std::string_view next();
  // Everything that is left, in one piece that grows as the bytes arrive.
  std::string rest();

  const std::string& name() const { return name_; }
  bool is_packed() const;

 private:
  void check_expansion() const;

  ByteSource(const std::string& name, std::unique_ptr<Decoder> decoder, std::uint64_t byte_limit);

  std::string name_;
  std::unique_ptr<Decoder> decoder_;
  std::uint64_t byte_limit_;
  std::uint64_t bytes_ = 0;
};

}  // namespace fedstein
