// SPDX-License-Identifier: Apache-2.0
#include "fedstein/relay/carried_link.h"

namespace fedstein {

bool same_state(const Hello& one, const Hello& other) {
  const bool same_attempt =
      one.in_hand.has_value() == other.in_hand.has_value() &&
      (!one.in_hand || (one.in_hand->round == other.in_hand->round && one.in_hand->token == other.in_hand->token));
  return same_attempt && one.run == other.run && one.settled == other.settled && one.forgets == other.forgets;
}

void CarriedLink::attend(Index /*agent*/, const AgentFacts& facts, const Hello& hello) {
  answer_.arrival = RelayArrival{facts, hello};
  is_for_us_ = message_.addressed && same_state(*message_.addressed, hello);
}

Letter CarriedLink::next() {
  if (!is_for_us_ || read_ == message_.letters.size()) throw MessageDone();
  return message_.letters[read_++];
}

Standing CarriedLink::upload(const Upload& upload) {
  answer_.upload = upload;
  return {Standing::Kind::kHeld, 0, {}};
}

}  // namespace fedstein
