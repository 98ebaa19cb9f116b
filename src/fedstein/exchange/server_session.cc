// SPDX-License-Identifier: Apache-2.0
#include "fedstein/exchange/server_session.h"

#include <algorithm>
#include <utility>

#include "fedstein/federated/state.h"
#include "fedstein/numeric/check.h"

namespace fedstein {

ServerSession::ServerSession(const JournalContents& contents, const UploadLimits& limits)
    : record_(contents), limits_(limits) {
  record_.server_state.clear();
}

void ServerSession::open(const std::vector<Task>& tasks) {
  const Index round = record_.closed_round + 1;
  tasks_.clear();
  for (const Task& task : tasks) {
    check_argument(task.round == round, "ServerSession::open", [&] {
      return "a task of round " + std::to_string(task.round) + "; the journal is at round " + std::to_string(round);
    });
    tasks_[task.agent] = task;
  }
  is_open_ = true;
}

bool ServerSession::is_waited_for(Index agent) const {
  return is_open_ && tasks_.contains(agent) && !record_.replies.contains(agent);
}

std::vector<Index> ServerSession::missing() const {
  std::vector<Index> agents;
  for (const auto& [agent, task] : tasks_) {
    if (is_waited_for(agent)) agents.push_back(agent);
  }
  return agents;
}

bool ServerSession::complete() const {
  return is_open_ && missing().empty();
}

Index ServerSession::updates_held() const {
  return std::count_if(record_.replies.begin(), record_.replies.end(), [](const auto& held) {
    return std::holds_alternative<Update>(held.second.reply);
  });
}

bool ServerSession::holds_update(Index agent) const {
  const auto held = record_.replies.find(agent);
  return held != record_.replies.end() && std::holds_alternative<Update>(held->second.reply);
}

std::vector<Reply> ServerSession::take(Journal& journal, Failure::Kind failure, const std::string& reason) {
  const Index round = record_.closed_round + 1;
  for (const Index agent : missing()) {
    const HeldReply held{0, Failure{round, agent, failure, reason}};
    journal.hold(round, agent, held);
    record_.replies[agent] = held;
  }
  is_open_ = false;
  engaged_.clear();
  std::vector<Reply> replies;
  for (const auto& [agent, held] : record_.replies) replies.push_back(held.reply);
  return replies;
}

std::map<Index, Notice> ServerSession::close(const std::vector<Verdict>& verdicts,
                                             const Folded& folded,
                                             Journal& journal) {
  RoundClosing closing{.round = record_.closed_round + 1,
                       .server_state = folded.server_state,
                       .folded = {},
                       .failures = {},
                       .record = folded.record};
  for (const Verdict& verdict : verdicts) {
    const auto held = record_.replies.find(verdict.agent);
    if (!verdict.folded || held == record_.replies.end()) continue;
    closing.folded[verdict.agent] = {closing.round, held->second.token, verdict.weight};
  }
  for (const auto& [agent, held] : record_.replies) {
    if (const auto* failure = std::get_if<Failure>(&held.reply)) closing.failures.push_back(*failure);
  }
  journal.close_round(closing);

  std::map<Index, Attempt> in_hand;
  for (const auto& [agent, token] : record_.attempts) in_hand[agent] = {closing.round, token};
  record_.closed_round = closing.round;
  for (const auto& [agent, upload] : closing.folded) record_.folded[agent] = upload;
  record_.attempts.clear();
  record_.replies.clear();
  tasks_.clear();
  std::map<Index, Notice> notices;
  for (const auto& [agent, attempt] : in_hand) notices[agent] = {attempt, standing(agent, attempt)};
  return notices;
}

Token ServerSession::current_token(Index agent) const {
  const auto found = record_.attempts.find(agent);
  return found == record_.attempts.end() ? 0 : found->second;
}

Index ServerSession::last_folded(Index agent) const {
  const auto found = record_.folded.find(agent);
  return found == record_.folded.end() ? 0 : found->second.round;
}

std::string ServerSession::save() const {
  StateWriter writer("server session");
  writer.integer(is_open_ ? 1 : 0);
  for (const auto& [agent, task] : tasks_) writer.integer(agent);
  writer.integer(-1);
  for (const auto& [agent, token] : record_.attempts) {
    writer.integer(agent);
    writer.integer(token);
  }
  writer.integer(-1);
  for (const Index agent : attached_) writer.integer(agent);
  writer.integer(-1);
  for (const Index agent : engaged_) writer.integer(agent);
  return std::move(writer).finish();
}

}  // namespace fedstein
