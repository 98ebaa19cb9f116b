// SPDX-License-Identifier: Apache-2.0
// What the fuzzer does with its bytes as messages of the wire: the first byte says which message, the rest is it. A
// message may be refused as malformed or dropped by the session; anything else that is thrown, and anything unsound
// that is kept, is a finding.
#pragma once

#include <cmath>
#include <stdexcept>
#include <string>
#include <string_view>

#include "../tests/exchange/toy_sides.h"
#include "fedstein/exchange/memory_journal.h"
#include "fedstein/exchange/server_session.h"
#include "fedstein/numeric/check.h"
#include "fedstein/rpc/wire.h"

namespace fedstein {

inline void demand_sound(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

// An upload at a session that waits for one: whatever it is, what the journal holds afterwards is sound.
inline void fuzz_upload(const v1::Upload& message) {
  const ToyServer server;
  MemoryJournal journal("run");
  ServerSession session(journal.load(), {.most_bytes = 1024, .norm_bound = 1e6});
  session.open(server.plan(1, {0, 1}));
  session.on_hello(0, {}, journal);
  session.offer({0}, journal);
  const Upload upload = decode(message, 0);
  const Standing first = session.on_upload(0, upload, server, journal).standing;
  const Standing again = session.on_upload(0, upload, server, journal).standing;
  demand_sound(first.kind == again.kind, "the same upload got two answers");
  demand_sound(first.kind != Standing::Kind::kFolded, "an upload was folded before its round");
  for (const auto& [agent, held] : journal.contents().replies) {
    demand_sound(agent == 0, "another agent's reply appeared");
    const auto* update = std::get_if<Update>(&held.reply);
    if (update == nullptr) continue;
    demand_sound(held.token == 1 && update->round == 1 && update->agent == 0, "a stranger's update was kept");
    demand_sound(server.objection(*update).empty(), "an update that cannot be folded was kept");
    demand_sound(std::abs(update->belief[0](0, 0)) <= 1e6_r, "an update beyond the norm bound was kept");
  }
}

// A hello at a server whose record has a folded round of this agent.
inline void fuzz_hello(const v1::Attendance& attendance) {
  ToyServer server;
  MemoryJournal journal("run");
  ServerSession session(journal.load());
  session.open(server.plan(1, {0}));
  session.on_hello(0, {}, journal);
  const Offer offer = session.offer({0}, journal).at(0);
  const Update update{1, 0, {Matrix::Constant(1, 1, 5)}};
  session.on_upload(0, {offer.token, update}, server, journal);
  session.take(journal, Failure::Kind::kTimedOut, "");
  session.close(server.fold(1, {update}), {{}, server.save()}, journal);
  session.open(server.plan(2, {0}));
  session.on_detach(0);

  facts_in(attendance);
  const Hello hello = hello_in(attendance);
  const bool welcome = session.on_hello(0, hello, journal).empty();
  const bool settled = hello.settled == 1 || (hello.in_hand && hello.in_hand->round == 1 && hello.in_hand->token == 1);
  demand_sound(!welcome || settled || hello.forgets, "an agent with an outdated state was welcome");
  demand_sound(welcome == !session.idle().empty() || hello.in_hand, "work and welcome disagree");
}

template <typename Message>
bool parses(std::string_view bytes, Message& message) {
  return message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
}

inline void fuzz_messages(std::string_view bytes) {
  if (bytes.empty()) return;
  const int kind = static_cast<unsigned char>(bytes[0]) % 4;
  bytes.remove_prefix(1);
  try {
    if (v1::Upload upload; kind == 0 && parses(bytes, upload)) fuzz_upload(upload);
    if (v1::Attendance attendance; kind == 1 && parses(bytes, attendance)) fuzz_hello(attendance);
    if (v1::Letter letter; kind == 2 && parses(bytes, letter)) decode(letter, 0);
    if (v1::Tidings tidings; kind == 3 && parses(bytes, tidings)) {
      const EvaluationSums sums = decode(tidings.evaluation()).sums;
      const bool taken = objection_to(sums, {.bins = 1, .fewest_rows = 1, .most_rows = 1000}).empty() ||
                         objection_to(sums, {.bins = 0, .fewest_rows = 1, .most_rows = 1000}).empty();
      if (taken) {
        for (const auto& [name, value] : figures_of(sums)) {
          demand_sound(std::isfinite(value), "impossible sums were taken");
        }
      }
      decode(tidings.settling(), 0);
    }
  } catch (const MalformedMessage&) {
  }
}

}  // namespace fedstein
