// SPDX-License-Identifier: Apache-2.0
#include "exchange/crash_world.h"

#include <algorithm>
#include <stdexcept>

#include "fedstein/exchange/reply_bytes.h"

namespace fedstein {

namespace {
struct Crash {};
}  // namespace

// Counts the durable writes of a step, and crashes before or after one of them.
class CrashWorld::Writes {
 public:
  Writes() = default;
  Writes(int write, bool after) : write_(write), after_(after) {}

  template <typename Write>
  void perform(const Write& write) {
    const bool here = count_++ == write_;
    if (here && !after_) throw Crash{};
    write();
    if (here) throw Crash{};
  }
  int count() const { return count_; }

 private:
  int count_ = 0;
  int write_ = -1;
  bool after_ = false;
};

class CrashWorld::Log : public Journal {
 public:
  Log(MemoryJournal& journal, Writes& writes) : journal_(journal), writes_(writes) {}
  JournalContents load() const override { return journal_.load(); }
  void enrol(const Enrolment& enrolment) override {
    writes_.perform([&] { journal_.enrol(enrolment); });
  }
  void open_attempts(Index round, const std::map<Index, Token>& tokens) override {
    writes_.perform([&] { journal_.open_attempts(round, tokens); });
  }
  void hold(Index round, Index agent, const HeldReply& held) override {
    writes_.perform([&] { journal_.hold(round, agent, held); });
  }
  void close_round(const RoundClosing& closing) override {
    writes_.perform([&] { journal_.close_round(closing); });
  }
  void record_forgotten(Index agent, Index round) override {
    writes_.perform([&] { journal_.record_forgotten(agent, round); });
  }

 private:
  MemoryJournal& journal_;
  Writes& writes_;
};

class CrashWorld::Disk : public AgentDisk {
 public:
  Disk(std::optional<std::string>& record, Writes& writes, bool careless)
      : record_(record), writes_(writes), careless_(careless) {}
  std::optional<std::string> read() const override { return record_; }
  void replace(const std::string& record) override {
    const bool loses = careless_ && agent_record_from(record).pending;
    if (!loses) writes_.perform([&] { record_ = record; });
  }

