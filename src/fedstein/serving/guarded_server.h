// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "fedstein/federated/sides.h"
#include "fedstein/model/model.h"

namespace fedstein {

// A server side that never takes in a belief with which nobody could compute: one of numbers so large that the model's
// own densities overflow. Every update of such a round passes its checks and the fold is finite; the next agent that
// evaluates it fails. Here the fold is taken back, and tried again without the updates that are of no use by
// themselves, or without the one whose absence mends it; what is left out is dropped. When nothing can be folded that
// way the round ends without a change, as for any Divergence.
//
// All else is the inner side's.
class GuardedServer : public ServerSide {
 public:
  // Borrows the model.
  GuardedServer(std::unique_ptr<ServerSide> inner, const Model& model) : inner_(std::move(inner)), model_(model) {}

  std::vector<Task> plan(Index round, const std::vector<Index>& agents) const override {
    return inner_->plan(round, agents);
  }
  std::string objection(const Update& update) const override { return inner_->objection(update); }
  std::string answer_objection(const Update& update, const Task& task) const override {
    return inner_->answer_objection(update, task);
  }
  std::optional<Belief> decoded(const Update& update) const override { return inner_->decoded(update); }
  std::vector<Verdict> fold(Index round, const std::vector<Update>& updates) override;
  std::string why_left_out(Index agent) const override { return inner_->why_left_out(agent); }
  std::map<std::string, double> figures() const override { return inner_->figures(); }
  Particles particles() const override { return inner_->particles(); }
  Particles working_particles() const override { return inner_->working_particles(); }
  DoubleVector log_density(const ConstMatrixRef& theta) const override { return inner_->log_density(theta); }
  std::string save() const override { return inner_->save(); }
  void restore(const std::string& bytes) override { inner_->restore(bytes); }

 private:
  // Folds and looks at the outcome; nothing: the inner side is as it was, and `reason_` says why.
  std::optional<std::vector<Verdict>> try_to_fold(Index round, const std::vector<Update>& updates);

  std::unique_ptr<ServerSide> inner_;
  const Model& model_;
  std::string reason_;
};

// Why nobody could compute with these particles under this model; empty: it can be done.
std::string objection_to_particles(const Model& model, const Particles& particles);

}  // namespace fedstein
