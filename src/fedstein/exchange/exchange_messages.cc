// SPDX-License-Identifier: Apache-2.0
#include "fedstein/exchange/exchange_messages.h"

namespace fedstein {

const char* name_of(Standing::Kind kind) {
  switch (kind) {
    case Standing::Kind::kWanted:
      return "wanted";
    case Standing::Kind::kHeld:
      return "held";
    case Standing::Kind::kFolded:
      return "folded";
    case Standing::Kind::kDropped:
      return "dropped";
    case Standing::Kind::kLater:
      return "later";
  }
  return "unknown";
}

}  // namespace fedstein
