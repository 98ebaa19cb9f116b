// SPDX-License-Identifier: Apache-2.0
// Messages as bytes, so that any transport can carry a federation: files, MPI, another framework's messages, the
// journal and an agent's disk. The form is that of saved state: versioned, checksummed, exact to the bit.
//
// Readers believe nothing. Bytes that are damaged, of another version or precision, of another message, or that say
// what no participant could say are refused with BadState and one sentence. Whether the numbers suit an algorithm is
// for ServerSide::objection() and objection_to(belief, shapes) to say.
#pragma once

#include <string>
#include <string_view>

#include "fedstein/federated/messages.h"
#include "fedstein/federated/state.h"

namespace fedstein {

std::string bytes_of(const Task& task);
std::string bytes_of(const Update& update);
std::string bytes_of(const Verdict& verdict);
std::string bytes_of(const Reply& reply);

Task task_from(std::string_view bytes);
Update update_from(std::string_view bytes);
Verdict verdict_from(std::string_view bytes);
Reply reply_from(std::string_view bytes);

// A reply as a part of something larger.
void write_reply(StateWriter& writer, const Reply& reply);
Reply read_reply(StateReader& reader);

}  // namespace fedstein
