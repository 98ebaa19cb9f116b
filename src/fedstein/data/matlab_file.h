// SPDX-License-Identifier: Apache-2.0
// The structure of a MATLAB 5 file, walked with every size checked against the bytes that are really there. matio
// trusts sizes; so it is only ever shown a file that was written here, with one variable that passed these checks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fedstein/data/error.h"

namespace fedstein {

inline constexpr std::size_t kMatlabHeader = 128;
inline constexpr std::size_t kMatlabTag = 8;
// Elements start at multiples of eight bytes.
inline std::size_t matlab_padded(std::size_t bytes) {
  return (bytes + kMatlabTag - 1) / kMatlabTag * kMatlabTag;
}

// Type codes in the tags of the format.
inline constexpr std::uint32_t kInt8Tag = 1;
inline constexpr std::uint32_t kInt32Tag = 5;
inline constexpr std::uint32_t kUint32Tag = 6;
inline constexpr std::uint32_t kSingleTag = 7;
inline constexpr std::uint32_t kDoubleTag = 9;
inline constexpr std::uint32_t kMatrixTag = 14;
inline constexpr std::uint32_t kCompressedTag = 15;

// Class codes in the flags of a variable: what MATLAB takes the values for, however they are stored.
enum class MatlabClass : std::uint8_t { kSparse = 5, kDouble = 6, kSingle = 7, kInt8 = 8, kUint64 = 15, kOpaque = 17 };

struct MatlabVariable {
  std::string name;
  std::uint64_t offset = 0;  // of its element in the file
  std::string_view stored;   // its element's content, as stored
  bool compressed = false;   // `stored` is a zlib stream of the whole element
  MatlabClass type{};        // one of MatlabClass or another code of the format
  bool complex = false;
  std::vector<Index> shape;
};

class MatlabFile {
 public:
  // Checks the header and lists the variables. `bytes` must outlive the file.
  MatlabFile(std::string_view bytes, const std::string& name, std::uint64_t byte_limit);

  const std::string& name() const { return name_; }
  const std::vector<MatlabVariable>& variables() const { return variables_; }
  // "the file holds 'data' (277 x 9 double), 'target' (277 x 1 int16)"
  std::string contents() const;

  // The bytes of a MATLAB 5 file with this variable alone, under the name "v" and not compressed. The variable must be
  // a real numeric matrix; the sizes of its parts are checked here.
  std::string extract(const MatlabVariable& variable) const;

 private:
  struct Part {
    std::uint32_t type = 0;
    std::string_view data;
    std::size_t length = 0;  // tag, data and padding
  };

  std::uint32_t word(std::string_view bytes, std::size_t at) const;
  Part part(std::string_view content, std::uint64_t offset, const char* what) const;
  MatlabVariable describe(std::string_view content, std::uint64_t offset) const;
  // Up to `wanted` bytes from the front of a zlib stream.
  std::string unpack_front(std::string_view packed, std::uint64_t offset, std::size_t wanted) const;
  // A whole variable's element out of its zlib stream.
  std::string unpack(std::string_view packed, std::uint64_t offset) const;
  Part check_values(std::string_view content, const MatlabVariable& variable) const;
  void put_word(std::string& out, std::uint32_t value) const;
  void put_part(std::string& out, std::uint32_t type, std::string_view data) const;

  std::string name_;
  std::uint64_t byte_limit_;
  bool little_ = true;
  std::vector<MatlabVariable> variables_;
};

// "277 x 9 double"
std::string describe_variable(const MatlabVariable& variable);

}  // namespace fedstein
