// SPDX-License-Identifier: Apache-2.0
#include "fedstein/algorithm/with_codec.h"

#include <utility>

namespace fedstein {

Algorithm with_codec(Algorithm algorithm, std::shared_ptr<const UpdateCodec> codec) {
  algorithm.make_server = [make = std::move(algorithm.make_server), codec](const ServerContext& context,
                                                                           const Settings& settings) {
    return std::make_unique<CodedServer>(make(context, settings), codec);
  };
  algorithm.make_agent = [make = std::move(algorithm.make_agent), codec](const AgentContext& context,
                                                                         const Settings& settings) {
    return std::make_unique<CodedAgent>(make(context, settings), codec);
  };
  return algorithm;
}

}  // namespace fedstein
