// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "fedstein/table/understand.h"
#include "support/close.h"
#include "support/throws.h"

namespace fedstein {

using Names = std::vector<std::string>;

inline UnderstoodTable understand(const std::string& text, const TableOptions& options = {}) {
  return understand_text(text, "f", options);
}

// The one sentence, or all of them, with which a table is refused; empty where it is not.
inline std::string refusal(const std::string& text, const TableOptions& options = {}) {
  try {
    understand_text(text, "f", options);
  } catch (const DataError& error) {
    return error.what();
  }
  return "";
}

// The address sanitizer keeps what was freed for a while, and fences around everything.
#ifdef __SANITIZE_ADDRESS__
inline constexpr long kMemoryFactor = 4;
#else
inline constexpr long kMemoryFactor = 1;
#endif

inline std::string remarks(const UnderstoodTable& table) {
  std::string all;
  for (const std::string& remark : table.remarks) all += remark + "\n";
  return all;
}

}  // namespace fedstein
