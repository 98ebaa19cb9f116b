// SPDX-License-Identifier: Apache-2.0
#include <zlib.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "fedstein/data/decoder.h"

namespace fedstein {
namespace {

class GzipDecoder : public Decoder {
 public:
  explicit GzipDecoder(PackedInput input) : input_(std::move(input)), block_(kBlock) {
    constexpr int kGzipOnly = 16 + MAX_WBITS;
    if (inflateInit2(&stream_, kGzipOnly) != Z_OK) throw std::bad_alloc();
  }
  ~GzipDecoder() override { inflateEnd(&stream_); }

  std::string_view next() override {
    std::size_t count = 0;
    while (count == 0 && !done_) count = step();
    return {block_.data(), count};
  }
  std::optional<std::uint64_t> packed_bytes() const override { return input_.offset(); }

 private:
  // One call of inflate; the number of bytes it made.
  std::size_t step() {
    const std::string_view packed = input_.peek();
    const auto offered = static_cast<uInt>(std::min<std::size_t>(packed.size(), std::numeric_limits<uInt>::max()));
    // zlib does not write through next_in; it lacks the const for the sake of old compilers.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream_.avail_in = offered;
    stream_.next_out = reinterpret_cast<Bytef*>(block_.data());
    stream_.avail_out = static_cast<uInt>(block_.size());
    const int result = inflate(&stream_, Z_NO_FLUSH);
    input_.take(offered - stream_.avail_in);
    const std::size_t made = block_.size() - stream_.avail_out;
    if (result == Z_STREAM_END) {
      begin_next_member();
    } else if (result == Z_MEM_ERROR) {
      throw std::bad_alloc();
    } else if (result != Z_OK && result != Z_BUF_ERROR) {
      const std::string why = stream_.msg != nullptr ? stream_.msg : "it asks for a preset dictionary";
      fail_byte(input_.name(), input_.offset(), "the gzip data is damaged (" + why + "); expected a sound gzip file");
    } else if (made == 0 && packed.empty()) {
      fail_byte(input_.name(), input_.offset(), "the gzip data ends in the middle; expected the rest of the file");
    }
    return made;
  }

  void begin_next_member() {
    const std::string_view packed = input_.peek();
    done_ = packed.empty();
    if (done_) return;
    if (packed.front() != '\x1f') {
      fail_byte(
          input_.name(),
          input_.offset(),
          "found " + in_quotes(packed) + " after the gzip data; expected the end of the file or another gzip stream");
    }
    inflateReset(&stream_);
  }

  PackedInput input_;
  std::vector<char> block_;
  z_stream stream_{};
  bool done_ = false;
};

}  // namespace

std::unique_ptr<Decoder> make_gzip_decoder(PackedInput input) {
  return std::make_unique<GzipDecoder>(std::move(input));
}

}  // namespace fedstein
