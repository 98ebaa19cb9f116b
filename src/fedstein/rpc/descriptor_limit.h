// SPDX-License-Identifier: Apache-2.0
// How many descriptors this process may have, and whether some are left.
#pragma once

#include "fedstein/rpc/descriptor.h"

namespace fedstein {

// Raises the soft limit to what is needed, or as far as the hard limit allows. Returns the limit.
int raise_descriptor_limit(int needed);

// The limit, now.
int descriptor_limit();

// The number that the next descriptor would get, found with the help of any open one; the limit when none is left.
int next_descriptor(const Descriptor& any);

}  // namespace fedstein
