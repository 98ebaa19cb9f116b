// SPDX-License-Identifier: Apache-2.0
// The two halves of a federated algorithm. Neither knows where the other runs.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fedstein/federated/messages.h"
#include "fedstein/federated/sum_fold.h"

namespace fedstein {

// The half that has data. Its state is everything it must keep between rounds, and nothing more.
class AgentSide {
 public:
  virtual ~AgentSide() = default;

  // Computes the round's update from the task and this agent's data. What the agent keeps changes only in settle(): an
  // update that is lost, late or refused leaves no trace. May be called again for the same round, with the same result.
  // Throws Divergence when the computation leaves the finite numbers.
  virtual Update update(const Task& task) = 0;

  // What follows the upload, once the server has given its verdict: the paper's pipelined distillation. Not folded:
  // forget. `as_sent` is the update as the server received it. It may differ from what update() returned, because a
  // codec or added noise stood in between, and the agent must keep what the server counts. It is empty when the round
  // ended without an update. When it throws Divergence the state is what it was before the update, though the server
  // holds the update: the agent's data then counts once more than its factor knows. The round's record says so.
  virtual void settle(const Verdict& verdict, const Update& as_sent) = 0;

  virtual std::string save() const = 0;
  virtual void restore(const std::string& bytes) = 0;

  // How many numbers the state holds now: for the memory that the paper speaks of.
  virtual Index state_size() const = 0;
};

// The half that has the belief.
class ServerSide {
 public:
  virtual ~ServerSide() = default;

  // The tasks of a round for these agents. Changes nothing: a round may be planned again.
  virtual std::vector<Task> plan(Index round, const std::vector<Index>& agents) const = 0;

  // Why this update cannot be folded, or nothing: shapes and finite values, checked before it touches the belief.
  virtual std::string objection(const Update& update) const = 0;

  // The same for the answer to a task: what was given to another agent is not this one's to send back.
  virtual std::string answer_objection(const Update& update, const Task& task) const;

  // What an update without objection means, where what travels is a code of it: its size is judged by that. Nothing: it
  // travels as it is.
  virtual std::optional<Belief> decoded(const Update& update) const;

  // Takes in the updates of a round, sorted by agent, at least one, all without objection. Returns a verdict for each.
  // Strong guarantee: an exception (Divergence) leaves the server as it was.
  virtual std::vector<Verdict> fold(Index round, const std::vector<Update>& updates) = 0;

  // Why the last fold left this agent's update out (its verdict is not folded), for the round's record.
  virtual std::string why_left_out(Index agent) const;

  // How to fold a sum of updates without seeing its parts, for methods whose fold is one; null: this server must see
  // every update.
  virtual SumFold* sum_fold() { return nullptr; }

  // What the server itself can say of the round it folded last, for the round's record (a step size, say).
  virtual std::map<std::string, double> figures() const { return {}; }

  // The particles (or the one point) to predict with.
  virtual Particles particles() const = 0;
  // Those that agents start from, where a method predicts with others (their running mean, say).
  virtual Particles working_particles() const { return particles(); }

  // log q at the rows of theta, where the belief is a density by itself (the Gaussian of PVI). Empty: the particles'
  // KDE stands for it.
  virtual DoubleVector log_density(const ConstMatrixRef& theta) const;

  virtual std::string save() const = 0;
  virtual void restore(const std::string& bytes) = 0;
};

// A matrix of what was sent, for agents that keep it. Throws InvalidArgument when it is missing or not of the shape
// that was computed: the transport then passed on something else.
const Matrix& sent_part(const Update& as_sent, std::size_t part, const Matrix& computed);

// The shapes of `update` must be those of `expected`, its values finite: the objection most servers have.
std::string objection_to(const Update& update, const Belief& expected);

}  // namespace fedstein
