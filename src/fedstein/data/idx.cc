// SPDX-License-Identifier: Apache-2.0
#include "fedstein/data/idx.h"

#include <algorithm>
#include <utility>

namespace fedstein {
namespace {

constexpr std::uint64_t kMagicBytes = 4;
constexpr std::uint64_t kSizeBytes = 4;

class IdxReader {
 public:
  IdxReader(ByteSource source, std::uint64_t byte_limit) : source_(std::move(source)), byte_limit_(byte_limit) {}

  IdxArray read() {
    IdxArray array;
    read_magic(array.shape);
    const std::uint64_t promised = read_shape(array.shape);
    while (array.values.size() < promised && more()) {
      const std::string_view piece = block_.substr(0, promised - array.values.size());
      array.values.insert(array.values.end(), piece.begin(), piece.end());
      take(piece.size());
    }
    if (array.values.size() < promised) {
      fail_byte(source_.name(),
                offset_,
                "the file ends after " + std::to_string(array.values.size()) + " values; expected " +
                    std::to_string(promised) + ", which the header promises");
    }
    if (more()) {
      fail_byte(source_.name(),
                offset_,
                "found " + in_quotes(block_) + " after the last value; expected the end, as the header promises " +
                    std::to_string(promised) + " values");
    }
    return array;
  }

 private:
  // Two zero bytes, the type (0x08: unsigned bytes), the number of dimensions.
  void read_magic(std::vector<Index>& shape) {
    const std::string magic = read_bytes(kMagicBytes);
    if (!magic.starts_with(std::string_view("\0\0\x08", 3)) || magic[3] == '\0') {
      fail_byte(source_.name(),
                0,
                "found " + in_quotes(magic) +
                    "; expected an IDX file of unsigned bytes, which starts with '\\x00\\x00\\x08' and the number of "
                    "dimensions");
    }
    shape.resize(static_cast<unsigned char>(magic[3]));
  }

  // The number of values that the header promises.
  std::uint64_t read_shape(std::vector<Index>& shape) {
    std::uint64_t values = 1;
    for (Index& size : shape) {
      for (const char byte : read_bytes(kSizeBytes)) size = size * 256 + static_cast<unsigned char>(byte);
      const std::uint64_t at = offset_ - kSizeBytes;
      if (size == 0) fail_byte(source_.name(), at, "a dimension is 0; expected at least 1");
      if (static_cast<std::uint64_t>(size) > byte_limit_ / values) {
        fail_byte(source_.name(),
                  at,
                  "the header promises " + std::to_string(values) + " times " + std::to_string(size) +
                      " values or more; expected at most " + std::to_string(byte_limit_));
      }
      values *= static_cast<std::uint64_t>(size);
    }
    return values;
  }

  std::string read_bytes(std::uint64_t count) {
    std::string bytes;
    while (bytes.size() < count) {
      if (!more()) {
        fail_byte(source_.name(), offset_, "the file ends inside the header; expected an IDX magic and its sizes");
      }
      const std::string_view piece = block_.substr(0, count - bytes.size());
      bytes += piece;
      take(piece.size());
    }
    return bytes;
  }

  bool more() {
    if (block_.empty()) block_ = source_.next();
    return !block_.empty();
  }

  void take(std::size_t count) {
    block_.remove_prefix(count);
    offset_ += count;
  }

  ByteSource source_;
  std::uint64_t byte_limit_;
  std::string_view block_;
  std::uint64_t offset_ = 0;
};

}  // namespace

IdxArray read_idx(const std::string& path, std::uint64_t byte_limit) {
  return IdxReader(ByteSource::open(path, byte_limit), byte_limit).read();
}

IdxArray parse_idx(std::string_view bytes, const std::string& name, std::uint64_t byte_limit) {
  return IdxReader(ByteSource::over(bytes, name, byte_limit), byte_limit).read();
}

}  // namespace fedstein
