// SPDX-License-Identifier: Apache-2.0
#include "exchange/crash_world.h"

#include <algorithm>
#include <stdexcept>

#include "exchange/crash_writes.h"
#include "fedstein/federated/message_bytes.h"

namespace fedstein {

CrashWorld::CrashWorld(const WorldOptions& options)
    : options_(options),
      faults_left_(options.faults),
      disks_(static_cast<std::size_t>(options.agents)),
      agents_(disks_.size()),
      letters_(disks_.size()) {}

void CrashWorld::start_server() {
  const JournalContents contents = journal_.load();
  server_.emplace(Server{ServerSession(contents), ToyServer{}});
  if (!contents.server_state.empty()) server_->side.restore(contents.server_state);
  const Index round = contents.closed_round + 1;
  if (round <= options_.rounds) server_->session.open(server_->side.plan(round, options_.scheduler->pick(round)));
}

void CrashWorld::crash_server(bool losing_uploads) {
  server_.reset();
  for (std::size_t k = 0; k < agents_.size(); ++k) {
    letters_[k].clear();
    if (agents_[k]) agents_[k]->connected = false;
    if (losing_uploads) drop_uploads(k);
  }
  answers_.clear();
}

void CrashWorld::start_agent(std::size_t k) {
  const auto number = static_cast<Index>(k);
  ToyAgent side(number);
  AgentSession session = disks_[k] ? AgentSession(agent_record_from(*disks_[k]), side) : AgentSession("run", number, 0);
  agents_[k].emplace(Agent{std::move(session), side, false});
}

void CrashWorld::crash_agent(std::size_t k) {
  agents_[k].reset();
  cut(k, /*losing_uploads=*/false);
}

void CrashWorld::cut(std::size_t k, bool losing_uploads) {
  letters_[k].clear();
  std::erase_if(answers_, [&](const Answer& answer) { return answer.agent == k; });
  if (losing_uploads) drop_uploads(k);
  if (agents_[k]) agents_[k]->connected = false;
  if (server_) server_->session.on_detach(static_cast<Index>(k));
}

void CrashWorld::drop_uploads(std::size_t k) {
  std::erase_if(uploads_, [&](const auto& upload) { return upload.first == k; });
}

void CrashWorld::hello(std::size_t k, Writes& writes) {
  Log log(journal_, writes);
  const Hello words = agents_[k]->session.hello();
  const std::string refusal = server_->session.on_hello(static_cast<Index>(k), words, log);
  if (!refusal.empty()) throw std::logic_error("an honest agent was turned away: " + refusal);
  agents_[k]->connected = true;
  letters_[k].clear();
  if (words.in_hand) {
    letters_[k].push_back({{}, {*words.in_hand, server_->session.standing(static_cast<Index>(k), *words.in_hand)}});
  }
}

// What coordinate() does once all replies are there.
void CrashWorld::finish_round(Writes& writes) {
  Log log(journal_, writes);
  ServerSession& session = server_->session;
  const Index round = session.open_round();
  std::vector<Update> updates;
  for (const Reply& reply : session.take(log, Failure::Kind::kTimedOut, "the deadline")) {
    if (const auto* update = std::get_if<Update>(&reply)) updates.push_back(*update);
  }
  std::vector<Verdict> verdicts;
  if (!updates.empty()) verdicts = server_->side.fold(round, updates);
  for (const auto& [agent, notice] : session.close(verdicts, {{}, server_->side.save()}, log)) {
    const auto k = static_cast<std::size_t>(agent);
    if (agents_[k] && agents_[k]->connected) letters_[k].push_back({{}, notice});
  }
  if (round < options_.rounds) session.open(server_->side.plan(round + 1, options_.scheduler->pick(round + 1)));
}

void CrashWorld::hear(std::size_t k, const Letter& letter, Writes& writes) {
  Disk disk(disks_[k], writes, options_.careless_disk);
  Agent& agent = *agents_[k];
  if (letter.offer) {
    if (auto upload = agent.session.on_offer(*letter.offer, agent.side, disk)) uploads_.emplace_back(k, *upload);
    return;
  }
  const auto outcome = agent.session.on_standing(letter.notice.attempt, letter.notice.standing, agent.side, disk);
  if (outcome.send) uploads_.emplace_back(k, *agent.session.pending());
  if (letter.notice.standing.kind == Standing::Kind::kLater) cut(k, false);  // the agent begins again with a hello
}

bool CrashWorld::is_finished() const {
  return server_ && server_->session.closed_round() == options_.rounds &&
         std::all_of(agents_.begin(), agents_.end(), [](const auto& agent) {
           return agent && agent->connected && !agent->session.pending();
         });
}

std::string CrashWorld::result() const {
  std::string bytes = server_->side.save();
  for (const auto& agent : agents_) bytes += agent->side.save();
  return bytes;
}

namespace {

void write(StateWriter& writer, const Notice& notice) {
  writer.integer(notice.attempt.round);
  writer.integer(notice.attempt.token);
  writer.integer(static_cast<std::int64_t>(notice.standing.kind));
  writer.number(notice.standing.weight);
}

}  // namespace

std::string CrashWorld::fingerprint() const {
  StateWriter writer("world");
  writer.integer(faults_left_);
  const JournalContents& journal = journal_.contents();
  writer.integer(journal.closed_round);
  writer.text(journal.server_state);
  for (const auto& round : journal_.realised()) {
    for (const Index agent : round) writer.integer(agent);
    writer.integer(-1);
  }
  writer.integer(journal.last_token);
  for (const auto& [agent, token] : journal.attempts) writer.integer(agent * 1000 + token);
  for (const auto& [agent, held] : journal.replies) {
    writer.integer(agent);
    writer.integer(held.token);
    write_reply(writer, held.reply);
  }
  writer.text(server_ ? server_->session.save() : "down");
  for (std::size_t k = 0; k < agents_.size(); ++k) {
    writer.text(disks_[k].value_or("empty"));
    writer.integer(agents_[k] ? (agents_[k]->connected ? 2 : 1) : 0);
    if (agents_[k]) writer.text(agents_[k]->side.save());
    writer.integer(static_cast<std::int64_t>(letters_[k].size()));
    for (const Letter& letter : letters_[k]) {
      writer.integer(letter.offer ? letter.offer->token : 0);
      write(writer, letter.notice);
    }
  }
  // Mail without an order is compared without one.
  std::vector<std::string> mail;
  for (const auto& [k, upload] : uploads_) mail.push_back("u" + std::to_string(k) + "t" + std::to_string(upload.token));
  for (const Answer& answer : answers_) {
    StateWriter one("answer");
    one.integer(static_cast<std::int64_t>(answer.agent));
    write(one, answer.notice);
    mail.push_back(std::move(one).finish());
  }
  std::sort(mail.begin(), mail.end());
  for (const std::string& item : mail) writer.text(item);
  return std::move(writer).finish();
}

}  // namespace fedstein
