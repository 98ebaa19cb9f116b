// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fedstein {

// The machine's other speed limit: bytes per second that all threads together read from memory, out of an array far
// larger than the caches. Best of several, measured once per process.
double read_bandwidth();

}  // namespace fedstein
