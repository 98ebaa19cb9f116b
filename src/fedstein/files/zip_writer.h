// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fedstein/files/byte_sink.h"

namespace fedstein {

// A ZIP archive, member after member, into a sink that need not seek. Members are deflated where that makes them
// smaller, and have one fixed date: the same numbers make the same bytes. Any number of members; each below 4 GiB.
class ZipWriter {
 public:
  explicit ZipWriter(const ByteSink& sink) : sink_(sink) {}

  void add(const std::string& name, std::string_view bytes);
  // The directory at the end; without it the archive cannot be opened.
  void finish();

 private:
  struct Member {
    std::string name = {};
    std::uint64_t offset = 0;
    std::uint32_t checksum = 0;
    std::uint32_t packed = 0;
    std::uint32_t unpacked = 0;
    bool deflated = false;
  };
  void put(std::string_view bytes);

  const ByteSink& sink_;
  std::uint64_t written_ = 0;
  std::vector<Member> members_;
};

}  // namespace fedstein
