// SPDX-License-Identifier: Apache-2.0
// What the fuzzers do with their bytes. A reader may refuse with DataError; anything else it throws, and anything wrong
// with what it returns, is a finding.
#pragma once

#include <zlib.h>

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>

#include "fedstein/data/idx.h"
#include "fedstein/data/leaf.h"
#include "fedstein/data/libsvm.h"
#include "fedstein/data/matlab.h"
#include "fedstein/data/source.h"
#include "fedstein/data/text.h"
#include "fedstein/numeric/check.h"
#include "shows.h"

namespace fedstein {

// Low enough that a fuzzer's packed bytes reach it.
inline constexpr std::uint64_t kFuzzLimit = std::uint64_t{1} << 24;

inline void demand(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

inline void demand_finite(const Matrix& matrix) {
  demand(matrix.rows() > 0 && matrix.cols() > 0, "an empty matrix was accepted");
  demand(first_non_finite(matrix).row < 0, "a number that is not finite was accepted");
}

// A message must be one line of text with the name in front.
template <typename Body>
void accept_refusal(Body&& body) {
  try {
    body();
  } catch (const DataError& error) {
    const std::string_view message = error.what();
    demand(message.starts_with("input:") && message.size() < 2000, "the message has no name or no end");
    demand(shows(message), "the message does not print");
  }
}

// The first byte picks the options, so that one corpus covers them all.
inline void fuzz_text(std::string_view bytes) {
  if (bytes.empty()) return;
  constexpr std::array<char, 4> kSeparators{',', ' ', '\t', ';'};
  const auto choice = static_cast<unsigned char>(bytes.front());
  TextOptions options{.separator = kSeparators[choice & 3], .byte_limit = kFuzzLimit};
  options.header = (choice & 4) != 0;
  if ((choice & 8) != 0) options.ignored_columns = {1};
  if ((choice & 16) != 0) options.columns = 3;
  accept_refusal([&] { demand_finite(parse_text(bytes.substr(1), "input", options)); });
}

inline void fuzz_libsvm(std::string_view bytes) {
  accept_refusal([&] {
    const LabelledRows rows = parse_libsvm(bytes, "input", 60, kFuzzLimit);
    demand_finite(rows.x);
    demand_finite(rows.y);
    demand(rows.x.rows() == rows.y.rows(), "rows and labels differ in number");
  });
}

inline void fuzz_idx(std::string_view bytes) {
  accept_refusal([&] {
    const IdxArray array = parse_idx(bytes, "input", kFuzzLimit);
    Index values = 1;
    for (const Index size : array.shape) values *= size;
    demand(static_cast<Index>(array.values.size()) == values, "the values do not fill the shape");
  });
}

// The same MATLAB file with everything after its header packed into one element.
inline std::string packed_matlab(std::string_view bytes) {
  constexpr std::size_t kHeader = 128;
  uLongf size = compressBound(static_cast<uLong>(bytes.size() - kHeader));
  std::string packed(size, '\0');
  const auto* content = reinterpret_cast<const Bytef*>(bytes.data() + kHeader);
  compress2(reinterpret_cast<Bytef*>(packed.data()), &size, content, static_cast<uLong>(bytes.size() - kHeader), 1);
  std::string file(bytes.substr(0, kHeader));
  const bool little = bytes[126] == 'I';
  for (const std::uint64_t word : {std::uint64_t{15}, std::uint64_t{size}}) {
    for (unsigned i = 0; i < 4; ++i) file += static_cast<char>(word >> 8 * (little ? i : 3 - i) & 0xff);
  }
  return file + packed.substr(0, size);
}

// Mutated bytes hardly ever have a good checksum, so the packed form is made here; it must read as the plain one does.
inline void fuzz_matlab(std::string_view bytes) {
  for (const char* variable : {"data", "z"}) {
    Matrix plain;
    accept_refusal([&] {
      plain = parse_matlab(bytes, "input", variable, kFuzzLimit);
      demand_finite(plain);
    });
    if (bytes.size() <= 128) continue;
    accept_refusal([&] {
      const Matrix packed = parse_matlab(packed_matlab(bytes), "input", variable, kFuzzLimit);
      demand(packed.rows() == plain.rows() && packed.cols() == plain.cols() && packed == plain,
             "packed and plain differ");
    });
  }
}

inline void fuzz_leaf(std::string_view bytes) {
  accept_refusal([&] {
    const LeafRows rows = parse_leaf(bytes, "input", kFuzzLimit);
    demand_finite(rows.x);
    demand_finite(rows.y);
    demand(static_cast<Index>(rows.user.size()) == rows.x.rows(), "rows and users differ in number");
    for (const Index user : rows.user) {
      demand(user >= 0 && user < static_cast<Index>(rows.user_names.size()), "a row belongs to no user");
    }
  });
}

inline void fuzz_unpack(std::string_view bytes) {
  accept_refusal([&] {
    demand(ByteSource::over(bytes, "input", kFuzzLimit).rest().size() <= kFuzzLimit, "the limit was passed");
  });
}

}  // namespace fedstein