 private:
  std::optional<std::string>& record_;
  Writes& writes_;
  bool careless_;
};

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
  if (words.holding) {
    letters_[k].push_back({{}, {*words.holding, server_->session.standing(static_cast<Index>(k), *words.holding)}});
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
  for (const auto& [agent, notice] : session.close(verdicts, server_->side.save(), log)) {
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

void CrashWorld::add(std::vector<Successor>& out, const std::string& name, const Step& step, int victim) const {
  Successor done{name, *this};
  Writes writes;
  step(done.world, writes);
  const int count = writes.count();
  out.push_back(std::move(done));
  if (faults_left_ == 0) return;
  for (int write = 0; write < count; ++write) {
    for (const bool after : {false, true}) {
      Successor broken{name + (after ? ", crash after write " : ", crash before write ") + std::to_string(write),
                       *this};
      Writes until(write, after);
      try {
        step(broken.world, until);
      } catch (const Crash&) {
      }
      broken.world.faults_left_ = faults_left_ - 1;
      if (victim < 0) {
        broken.world.crash_server(/*losing_uploads=*/false);
      } else {
        broken.world.crash_agent(static_cast<std::size_t>(victim));
      }
      out.push_back(std::move(broken));
    }
  }
}

std::vector<CrashWorld::Successor> CrashWorld::successors() const {
  std::vector<Successor> out;
  add_server_steps(out);
  for (std::size_t k = 0; k < agents_.size(); ++k) add_agent_steps(out, k);
  if (faults_left_ > 0) add_network_faults(out);
  return out;
}

void CrashWorld::add_server_steps(std::vector<Successor>& out) const {
  if (!server_) {
    add(
        out, "server starts", [](CrashWorld& world, Writes&) { world.start_server(); }, -1);
    return;
  }
  for (const Index agent : server_->session.idle()) {
    add(
        out,
        "offer to " + std::to_string(agent),
        [agent](CrashWorld& world, Writes& writes) {
          Log log(world.journal_, writes);
          const auto offers = world.server_->session.offer({agent}, log);
          world.letters_[static_cast<std::size_t>(agent)].push_back({offers.at(agent), {}});
        },
        -1);
  }
  if (server_->session.complete()) {
    add(
        out, "round closes", [](CrashWorld& world, Writes& writes) { world.finish_round(writes); }, -1);
  }
  for (std::size_t i = 0; i < uploads_.size(); ++i) {
    add(
        out,
        "upload " + std::to_string(uploads_[i].second.token) + " arrives",
        [i](CrashWorld& world, Writes& writes) {
          const auto [k, upload] = world.uploads_[i];
          world.uploads_.erase(world.uploads_.begin() + static_cast<std::ptrdiff_t>(i));
          Log log(world.journal_, writes);
          Server& server = *world.server_;
          const auto receipt = server.session.on_upload(static_cast<Index>(k), upload, server.side, log);
          const Holding attempt{std::get<Update>(upload.reply).round, upload.token};
          if (world.agents_[k]) world.answers_.push_back({k, {attempt, receipt.standing}});
        },
        -1);
  }
}

void CrashWorld::add_agent_steps(std::vector<Successor>& out, std::size_t k) const {
  const int victim = static_cast<int>(k);
  const std::string name = "agent " + std::to_string(k);
  if (!agents_[k]) {
    add(
        out, name + " starts", [k](CrashWorld& world, Writes&) { world.start_agent(k); }, victim);
    return;
  }
  if (!agents_[k]->connected && server_) {
    add(
        out, name + " says hello", [k](CrashWorld& world, Writes& writes) { world.hello(k, writes); }, -1);
  }
  if (!letters_[k].empty()) {
    add(
        out,
        name + " reads",
        [k](CrashWorld& world, Writes& writes) {
          const Letter letter = world.letters_[k].front();
          world.letters_[k].pop_front();
          world.hear(k, letter, writes);
        },
        victim);
  }
  for (std::size_t i = 0; i < answers_.size(); ++i) {
    if (answers_[i].agent != k) continue;
    add(
        out,
        name + " is answered",
        [k, i](CrashWorld& world, Writes& writes) {
          const Answer answer = world.answers_[i];
          world.answers_.erase(world.answers_.begin() + static_cast<std::ptrdiff_t>(i));
          world.hear(k, {{}, answer.notice}, writes);
        },
        victim);
  }
}

void CrashWorld::add_network_faults(std::vector<Successor>& out) const {
  const auto fault = [&](const std::string& name, const std::function<void(CrashWorld&)>& change) {
    Successor next{name, *this};
    --next.world.faults_left_;
    change(next.world);
    out.push_back(std::move(next));
  };
  if (server_) {
    for (const bool losing : {false, true}) {
      fault(losing ? "server dies with its mail" : "server dies",
            [&](CrashWorld& world) { world.crash_server(losing); });
    }
  }
  for (std::size_t k = 0; k < agents_.size(); ++k) {
    if (!agents_[k]) continue;
    const std::string agent = " " + std::to_string(k);
    fault("agent dies" + agent, [&](CrashWorld& world) { world.crash_agent(k); });
    if (!agents_[k]->connected) continue;
    fault("connection cut" + agent, [&](CrashWorld& world) { world.cut(k, false); });
    fault("connection cut with uploads" + agent, [&](CrashWorld& world) { world.cut(k, true); });
    if (server_ && server_->session.current_token(static_cast<Index>(k)) > 0) {
      add(
          out,
          "lease lapses" + agent,
          [k](CrashWorld& world, Writes& writes) {
            --world.faults_left_;
            Log log(world.journal_, writes);
            world.server_->session.on_lapse(static_cast<Index>(k), world.options_.on_lapse, log);
            world.cut(k, false);
          },
          -1);
    }
  }
  for (std::size_t i = 0; i < uploads_.size(); ++i) {
    fault("upload doubled", [&](CrashWorld& world) { world.uploads_.push_back(uploads_[i]); });
  }
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
