// SPDX-License-Identifier: Apache-2.0
#include "fedstein/files/base64.h"

#include <openssl/evp.h>

namespace fedstein {

std::string base64_of(std::string_view bytes) {
  // OpenSSL counts in int. A piece that is a multiple of three bytes long has no padding, so that pieces join.
  constexpr std::size_t kPiece = std::size_t{3} << 24U;
  std::string out((bytes.size() + 2) / 3 * 4 + 1, '\0');  // OpenSSL ends every piece with a zero byte
  std::size_t made = 0;
  while (!bytes.empty()) {
    const std::string_view piece = bytes.substr(0, kPiece);
    made += static_cast<std::size_t>(EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out.data() + made),
                                                     reinterpret_cast<const unsigned char*>(piece.data()),
                                                     static_cast<int>(piece.size())));
    bytes.remove_prefix(piece.size());
  }
  out.resize(made);
  return out;
}

}  // namespace fedstein
