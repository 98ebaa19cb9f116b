// SPDX-License-Identifier: Apache-2.0
// What a reader says about a file it cannot use: one sentence with the place, what was found there and what was
// expected.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "fedstein/base/error.h"
#include "fedstein/numeric/matrix.h"

namespace fedstein {

// A file that cannot be read. The message starts with "FILE:LINE: ", "FILE: byte OFFSET: " or, when the file as a whole
// is meant, "FILE: ". Lines and rows are counted from 1 as editors do, columns and bytes from 0. Offsets point
// into the unpacked bytes; only complaints about the packing itself point into the packed file.
class DataError : public ErrorOf<ErrorKind::kData> {
 public:
  using ErrorOf::ErrorOf;
};

[[noreturn]] void fail_file(const std::string& name, const std::string& complaint);
[[noreturn]] void fail_line(const std::string& name, Index line, const std::string& complaint);
[[noreturn]] void fail_byte(const std::string& name, std::uint64_t offset, const std::string& complaint);

// The bytes in quotes, fit to be shown on any terminal: at most 40 of them, those that do not print as \xNN.
std::string in_quotes(std::string_view found);

}  // namespace fedstein
