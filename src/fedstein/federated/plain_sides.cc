// SPDX-License-Identifier: Apache-2.0
#include "fedstein/federated/plain_sides.h"

#include "fedstein/numeric/check.h"

namespace fedstein {

std::vector<Verdict> PlainServer::fold(Index round, const std::vector<Update>& updates) {
  Belief next = fold_(belief_.parts(), updates);
  for (const Matrix& part : next) {
    if (first_non_finite(part).row < 0) continue;
    throw Divergence(std::string(owner_) + ": the belief is not finite after round " + std::to_string(round));
  }
  const std::string objection = belief_.objection({round, 0, next});
  check_argument(objection.empty(), owner_, [&] { return "the next belief has other shapes: " + objection; });
  std::vector<Verdict> verdicts;
  for (const Update& update : updates) {
    verdicts.push_back({.round = round, .agent = update.agent, .folded = true, .weight = 1});
  }
  belief_.replace(std::move(next));
  return verdicts;
}

}  // namespace fedstein
