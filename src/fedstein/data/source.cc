// SPDX-License-Identifier: Apache-2.0
#include "fedstein/data/source.h"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "fedstein/data/decoder.h"

namespace fedstein {
namespace {

class PlainDecoder : public Decoder {
 public:
  explicit PlainDecoder(PackedInput input) : input_(std::move(input)) {}

  std::string_view next() override {
    input_.take(std::exchange(shown_, 0));
    const std::string_view block = input_.peek().substr(0, kBlock);
    shown_ = block.size();
    return block;
  }

 private:
  PackedInput input_;
  std::size_t shown_ = 0;
};

std::unique_ptr<Decoder> make_decoder(PackedInput input) {
  const std::string_view front = input.peek();
  if (front.empty()) fail_file(input.name(), "the file is empty; expected data");
  if (front.starts_with("\x1f\x8b")) return make_gzip_decoder(std::move(input));
  if (front.size() > 3 && front.starts_with("BZh") && front[3] >= '1' && front[3] <= '9') {
    return make_bzip2_decoder(std::move(input));
  }
  return std::make_unique<PlainDecoder>(std::move(input));
}

// As many bytes as it takes to tell gzip and bzip2 from plain text.
constexpr std::size_t kSignature = 4;

std::string reason(int error) {
  return std::generic_category().message(error);
}

}  // namespace

PackedInput::PackedInput(const std::string& path) : name_(path) {
  std::error_code ignored;
  const auto kind = std::filesystem::status(path, ignored).type();
  if (kind == std::filesystem::file_type::not_found) fail_file(path, "there is no such file");
  if (kind == std::filesystem::file_type::directory) fail_file(path, "this is a directory; expected a file");
  file_.reset(std::fopen(path.c_str(), "rb"));
  if (!file_) fail_file(path, "the file cannot be opened: " + reason(errno));
  block_.resize(kBlock);
}

PackedInput::PackedInput(std::string_view bytes, const std::string& name) : name_(name), view_(bytes) {}

PackedInput PackedInput::standard_input() {
  PackedInput input(std::string_view(), "standard input");
  const int copy = ::dup(STDIN_FILENO);
  if (copy >= 0) input.file_.reset(::fdopen(copy, "rb"));
  if (!input.file_) fail_file(input.name_, "it cannot be read: " + reason(errno));
  input.block_.resize(kBlock);
  return input;
}

std::string_view PackedInput::peek() {
  if (!view_.empty() || !file_) return view_;
  // read() and not fread(): a pipe's bytes are wanted as they come. Only the first bytes are waited for, because a
  // packed stream is known by them.
  std::size_t count = 0;
  do {
    const ssize_t got = ::read(fileno(file_.get()), block_.data() + count, block_.size() - count);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_byte(name_, offset_, "the file cannot be read: " + reason(errno));
    if (got == 0) break;
    count += static_cast<std::size_t>(got);
  } while (offset_ == 0 && count < kSignature);
  view_ = {block_.data(), count};
  return view_;
}

void PackedInput::take(std::size_t count) {
  view_.remove_prefix(count);
  offset_ += count;
}

ByteSource::ByteSource(const std::string& name, std::unique_ptr<Decoder> decoder, std::uint64_t byte_limit)
    : name_(name), decoder_(std::move(decoder)), byte_limit_(byte_limit) {}

ByteSource::ByteSource(ByteSource&& other) noexcept = default;
ByteSource& ByteSource::operator=(ByteSource&& other) noexcept = default;
ByteSource::~ByteSource() = default;

ByteSource ByteSource::open(const std::string& path, std::uint64_t byte_limit) {
  return {path == "/dev/stdin" ? "standard input" : path, make_decoder(PackedInput(path)), byte_limit};
}

ByteSource ByteSource::standard_input(std::uint64_t byte_limit) {
  return {"standard input", make_decoder(PackedInput::standard_input()), byte_limit};
}

ByteSource ByteSource::over(std::string_view bytes, const std::string& name, std::uint64_t byte_limit) {
  return {name, make_decoder(PackedInput(bytes, name)), byte_limit};
}

bool ByteSource::is_packed() const {
  return decoder_->packed_bytes().has_value();
}

void ByteSource::check_expansion() const {
  const std::optional<std::uint64_t> packed = decoder_->packed_bytes();
  if (!packed || byte_limit_ == kNoByteLimit || bytes_ <= kUnsuspicious || bytes_ / kMostExpansion < *packed) return;
  fail_byte(name_,
            *packed,
            "the data unpacks to " + std::to_string(bytes_) + " bytes and more, over " +
                std::to_string(kMostExpansion) +
                " times as many bytes as are packed, which no table of numbers does; " +
                "unpack the file yourself if it is to be read");
}

std::string_view ByteSource::next() {
  const std::string_view block = decoder_->next();
  if (block.size() > byte_limit_ - bytes_) {
    fail_byte(name_, byte_limit_, "there are more unpacked bytes than the limit of " + std::to_string(byte_limit_));
  }
  bytes_ += block.size();
  check_expansion();
  return block;
}

std::string ByteSource::rest() {
  std::string bytes;
  for (std::string_view block = next(); !block.empty(); block = next()) bytes += block;
  return bytes;
}

}  // namespace fedstein
