// SPDX-License-Identifier: Apache-2.0
//
// A MATLAB 5 file: 128 bytes of header, then elements. An element is a tag (type, bytes) and its content; a variable is
// an element of type matrix, perhaps inside one of type compressed, and its content again consists of elements: flags,
// dimensions, name, values. An element of up to four bytes may be packed into eight with its tag.
#include "fedstein/data/matlab_file.h"

#include <algorithm>
#include <array>
#include <limits>

namespace fedstein {
namespace {

// Flags, dimensions and name of a variable end before this: MATLAB's names have up to 63 characters.
constexpr std::size_t kDescriptionBytes = 4096;

constexpr std::uint32_t kComplexFlag = 0x0800;

constexpr std::array<const char*, 18> kClassNames{"class 0",
                                                  "cell",
                                                  "struct",
                                                  "object",
                                                  "char",
                                                  "sparse",
                                                  "double",
                                                  "single",
                                                  "int8",
                                                  "uint8",
                                                  "int16",
                                                  "uint16",
                                                  "int32",
                                                  "uint32",
                                                  "int64",
                                                  "uint64",
                                                  "function",
                                                  "opaque"};

std::string count(std::uint64_t bytes) {
  return std::to_string(bytes) + " bytes";
}

}  // namespace

std::string describe_variable(const MatlabVariable& variable) {
  std::string text;
  if (variable.shape.size() > 4) {  // a hostile file may claim any number, and a sentence has to end
    text = std::to_string(variable.shape.size()) + "-dimensional";
  } else {
    for (const Index size : variable.shape) text += (text.empty() ? "" : " x ") + std::to_string(size);
  }
  const auto code = static_cast<std::size_t>(variable.type);
  if (!text.empty()) text += ' ';
  if (variable.complex) text += "complex ";
  return text + (code < kClassNames.size() ? kClassNames[code] : "class " + std::to_string(code));
}

std::string MatlabFile::contents() const {
  constexpr std::size_t kListed = 10;
  if (variables_.empty()) return "the file holds no variable";
  std::string text = "the file holds ";
  for (std::size_t i = 0; i < std::min(kListed, variables_.size()); ++i) {
    text += (i > 0 ? ", " : "") + in_quotes(variables_[i].name) + " (" + describe_variable(variables_[i]) + ")";
  }
  if (variables_.size() > kListed) text += " and " + std::to_string(variables_.size() - kListed) + " more";
  return text;
}

MatlabFile::MatlabFile(std::string_view bytes, const std::string& name, std::uint64_t byte_limit)
    : name_(name), byte_limit_(byte_limit) {
  const std::string_view mark = bytes.size() < kMatlabHeader ? std::string_view() : bytes.substr(124, 4);
  little_ = mark == std::string_view("\0\1IM", 4);
  if (mark == std::string_view("\0\2IM", 4)) {
    fail_byte(name_, 124, "this is a MATLAB 7.3 file (HDF5); expected MATLAB 5, as saved with -v7");
  }
  if (!little_ && mark != std::string_view("\1\0MI", 4)) {
    fail_byte(
        name_, 0, "found " + in_quotes(bytes.substr(0, kMatlabHeader)) + "; expected the header of a MATLAB 5 file");
  }
  for (std::size_t at = kMatlabHeader; at < bytes.size();) {
    if (bytes.size() - at < kMatlabTag) fail_byte(name_, at, "the file ends inside a tag; expected the rest of it");
    const std::uint32_t type = word(bytes, at);
    const std::size_t length = word(bytes, at + 4);
    if (type != kMatrixTag && type != kCompressedTag) {
      fail_byte(
          name_, at, "found an element of type " + std::to_string(type) + "; expected 14 (matrix) or 15 (packed)");
    }
    const std::string_view stored = bytes.substr(at + kMatlabTag);
    if (length > stored.size()) {
      fail_byte(
          name_, at, "an element promises " + count(length) + ", " + count(stored.size()) + " are left; expected all");
    }
    MatlabVariable variable;
    if (type == kCompressedTag) {
      variable = describe(unpack_front(stored.substr(0, length), at, kDescriptionBytes), at);
    } else {
      variable = describe(bytes.substr(at, kMatlabTag + length), at);
    }
    variable.offset = at;
    variable.stored = stored.substr(0, length);
    variable.compressed = type == kCompressedTag;
    // MATLAB's own bookkeeping travels in a variable without a name.
    if (!variable.name.empty()) variables_.push_back(std::move(variable));
    at += kMatlabTag + length;
  }
}

std::uint32_t MatlabFile::word(std::string_view bytes, std::size_t at) const {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    value = value << 8 | static_cast<unsigned char>(bytes[at + (little_ ? 3 - i : i)]);
  }
  return value;
}

MatlabFile::Part MatlabFile::part(std::string_view content, std::uint64_t offset, const char* what) const {
  if (content.size() < kMatlabTag) {
    fail_byte(name_, offset, std::string("the variable ends before its ") + what + "; expected the rest of it");
  }
  const std::uint32_t first = word(content, 0);
  if (const std::size_t small = first >> 16; small != 0) {
    if (small > 4)
      fail_byte(name_, offset, std::string("the size of the ") + what + " is impossible; expected up to 4");
    return {first & 0xffff, content.substr(4, small), kMatlabTag};
  }
  const std::size_t length = word(content, 4);
  if (length > content.size() - kMatlabTag) {
    fail_byte(name_,
              offset,
              std::string("the part with the ") + what + " promises " + count(length) + "; expected at most the " +
                  count(content.size() - kMatlabTag) + " that are left of the variable");
  }
  return {first, content.substr(kMatlabTag, length), std::min(kMatlabTag + matlab_padded(length), content.size())};
}

// `content`: the variable's element with its tag, at least the front of it.
MatlabVariable MatlabFile::describe(std::string_view content, std::uint64_t offset) const {
  if (content.size() < kMatlabTag || word(content, 0) != kMatrixTag) {
    fail_byte(name_, offset, "an element holds no matrix; expected a variable");
  }
  MatlabVariable variable;
  content.remove_prefix(kMatlabTag);
  const Part flags = part(content, offset, "flags");
  if (flags.type != kUint32Tag || flags.data.size() != 8) {
    fail_byte(name_, offset, "a variable does not start with its flags; expected 8 bytes of type 6");
  }
  variable.type = static_cast<MatlabClass>(word(flags.data, 0) & 0xff);
  variable.complex = (word(flags.data, 0) & kComplexFlag) != 0;
  content.remove_prefix(flags.length);
  if (variable.type != MatlabClass::kOpaque) {  // those have no dimensions
    const Part shape = part(content, offset, "dimensions");
    if (shape.type != kInt32Tag || shape.data.size() % 4 != 0) {
      fail_byte(name_, offset, "a variable has no dimensions; expected elements of type 5");
    }
    for (std::size_t at = 0; at < shape.data.size(); at += 4) {
      const std::uint32_t size = word(shape.data, at);
      if (size > static_cast<std::uint32_t>(std::numeric_limits<std::int32_t>::max())) {
        fail_byte(name_, offset, "a dimension is negative; expected 0 or more");
      }
      variable.shape.push_back(static_cast<Index>(size));
    }
    content.remove_prefix(shape.length);
  }
  const Part name = part(content, offset, "name");
  if (name.type != kInt8Tag) fail_byte(name_, offset, "a variable has no name; expected bytes of type 1");
  variable.name = name.data;
  return variable;
}

}  // namespace fedstein
