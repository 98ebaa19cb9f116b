// SPDX-License-Identifier: Apache-2.0
#include "fedstein/exchange/memory_journal.h"

#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

void check_open(const char* function, Index round, Index closed) {
  check_argument(round == closed + 1, function, [&] {
    return "round " + std::to_string(round) + " is not open; the last closed one is " + std::to_string(closed);
  });
}

}  // namespace

void MemoryJournal::enrol(const Enrolment& enrolment) {
  contents_.enrolments[enrolment.agent] = enrolment;
}

void MemoryJournal::drop_enrolment(Index agent) {
  contents_.enrolments.erase(agent);
}

void MemoryJournal::open_attempts(Index round, const std::map<Index, Token>& tokens) {
  check_open("MemoryJournal::open_attempts", round, contents_.closed_round);
  for (const auto& [agent, token] : tokens) {
    check_argument(token > contents_.last_token, "MemoryJournal::open_attempts", [&, spent = token] {
      return "token " + std::to_string(spent) + " was used; the last one is " + std::to_string(contents_.last_token);
    });
    contents_.last_token = token;
    contents_.attempts[agent] = token;
  }
}

void MemoryJournal::hold(Index round, Index agent, const HeldReply& held) {
  check_open("MemoryJournal::hold", round, contents_.closed_round);
  check_argument(!contents_.replies.contains(agent), "MemoryJournal::hold", [&] {
    return "a reply of agent " + std::to_string(agent) + " is there already";
  });
  contents_.replies[agent] = held;
}

void MemoryJournal::close_round(const RoundClosing& closing) {
  check_open("MemoryJournal::close_round", closing.round, contents_.closed_round);
  contents_.closed_round = closing.round;
  contents_.server_state = closing.server_state;
  realised_.emplace_back();
  for (const auto& [agent, upload] : closing.folded) {
    contents_.folded[agent] = upload;
    realised_.back().push_back(agent);
  }
  contents_.attempts.clear();
  contents_.replies.clear();
}

void MemoryJournal::record_forgotten(Index /*agent*/, Index /*round*/) {
  ++forgotten_;
}

}  // namespace fedstein
