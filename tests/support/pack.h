// SPDX-License-Identifier: Apache-2.0
// gzip and bzip2 in memory, for tests and fuzzing seeds that need packed bytes.
#pragma once

#include <bzlib.h>
#include <zlib.h>

#include <stdexcept>
#include <string>
#include <string_view>

namespace fedstein {

inline std::string deflated(std::string_view bytes, int window_bits) {
  z_stream stream{};
  if (deflateInit2(&stream, 9, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY) != Z_OK) throw std::bad_alloc();
  std::string out(deflateBound(&stream, bytes.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int result = deflate(&stream, Z_FINISH);
  deflateEnd(&stream);
  if (result != Z_STREAM_END) throw std::logic_error("deflated: the bound was too small");
  return out.substr(0, stream.total_out);
}

inline std::string gzipped(std::string_view bytes) {
  return deflated(bytes, 16 + MAX_WBITS);
}

// A few hundred kilobytes that unpack to `beginning` and this many mebibytes of zeros.
inline std::string gzip_bomb(std::string_view beginning, int mebibytes) {
  std::string out = gzipped(beginning);
  constexpr int kPiece = 16;
  const std::string zeros = gzipped(std::string(std::size_t{kPiece} << 20, '\0'));
  for (int made = 0; made < mebibytes; made += kPiece) out += zeros;
  return out;
}

inline std::string zlib_packed(std::string_view bytes) {
  return deflated(bytes, MAX_WBITS);
}

inline std::string bzipped(std::string_view bytes) {
  // The bound that the library's manual gives: one percent and 600 bytes.
  std::string out(bytes.size() + bytes.size() / 100 + 600, '\0');
  auto size = static_cast<unsigned>(out.size());
  auto* in = const_cast<char*>(bytes.data());
  if (BZ2_bzBuffToBuffCompress(out.data(), &size, in, static_cast<unsigned>(bytes.size()), 9, 0, 0) != BZ_OK) {
    throw std::logic_error("bzipped: the bound was too small");
  }
  return out.substr(0, size);
}

}  // namespace fedstein
