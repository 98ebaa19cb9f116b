// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>

#include "table_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fedstein::fuzz_table_rows({reinterpret_cast<const char*>(data), size});
  return 0;
}
