// SPDX-License-Identifier: Apache-2.0
#include "fedstein/files/npy.h"

#include <algorithm>
#include <bit>

namespace fedstein {
namespace {

static_assert(std::endian::native == std::endian::little, "the elements are copied as they lie in memory");

// `shape` in Python's notation: "(3, 4)", "(5,)", "()". The elements start at a multiple of 64.
std::string header(const std::string& type, const std::string& shape) {
  constexpr std::size_t kBefore = 10;  // magic, version and the header's length
  constexpr std::size_t kAlignment = 64;
  std::string text = "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }";
  const std::size_t used = kBefore + text.size() + 1;
  text += std::string((kAlignment - used % kAlignment) % kAlignment, ' ') + "\n";
  std::string out = "\x93NUMPY";
  out += '\x01';
  out += '\0';
  out += static_cast<char>(text.size() & 0xffU);
  out += static_cast<char>(text.size() >> 8U);
  return out + text;
}

std::string one_dimension(std::size_t count) {
  return "(" + std::to_string(count) + ",)";
}

template <typename Number>
std::string with_elements(std::string out, const Number* numbers, std::size_t count) {
  if (count > 0) out.append(reinterpret_cast<const char*>(numbers), count * sizeof(Number));
  return out;
}

template <typename Table>
std::string table(const Table& matrix) {
  using Number = typename Table::Scalar;
  return with_elements(header(sizeof(Number) == sizeof(float) ? "<f4" : "<f8",
                              "(" + std::to_string(matrix.rows()) + ", " + std::to_string(matrix.cols()) + ")"),
                       matrix.data(),
                       static_cast<std::size_t>(matrix.size()));
}

// How many bytes the character at text[at] takes; 0 when it is not UTF-8 in its shortest form.
std::size_t character_bytes(const std::string& text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(at);
  const std::size_t count = first < 0x80 ? 1 : first >> 5U == 6 ? 2 : first >> 4U == 14 ? 3 : first >> 3U == 30 ? 4 : 0;
  if (count == 0 || at + count > text.size()) return 0;
  for (std::size_t i = 1; i < count; ++i) {
    if (byte(at + i) >> 6U != 2) return 0;
  }
  return count;
}

std::u32string characters_of(const std::string& text) {
  constexpr char32_t kReplacement = 0xfffd;
  constexpr unsigned char kLeadMask[] = {0x7f, 0x7f, 0x1f, 0x0f, 0x07};
  constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  std::u32string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t count = character_bytes(text, at);
    char32_t value = static_cast<unsigned char>(text[at]) & kLeadMask[count];
    for (std::size_t i = 1; i < count; ++i) value = value << 6U | (static_cast<unsigned char>(text[at + i]) & 0x3fU);
    const bool sound = count > 0 && value >= kSmallest[count] && value <= 0x10ffff && (value >> 11U) != 0x1b;
    out += sound ? value : kReplacement;
    at += std::max<std::size_t>(count, 1);
  }
  return out;
}

std::string type_of_texts(std::size_t longest) {
  return "<U" + std::to_string(std::max<std::size_t>(longest, 1));
}

}  // namespace

std::string npy_of(const std::vector<double>& values) {
  return with_elements(header("<f8", one_dimension(values.size())), values.data(), values.size());
}

std::string npy_of(const std::vector<std::int64_t>& values) {
  return with_elements(header("<i8", one_dimension(values.size())), values.data(), values.size());
}

std::string npy_of(const std::vector<std::string>& texts) {
  std::vector<std::u32string> decoded;
  std::size_t longest = 1;
  for (const std::string& text : texts) {
    decoded.push_back(characters_of(text));
    longest = std::max(longest, decoded.back().size());
  }
  std::string out = header(type_of_texts(longest), one_dimension(texts.size()));
  for (std::u32string& text : decoded) {
    text.resize(longest);  // NumPy pads with NUL
    out = with_elements(std::move(out), text.data(), text.size());
  }
  return out;
}

std::string npy_of(const std::string& text) {
  std::u32string decoded = characters_of(text);
  decoded.resize(std::max<std::size_t>(decoded.size(), 1));
  return with_elements(header(type_of_texts(decoded.size()), "()"), decoded.data(), decoded.size());
}

std::string npy_of(const Particles& particles) {
  return table(particles);
}

#if FEDSTEIN_REAL_IS_DOUBLE == 0
std::string npy_of(const DoubleMatrix& matrix) {
  return table(matrix);
}
#endif

}  // namespace fedstein
