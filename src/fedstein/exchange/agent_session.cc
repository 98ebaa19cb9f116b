// SPDX-License-Identifier: Apache-2.0
#include "fedstein/exchange/agent_session.h"

#include <utility>

#include "fedstein/federated/message_bytes.h"
#include "fedstein/federated/transport.h"

namespace fedstein {
namespace {

constexpr const char* kOwner = "agent record, 2";

Index round_of(const Reply& reply) {
  const auto* update = std::get_if<Update>(&reply);
  return update != nullptr ? update->round : std::get<Failure>(reply).round;
}

}  // namespace

std::string bytes_of(const AgentRecord& record) {
  StateWriter writer(kOwner);
  writer.text(record.run);
  writer.integer(record.agent);
  writer.integer(record.settled);
  writer.text(record.rows);
  writer.text(record.side_state);
  writer.integer(record.pending ? record.pending->token : 0);
  if (record.pending) write_reply(writer, record.pending->reply);
  return std::move(writer).finish();
}

AgentRecord agent_record_from(std::string_view bytes) {
  StateReader reader(bytes, kOwner);
  AgentRecord record;
  record.run = reader.text();
  record.agent = reader.integer();
  record.settled = reader.integer();
  if (record.agent < 0 || record.settled < 0) throw BadState("saved state: a negative agent or round");
  record.rows = reader.text();
  record.side_state = reader.text();
  if (const Token token = reader.integer(); token != 0) record.pending = Upload{token, read_reply(reader)};
  reader.finish();
  return record;
}

Hello hello_of(const AgentRecord& record) {
  Hello hello{.run = record.run, .settled = record.settled, .in_hand = {}, .forgets = false};
  if (record.pending) hello.in_hand = Attempt{round_of(record.pending->reply), record.pending->token};
  return hello;
}

AgentSession::AgentSession(std::string run, Index agent, Index settled, std::string rows)
    : record_{.run = std::move(run),
              .agent = agent,
              .settled = settled,
              .rows = std::move(rows),
              .side_state = {},
              .pending = {}} {}

AgentSession::AgentSession(AgentRecord record, AgentSide& side) : record_(std::move(record)) {
  if (!record_.side_state.empty()) side.restore(record_.side_state);
}

Attempt AgentSession::in_hand() const {
  return {round_of(record_.pending->reply), record_.pending->token};
}

std::optional<Upload> AgentSession::on_offer(const Offer& offer, AgentSide& side, AgentDisk& disk) {
  if (record_.pending || offer.task.round <= record_.settled) return std::nullopt;
  AgentRecord next = record_;
  next.pending = Upload{offer.token, reply_of(side, offer.task)};
  next.side_state = side.save();
  disk.replace(bytes_of(next));
  record_ = std::move(next);
  return record_.pending;
}

AgentSession::Outcome AgentSession::on_standing(const Attempt& attempt,
                                                const Standing& standing,
                                                AgentSide& side,
                                                AgentDisk& disk) {
  if (!record_.pending || in_hand().token != attempt.token || in_hand().round != attempt.round) return {};
  if (standing.kind == Standing::Kind::kWanted) return {.send = true, .failure = {}};
  if (standing.kind == Standing::Kind::kHeld || standing.kind == Standing::Kind::kLater) return {};

  const bool folded = standing.kind == Standing::Kind::kFolded;
  Outcome outcome;
  const auto* sent = std::get_if<Update>(&record_.pending->reply);
  outcome.failure = settle_with(side,
                                {attempt.round, record_.agent, folded, standing.weight},
                                sent != nullptr ? *sent : Update{attempt.round, record_.agent, {}});
  AgentRecord next = record_;
  next.pending.reset();
  if (folded) next.settled = attempt.round;
  next.side_state = side.save();
  disk.replace(bytes_of(next));
  record_ = std::move(next);
  return outcome;
}

}  // namespace fedstein
