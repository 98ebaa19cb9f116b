// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "fedstein/data/decoder.h"
#include "fedstein/files/deflate.h"

namespace fedstein {
namespace {

class GzipDecoder : public Decoder {
 public:
  explicit GzipDecoder(PackedInput input) : input_(std::move(input)), block_(kBlock) {}

  std::string_view next() override {
    std::size_t count = 0;
    while (count == 0 && !done_) count = step();
    return {block_.data(), count};
  }
  std::optional<std::uint64_t> packed_bytes() const override { return input_.offset(); }

 private:
  // The number of bytes that came out.
  std::size_t step() {
    const std::string_view packed = input_.peek();
    const bool at_end = packed.empty();
    const Inflater::Step step = inflater_.step(packed, block_.data(), block_.size());
    input_.take(step.taken);
    if (step.state == Inflater::State::kEnd) {
      begin_next_member();
    } else if (step.state == Inflater::State::kDamaged) {
      fail_byte(input_.name(),
                input_.offset(),
                "the gzip data is damaged (" + inflater_.problem() + "); expected a sound gzip file");
    } else if (step.made == 0 && at_end) {
      fail_byte(input_.name(), input_.offset(), "the gzip data ends in the middle; expected the rest of the file");
    }
    return step.made;
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
    inflater_.restart();
  }

  PackedInput input_;
  std::vector<char> block_;
  Inflater inflater_{DeflateForm::kGzip};
  bool done_ = false;
};

}  // namespace

std::unique_ptr<Decoder> make_gzip_decoder(PackedInput input) {
  return std::make_unique<GzipDecoder>(std::move(input));
}

}  // namespace fedstein
