// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>

#include "relay_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fedstein::fuzz_relay({reinterpret_cast<const char*>(data), size});
  return 0;
}
