// SPDX-License-Identifier: Apache-2.0
// Replies as bytes, for the journal and for an agent's disk: the same checksummed form as saved state.
#pragma once

#include <string>
#include <string_view>

#include "fedstein/federated/messages.h"
#include "fedstein/federated/state.h"

namespace fedstein {

void write_reply(StateWriter& writer, const Reply& reply);
Reply read_reply(StateReader& reader);

std::string bytes_of(const Reply& reply);
// Throws BadState.
Reply reply_from(std::string_view bytes);

}  // namespace fedstein
