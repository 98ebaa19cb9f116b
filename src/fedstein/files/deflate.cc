// SPDX-License-Identifier: Apache-2.0
#include "fedstein/files/deflate.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>
#include <stdexcept>

namespace fedstein {
namespace {

int window_of(DeflateForm form) {
  constexpr int kGzip = 16;  // added to the window's size, as zlib's manual has it
  if (form == DeflateForm::kRaw) return -MAX_WBITS;
  return form == DeflateForm::kGzip ? kGzip + MAX_WBITS : MAX_WBITS;
}

// zlib counts what it is offered in 32 bits. More than that goes in several calls.
uInt offered(std::size_t bytes) {
  return static_cast<uInt>(std::min<std::size_t>(bytes, std::numeric_limits<uInt>::max()));
}

// zlib does not write through next_in; it lacks the const for the sake of old compilers.
Bytef* as_input(std::string_view bytes) {
  return reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
}

// deflateEnd on every way out.
struct Deflater {
  Deflater(int level, int window, int memory) {
    if (deflateInit2(&stream, level, Z_DEFLATED, window, memory, Z_DEFAULT_STRATEGY) != Z_OK) throw std::bad_alloc();
  }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;
  ~Deflater() { deflateEnd(&stream); }

  z_stream stream = {};
};

}  // namespace

std::string deflated(std::string_view bytes, const DeflateOptions& options) {
  constexpr int kUsualMemory = 8;  // zlib's default
  Deflater deflater(options.smallest ? Z_BEST_COMPRESSION : Z_DEFAULT_COMPRESSION,
                    window_of(options.form),
                    options.smallest ? MAX_MEM_LEVEL : kUsualMemory);
  z_stream& stream = deflater.stream;
  std::string out(deflateBound(&stream, bytes.size()), '\0');
  std::size_t made = 0;
  for (int result = Z_OK; result != Z_STREAM_END;) {
    const uInt in = offered(bytes.size());
    const uInt room = offered(out.size() - made);
    stream.next_in = as_input(bytes);
    stream.avail_in = in;
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + made);
    stream.avail_out = room;
    result = deflate(&stream, in == bytes.size() ? Z_FINISH : Z_NO_FLUSH);
    const bool stuck = in == stream.avail_in && room == stream.avail_out;
    if (result != Z_STREAM_END && (result == Z_STREAM_ERROR || stuck)) {
      throw std::logic_error("deflated: zlib did not finish within its own bound");
    }
    bytes.remove_prefix(in - stream.avail_in);
    made += room - stream.avail_out;
  }
  out.resize(made);
  return out;
}

std::uint32_t crc32_of(std::string_view bytes) {
  return static_cast<std::uint32_t>(crc32_z(crc32_z(0, nullptr, 0), as_input(bytes), bytes.size()));
}

struct Inflater::Stream {
  z_stream zlib = {};
  int result = Z_OK;
};

Inflater::Inflater(DeflateForm form) : stream_(std::make_unique<Stream>()) {
  if (inflateInit2(&stream_->zlib, window_of(form)) != Z_OK) throw std::bad_alloc();
}

Inflater::~Inflater() {
  inflateEnd(&stream_->zlib);
}

Inflater::Step Inflater::step(std::string_view packed, char* out, std::size_t room) {
  z_stream& stream = stream_->zlib;
  const uInt in = offered(packed.size());
  const uInt space = offered(room);
  stream.next_in = as_input(packed);
  stream.avail_in = in;
  stream.next_out = reinterpret_cast<Bytef*>(out);
  stream.avail_out = space;
  stream_->result = inflate(&stream, Z_NO_FLUSH);
  if (stream_->result == Z_MEM_ERROR) throw std::bad_alloc();
  Step step{.taken = in - stream.avail_in, .made = space - stream.avail_out};
  if (stream_->result == Z_STREAM_END) {
    step.state = State::kEnd;
  } else if (stream_->result != Z_OK && stream_->result != Z_BUF_ERROR) {
    step.state = State::kDamaged;
  }
  return step;
}

std::string Inflater::problem() const {
  return stream_->zlib.msg != nullptr ? stream_->zlib.msg : "it asks for a preset dictionary";
}

void Inflater::restart() {
  inflateReset(&stream_->zlib);
}

}  // namespace fedstein
