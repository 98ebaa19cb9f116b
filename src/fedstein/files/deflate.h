// SPDX-License-Identifier: Apache-2.0
// The one place that packs and unpacks deflate streams (zlib, gzip, the members of a ZIP archive).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace fedstein {

// What surrounds the packed bytes.
enum class DeflateForm { kRaw, kZlib, kGzip };

struct DeflateOptions {
  DeflateForm form = DeflateForm::kGzip;
  bool smallest = false;  // take the time that the smallest result needs
};

// The bytes in one stream. A gzip stream has no date and no name: the same bytes pack to the same stream.
std::string deflated(std::string_view bytes, const DeflateOptions& options = {});

// CRC-32, as in gzip and ZIP.
std::uint32_t crc32_of(std::string_view bytes);

// A stream that is unpacked piece by piece, into memory of the caller's: hostile data decides neither how much is
// allocated nor how long one call takes.
class Inflater {
 public:
  enum class State {
    kGoing,    // more input or more room is needed
    kEnd,      // the stream is complete and its checksum correct
    kDamaged,  // problem() says what is wrong
  };
  struct Step {
    std::size_t taken = 0;  // of the packed bytes
    std::size_t made = 0;   // unpacked bytes
    State state = State::kGoing;
  };

  explicit Inflater(DeflateForm form);
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater();

  // Unpacks from the front of `packed` until that is used up, `room` bytes are made, or the stream ends.
  Step step(std::string_view packed, char* out, std::size_t room);
  // Of kDamaged: zlib's words.
  std::string problem() const;
  // Ready for another stream of the same form.
  void restart();

 private:
  struct Stream;
  std::unique_ptr<Stream> stream_;
};

}  // namespace fedstein
