// SPDX-License-Identifier: Apache-2.0
// Every step that a world can take, and every fault that can happen in it.
#include "exchange/crash_writes.h"

namespace fedstein {

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
          const Attempt attempt{std::get<Update>(upload.reply).round, upload.token};
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

}  // namespace fedstein
