// SPDX-License-Identifier: Apache-2.0
#include <bzlib.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "fedstein/data/decoder.h"

namespace fedstein {
namespace {

class Bzip2Decoder : public Decoder {
 public:
  explicit Bzip2Decoder(PackedInput input) : input_(std::move(input)), block_(kBlock) { begin(); }
  ~Bzip2Decoder() override { end(); }

  std::string_view next() override {
    std::size_t count = 0;
    while (count == 0 && !done_) count = step();
    return {block_.data(), count};
  }
  std::optional<std::uint64_t> packed_bytes() const override { return input_.offset(); }

 private:
  void begin() {
    stream_ = {};
    if (BZ2_bzDecompressInit(&stream_, 0, 0) != BZ_OK) throw std::bad_alloc();
    open_ = true;
  }

  void end() {
    if (std::exchange(open_, false)) BZ2_bzDecompressEnd(&stream_);
  }

  // One call of the library; the number of bytes it made.
  std::size_t step() {
    const std::string_view packed = input_.peek();
    const auto offered =
        static_cast<unsigned>(std::min<std::size_t>(packed.size(), std::numeric_limits<unsigned>::max()));
    stream_.next_in = const_cast<char*>(packed.data());  // not written through
    stream_.avail_in = offered;
    stream_.next_out = block_.data();
    stream_.avail_out = static_cast<unsigned>(block_.size());
    const int result = BZ2_bzDecompress(&stream_);
    input_.take(offered - stream_.avail_in);
    const std::size_t made = block_.size() - stream_.avail_out;
    if (result == BZ_STREAM_END) {
      begin_next_stream();
    } else if (result == BZ_MEM_ERROR) {
      throw std::bad_alloc();
    } else if (result != BZ_OK) {
      fail_byte(input_.name(), input_.offset(), "the bzip2 data is damaged; expected a sound bzip2 file");
    } else if (made == 0 && packed.empty()) {
      fail_byte(input_.name(), input_.offset(), "the bzip2 data ends in the middle; expected the rest of the file");
    }
    return made;
  }

  void begin_next_stream() {
    const std::string_view packed = input_.peek();
    done_ = packed.empty();
    if (done_) return;
    if (packed.front() != 'B') {
      fail_byte(
          input_.name(),
          input_.offset(),
          "found " + in_quotes(packed) + " after the bzip2 data; expected the end of the file or another bzip2 stream");
    }
    end();
    begin();
  }

  PackedInput input_;
  std::vector<char> block_;
  bz_stream stream_{};
  bool open_ = false;
  bool done_ = false;
};

}  // namespace

std::unique_ptr<Decoder> make_bzip2_decoder(PackedInput input) {
  return std::make_unique<Bzip2Decoder>(std::move(input));
}

}  // namespace fedstein
