// SPDX-License-Identifier: Apache-2.0
#include "fedstein/serving/federation_agent.h"

#include <random>
#include <utility>

#include "fedstein/base/check.h"

namespace fedstein {

namespace {

std::unique_ptr<AgentLink> checked(std::unique_ptr<AgentLink> link) {
  check_argument(link != nullptr, "FederationAgent", "the link is null; agent_link_to() makes one");
  return link;
}

}  // namespace

FederationAgent::FederationAgent(std::unique_ptr<AgentLink> link, AgentData data, FederationAgentOptions options)
    : link_(checked(std::move(link))),
      work_(std::move(data), std::move(options.on_event)),
      folder_(options.state),
      runner_(*link_,
              folder_,
              work_,
              {.forget_factor = options.forget_factor,
               .jitter_seed = std::random_device{}(),
               .on_round = std::move(options.on_round)}) {}

}  // namespace fedstein
