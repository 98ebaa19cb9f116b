// SPDX-License-Identifier: Apache-2.0
// The part of the server's session that agents talk to.
#include <utility>

#include "fedstein/exchange/server_session.h"
#include "fedstein/numeric/check.h"

namespace fedstein {

std::string ServerSession::on_hello(Index agent, const Hello& hello, Journal& journal) {
  if (!hello.run.empty() && hello.run != record_.run) {
    return "its state belongs to the federation " + hello.run + ", not to " + record_.run +
           "; give the agent a state folder of its own";
  }
  const Index here = last_folded(agent);
  const Index open = record_.closed_round + 1;
  if (hello.settled > here || (hello.in_hand && hello.in_hand->round > open)) {
    return "its state is of round " + std::to_string(hello.in_hand ? hello.in_hand->round : hello.settled) +
           ", ahead of the server's record (" + std::to_string(here) + "): the server's state is an older one";
  }
  const bool catches_up =
      hello.in_hand && hello.in_hand->round == here && standing(agent, *hello.in_hand).kind == Standing::Kind::kFolded;
  if (hello.settled < here && !catches_up) {
    if (!hello.forgets) {
      return "its state is of round " + std::to_string(hello.settled) + ", but its update of round " +
             std::to_string(here) + " was folded: its data would count twice. Restore the newer state, or start the " +
             "agent once with --forget-factor";
    }
    // Once is enough, however often it comes: what an agent can say adds no more to the journal than happened.
    if (const auto [place, fresh] = forgotten_.try_emplace(agent, here); fresh || place->second < here) {
      journal.record_forgotten(agent, here);
      place->second = here;
    }
  }
  // Only now: a hello that is refused leaves an earlier, better one in force.
  attached_.insert(agent);
  engaged_.erase(agent);
  if (hello.in_hand && standing(agent, *hello.in_hand).kind == Standing::Kind::kWanted) engaged_.insert(agent);
  return {};
}

Standing ServerSession::standing(Index agent, const Attempt& attempt) const {
  if (attempt.round <= record_.closed_round) {
    const auto folded = record_.folded.find(agent);
    const bool counts = folded != record_.folded.end() && folded->second.round == attempt.round &&
                        folded->second.token == attempt.token;
    if (counts) return {Standing::Kind::kFolded, folded->second.weight, {}};
    return {Standing::Kind::kDropped, 0, "round " + std::to_string(attempt.round) + " is over without it"};
  }
  if (const auto held = record_.replies.find(agent); held != record_.replies.end()) {
    if (held->second.token == attempt.token) return {Standing::Kind::kHeld, 0, {}};
    return {Standing::Kind::kDropped, 0, "the round has another reply of this agent"};
  }
  if (attempt.token != current_token(agent)) return {Standing::Kind::kDropped, 0, "the attempt is no longer current"};
  return {Standing::Kind::kWanted, 0, {}};
}

bool ServerSession::is_idle(Index agent) const {
  return is_waited_for(agent) && attached_.contains(agent) && !engaged_.contains(agent);
}

std::vector<Index> ServerSession::idle() const {
  std::vector<Index> agents;
  for (const auto& [agent, task] : tasks_) {
    if (is_idle(agent)) agents.push_back(agent);
  }
  return agents;
}

std::map<Index, Offer> ServerSession::offer(const std::vector<Index>& agents, Journal& journal) {
  for (const Index agent : agents) {
    check_argument(
        is_idle(agent), "ServerSession::offer", [&] { return "agent " + std::to_string(agent) + " is not idle"; });
  }
  spend_tokens(agents, journal);
  std::map<Index, Offer> offers;
  for (const Index agent : agents) {
    engaged_.insert(agent);
    offers[agent] = {current_token(agent), tasks_.at(agent)};
  }
  return offers;
}

void ServerSession::spend_tokens(const std::vector<Index>& agents, Journal& journal) {
  if (agents.empty()) return;
  std::map<Index, Token> tokens;
  Token last = record_.last_token;
  for (const Index agent : agents) tokens[agent] = ++last;
  journal.open_attempts(record_.closed_round + 1, tokens);
  record_.last_token = last;
  for (const auto& [agent, token] : tokens) record_.attempts[agent] = token;
}

ServerSession::Receipt ServerSession::on_upload(Index agent,
                                                const Upload& upload,
                                                const ServerSide& server,
                                                Journal& journal) {
  const auto* update = std::get_if<Update>(&upload.reply);
  const Index round = update != nullptr ? update->round : std::get<Failure>(upload.reply).round;
  // The token says which attempt this is; what the upload calls its round is believed only if it agrees.
  const Index open = record_.closed_round + 1;
  if (upload.token > 0 && upload.token == current_token(agent)) {
    if (record_.replies.contains(agent)) {
      Standing known = standing(agent, {open, upload.token});
      const bool again = known.kind == Standing::Kind::kHeld;
      return {std::move(known), {again ? "replayed" : "late", "the round has its reply of this agent"}};
    }
    if (!is_waited_for(agent)) return {{Standing::Kind::kLater, 0, {}}, {}};
    HeldReply reply{upload.token, upload.reply};
    Suspicion suspicion = suspicion_of(upload, {open, upload.token}, agent, limits_, server);
    std::vector<double> sizes;  // of what the update means, not of how it travels
    if (suspicion.none() && update != nullptr) {
      const std::optional<Belief> decoded = server.decoded(*update);
      sizes = sizes_of(decoded ? *decoded : update->belief);
      suspicion = size_suspicion(agent, sizes);
    }
    if (suspicion.none() && update != nullptr) {
      if (std::string why = server.answer_objection(*update, tasks_.at(agent)); !why.empty()) {
        suspicion = {"shape", std::move(why)};
      }
    }
    // What fails the checks is the round's reply all the same, as a refusal: the agent would compute it again.
    if (!suspicion.none()) {
      reply = {0, Failure{open, agent, Failure::Kind::kRefused, suspicion.kind + ": " + suspicion.sentence}};
    }
    journal.hold(open, agent, reply);
    record_.replies[agent] = std::move(reply);
    if (suspicion.none()) {
      if (update != nullptr) sizes_[agent] = std::move(sizes);
      return {{Standing::Kind::kHeld, 0, {}}, {}};
    }
    return {{Standing::Kind::kDropped, 0, suspicion.sentence}, std::move(suspicion)};
  }
  Standing known = standing(agent, {round, upload.token});
  if (known.kind == Standing::Kind::kFolded) return {std::move(known), {"replayed", "the attempt was folded before"}};
  const bool is_old = upload.token > 0 && upload.token <= record_.last_token;
  return {{Standing::Kind::kDropped, 0, "token " + std::to_string(upload.token) + " is not the current one"},
          {is_old ? "late" : "out-of-turn", "nobody waits for token " + std::to_string(upload.token)}};
}

Suspicion ServerSession::size_suspicion(Index agent, const std::vector<double>& update) const {
  std::vector<std::vector<double>> others;
  for (const auto& [other, sizes] : sizes_) {
    if (other != agent) others.push_back(sizes);
  }
  return fedstein::size_suspicion(update, sizes_of(tasks_.at(agent).belief), others, limits_.update_bound);
}

void ServerSession::on_detach(Index agent) {
  attached_.erase(agent);
  engaged_.erase(agent);
}

void ServerSession::pass_over(Index agent, Failure::Kind kind, const std::string& reason, Journal& journal) {
  if (is_waited_for(agent)) {
    const Index round = record_.closed_round + 1;
    const HeldReply held{0, Failure{round, agent, kind, reason}};
    journal.hold(round, agent, held);
    record_.replies[agent] = held;
  }
  on_detach(agent);
}

void ServerSession::on_lapse(Index agent, OnLapse policy, Journal& journal) {
  if (!is_waited_for(agent)) return;
  if (policy == OnLapse::kSkip) return pass_over(agent, Failure::Kind::kTimedOut, "its lease is over", journal);
  // The lapsed token must stay dead through a restart: the agent may be told that it is dropped, and a copy of its
  // upload may still be on its way. A token that is given to no agent takes its place.
  spend_tokens({agent}, journal);
  on_detach(agent);
}

}  // namespace fedstein
