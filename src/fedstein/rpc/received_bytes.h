// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "fedstein/rpc/descriptor.h"

namespace fedstein {

// How many bytes have come in on a TCP connection; 0 when the system cannot say.
std::int64_t received_bytes(const Descriptor& connection);

}  // namespace fedstein
