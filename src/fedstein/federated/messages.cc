// SPDX-License-Identifier: Apache-2.0
#include "fedstein/federated/messages.h"

namespace fedstein {

std::int64_t payload_bytes(const Belief& belief) {
  std::int64_t bytes = 0;
  for (const Matrix& part : belief) bytes += part.size() * static_cast<std::int64_t>(sizeof(Real));
  return bytes;
}

const char* name_of(Failure::Kind kind) {
  switch (kind) {
    case Failure::Kind::kLost:
      return "lost";
    case Failure::Kind::kTimedOut:
      return "timed out";
    case Failure::Kind::kDiverged:
      return "diverged";
    case Failure::Kind::kRefused:
      return "refused";
    case Failure::Kind::kBroken:
      return "broken";
  }
  return "unknown";
}

}  // namespace fedstein
