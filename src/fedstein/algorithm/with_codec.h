// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "fedstein/algorithm/algorithm.h"
#include "fedstein/federated/update_codec.h"

namespace fedstein {

// The same method with a codec between its halves: both are made as before and wrapped.
Algorithm with_codec(Algorithm algorithm, std::shared_ptr<const UpdateCodec> codec);

}  // namespace fedstein
