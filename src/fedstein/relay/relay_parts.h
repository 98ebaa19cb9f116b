// SPDX-License-Identifier: Apache-2.0
// The parts of relayed messages that both directions have, in bytes. Private.
#pragma once

#include "fedstein/relay/relay_messages.h"

namespace fedstein::relayed {

constexpr std::int64_t kMostNumber = std::int64_t{1} << 53;

void write(ParcelWriter& writer, const Attempt& attempt);
Attempt read_attempt(ParcelReader& reader);
void write(ParcelWriter& writer, const Hello& hello);
Hello read_hello(ParcelReader& reader);
void write(ParcelWriter& writer, const Failure& failure);
Failure read_failure(ParcelReader& reader, Index agent, Index least_round);
void write(ParcelWriter& writer, const Letter& letter);
Letter read_letter(ParcelReader& reader, Index agent);

}  // namespace fedstein::relayed
