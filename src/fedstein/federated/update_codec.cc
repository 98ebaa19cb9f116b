// SPDX-License-Identifier: Apache-2.0
#include "fedstein/federated/update_codec.h"

#include <utility>

#include "fedstein/federated/pending_update.h"
#include "fedstein/federated/state.h"
#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

constexpr const char* kOwner = "coded agent";

}  // namespace

CodedAgent::CodedAgent(std::unique_ptr<AgentSide> agent, std::shared_ptr<const UpdateCodec> codec)
    : agent_(std::move(agent)), codec_(std::move(codec)) {
  check_argument(agent_ != nullptr && codec_ != nullptr, "CodedAgent", "the agent or its codec is null");
}

Update CodedAgent::update(const Task& task) {
  Update coded = codec_->encode(agent_->update(task), task);
  pending_ = task;
  pending_.verdict.reset();
  return coded;
}

void CodedAgent::settle(const Verdict& verdict, const Update& as_sent) {
  if (pending_.round == 0 || pending_.round != verdict.round) {
    return agent_->settle(verdict, {verdict.round, verdict.agent, {}});
  }
  const Task task = std::exchange(pending_, {});
  if (!verdict.folded) return agent_->settle(verdict, {verdict.round, verdict.agent, {}});
  const std::string objection = codec_->objection(as_sent, task);
  check_argument(objection.empty(), "settle", [&] { return "what was sent cannot be decoded: " + objection; });
  agent_->settle(verdict, codec_->decode(as_sent, task));
}

std::string CodedAgent::save() const {
  StateWriter writer(kOwner);
  writer.text(agent_->save());
  writer.integer(pending_.round);
  writer.integer(pending_.agent);
  writer.integer(pending_.version);
  writer.matrices(pending_.belief);
  return std::move(writer).finish();
}

void CodedAgent::restore(const std::string& bytes) {
  StateReader reader(bytes, kOwner);
  const std::string agent = reader.text();
  Task pending;
  pending.round = reader.integer();
  pending.agent = reader.integer();
  pending.version = reader.integer();
  pending.belief = reader.matrices();
  reader.finish();
  if (pending.round < 0 || (pending.round == 0 && !pending.belief.empty())) {
    throw BadState("saved state: an update that waits for round " + std::to_string(pending.round));
  }
  for (const Matrix& part : pending.belief) expect_shape(part, part.rows(), part.cols());
  agent_->restore(agent);
  pending_ = std::move(pending);
}

Index CodedAgent::state_size() const {
  return agent_->state_size() + size_of(pending_.belief);
}

CodedServer::CodedServer(std::unique_ptr<ServerSide> server, std::shared_ptr<const UpdateCodec> codec)
    : server_(std::move(server)), codec_(std::move(codec)) {
  check_argument(server_ != nullptr && codec_ != nullptr, "CodedServer", "the server or its codec is null");
}

std::vector<Task> CodedServer::plan(Index round, const std::vector<Index>& agents) const {
  std::vector<Task> tasks = server_->plan(round, agents);
  const std::lock_guard lock(mutex_);
  std::erase_if(tasks_, [&](const auto& entry) { return entry.first.first != round; });
  for (const Task& task : tasks) tasks_[{task.round, task.agent}] = std::make_shared<const Task>(task);
  return tasks;
}

std::shared_ptr<const Task> CodedServer::task_of(const Update& update) const {
  const std::lock_guard lock(mutex_);
  const auto found = tasks_.find({update.round, update.agent});
  return found == tasks_.end() ? nullptr : found->second;
}

std::string CodedServer::objection(const Update& update) const {
  const auto task = task_of(update);
  if (task == nullptr) {
    return "agent " + std::to_string(update.agent) + " has no task of round " + std::to_string(update.round);
  }
  if (std::string complaint = codec_->objection(update, *task); !complaint.empty()) return complaint;
  return server_->objection(codec_->decode(update, *task));
}

std::string CodedServer::answer_objection(const Update& update, const Task& task) const {
  if (std::string complaint = codec_->objection(update, task); !complaint.empty()) return complaint;
  return server_->answer_objection(codec_->decode(update, task), task);
}

std::vector<Verdict> CodedServer::fold(Index round, const std::vector<Update>& updates) {
  std::vector<Update> decoded;
  for (const Update& update : updates) {
    const auto task = task_of(update);
    check_argument(task != nullptr, "fold", [&] {
      return "agent " + std::to_string(update.agent) + " has no task of round " + std::to_string(round);
    });
    decoded.push_back(codec_->decode(update, *task));
  }
  return server_->fold(round, decoded);
}

// Tasks that were planned before belong to another belief.
void CodedServer::restore(const std::string& bytes) {
  server_->restore(bytes);
  const std::lock_guard lock(mutex_);
  tasks_.clear();
}

std::optional<Belief> CodedServer::decoded(const Update& update) const {
  const auto task = task_of(update);
  if (task == nullptr || !codec_->objection(update, *task).empty()) return std::nullopt;
  return codec_->decode(update, *task).belief;
}

}  // namespace fedstein
