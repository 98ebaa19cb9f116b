// SPDX-License-Identifier: Apache-2.0
// What travels may differ from what was computed: compressed, rounded, with noise. A codec stands between an agent's
// half and the server's half of any method, and neither knows of it.
//
//   agent   update -> encode -> travels;   settle(verdict, decode(as sent))
//   server  objection, decode -> objection and fold of the method itself
//
// The server folds decode(encode(u)), and the agent settles on the same numbers, so a codec that loses digits leaves
// the two in agreement.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "fedstein/federated/sides.h"

namespace fedstein {

// All three are pure functions; `task` is the one that the update answers, which both ends know.
class UpdateCodec {
 public:
  virtual ~UpdateCodec() = default;

  // The update as it travels, with the round and the agent of `update`.
  virtual Update encode(const Update& update, const Task& task) const = 0;
  // The update as the server folds it. Only for what objection() lets pass.
  virtual Update decode(const Update& coded, const Task& task) const = 0;
  // Why these matrices are no coded update, or nothing. Must not believe any of their numbers.
  virtual std::string objection(const Update& coded, const Task& task) const = 0;
};

// An agent's half behind a codec. While an update waits for its verdict it keeps the task's belief, which decoding
// needs. A method that settles with its next task (Task::verdict) needs a transport that tells verdicts, as all of ours
// do.
class CodedAgent : public AgentSide {
 public:
  CodedAgent(std::unique_ptr<AgentSide> agent, std::shared_ptr<const UpdateCodec> codec);

  Update update(const Task& task) override;
  void settle(const Verdict& verdict, const Update& as_sent) override;
  std::string save() const override;
  void restore(const std::string& bytes) override;
  Index state_size() const override;

 private:
  std::unique_ptr<AgentSide> agent_;
  std::shared_ptr<const UpdateCodec> codec_;
  Task pending_;  // what the update in flight answers; round 0: none
};

// A server's half behind a codec. It remembers the tasks of the round planned last, because updates answer them. They
// are no state: a restored server plans its round again, with the same tasks.
class CodedServer : public ServerSide {
 public:
  CodedServer(std::unique_ptr<ServerSide> server, std::shared_ptr<const UpdateCodec> codec);

  std::vector<Task> plan(Index round, const std::vector<Index>& agents) const override;
  std::string objection(const Update& update) const override;
  std::string answer_objection(const Update& update, const Task& task) const override;
  std::optional<Belief> decoded(const Update& update) const override;
  std::vector<Verdict> fold(Index round, const std::vector<Update>& updates) override;
  std::string why_left_out(Index agent) const override { return server_->why_left_out(agent); }
  std::map<std::string, double> figures() const override { return server_->figures(); }
  Particles particles() const override { return server_->particles(); }
  Particles working_particles() const override { return server_->working_particles(); }
  DoubleVector log_density(const ConstMatrixRef& theta) const override { return server_->log_density(theta); }
  std::string save() const override { return server_->save(); }
  void restore(const std::string& bytes) override;

 private:
  using Key = std::pair<Index, Index>;  // round, agent
  std::shared_ptr<const Task> task_of(const Update& update) const;

  std::unique_ptr<ServerSide> server_;
  std::shared_ptr<const UpdateCodec> codec_;
  mutable std::mutex mutex_;  // a network server plans while it judges uploads
  mutable std::map<Key, std::shared_ptr<const Task>> tasks_;
};

}  // namespace fedstein
