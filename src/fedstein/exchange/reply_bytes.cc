// SPDX-License-Identifier: Apache-2.0
#include "fedstein/exchange/reply_bytes.h"

#include <utility>

namespace fedstein {
namespace {

constexpr const char* kReply = "reply";
constexpr std::int64_t kLastKind = static_cast<std::int64_t>(Failure::Kind::kBroken);

}  // namespace

void write_reply(StateWriter& writer, const Reply& reply) {
  if (const auto* update = std::get_if<Update>(&reply)) {
    writer.integer(1);
    writer.integer(update->round);
    writer.integer(update->agent);
    writer.matrices(update->belief);
  } else {
    const auto& failure = std::get<Failure>(reply);
    writer.integer(0);
    writer.integer(failure.round);
    writer.integer(failure.agent);
    writer.integer(static_cast<std::int64_t>(failure.kind));
    writer.text(failure.reason);
  }
}

Reply read_reply(StateReader& reader) {
  const bool is_update = reader.integer() == 1;
  const Index round = reader.integer();
  const Index agent = reader.integer();
  if (is_update) return Update{round, agent, reader.matrices()};
  const std::int64_t kind = reader.integer();
  if (kind < 0 || kind > kLastKind) {
    throw BadState("saved state: " + std::to_string(kind) + " is not a kind of failure; 0 to " +
                   std::to_string(kLastKind) + " are");
  }
  return Failure{round, agent, static_cast<Failure::Kind>(kind), reader.text()};
}

std::string bytes_of(const Reply& reply) {
  StateWriter writer(kReply);
  write_reply(writer, reply);
  return std::move(writer).finish();
}

Reply reply_from(std::string_view bytes) {
  StateReader reader(bytes, kReply);
  Reply reply = read_reply(reader);
  reader.finish();
  return reply;
}

}  // namespace fedstein
