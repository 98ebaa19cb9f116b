// SPDX-License-Identifier: Apache-2.0
// A fuzzer's bytes as a relayed message: the first says where it goes, then the head without its checksum and the
// arrays, each behind its length in two bytes. The checksum is made here, because bytes changed at random never have
// the right one, and whoever sends a message on purpose does.
#pragma once

#include <cstring>
#include <string>
#include <string_view>

#include "fedstein/relay/parcel.h"

namespace fedstein {

inline std::string_view take_piece(std::string_view& bytes) {
  if (bytes.size() < 2) return {};
  const std::size_t size = static_cast<unsigned char>(bytes[0]) + 256U * static_cast<unsigned char>(bytes[1]);
  const std::string_view piece = bytes.substr(2, size);
  bytes.remove_prefix(2 + piece.size());
  return piece;
}

inline Parcel sealed_parcel(std::string_view bytes) {
  Parcel out;
  out.head = take_piece(bytes);
  const std::uint64_t checksum = checksum_of(out.head);
  out.head.append(reinterpret_cast<const char*>(&checksum), sizeof checksum);
  while (!bytes.empty() && out.numbers.size() < 100) {
    const std::size_t before = bytes.size();
    out.numbers.emplace_back(take_piece(bytes));
    if (bytes.size() == before) break;
  }
  return out;
}

inline std::string piece_of(std::string_view bytes) {
  return std::string{static_cast<char>(bytes.size() & 0xff), static_cast<char>(bytes.size() >> 8)}.append(bytes);
}

// The inverse.
inline std::string unsealed(char place, const Parcel& parcel) {
  std::string out(1, place);
  out += piece_of(std::string_view(parcel.head).substr(0, parcel.head.size() - sizeof(std::uint64_t)));
  for (const std::string& array : parcel.numbers) out += piece_of(array);
  return out;
}

}  // namespace fedstein
