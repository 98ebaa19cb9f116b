// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "fedstein/algorithm/algorithm.h"
#include "fedstein/federated/coordinator.h"

namespace fedstein {

struct FederationOptions {
  std::uint64_t seed = 1;
  const Matrix* unlabelled = nullptr;  // borrowed; see ServerContext
};

// Sees every round as an Observer does: may add figures to the record, may stop the run.
using RoundCallback = std::function<Next(RoundRecord& record, const Particles& particles)>;

struct RunOptions {
  Index rounds = 10;                     // how many more, from where the federation stands
  const Scheduler* scheduler = nullptr;  // borrowed; null: usual_scheduler()
  int retries = 0;                       // how often a round that nobody answered well is tried again
  RoundCallback on_round = {};
  bool keep_records = true;  // false: the summary has none, for runs of very many rounds
};

struct RunSummary {
  std::vector<RoundRecord> records = {};  // of this run's rounds, with the figures that observers added
  Index rounds = 0;                       // that were done
  bool stopped = false;                   // an observer asked for it
  // Rounds that took nobody's update in, because every agent failed or was refused: they changed nothing.
  Index lost_rounds = 0;
  std::string loss = {};  // why, of the last one

  // All of it in one sentence.
  std::string message() const;
};

// A whole federation in this process: an algorithm's server and its agents, each with its own rows.
//
//   const LogisticRegression model(54);
//   Federation federation(methods::dsvgd({.particles = 30}), model, shards, {.seed = 1});
//   federation.run({.rounds = 10});
//   federation.particles();
//
// The algorithm is copied. The model and the rows that the shards point at are borrowed: they must live as long as the
// federation. A model that is a temporary does not compile.
class Federation {
 public:
  // shards: the rows of each agent; a centralised algorithm takes exactly one, all the data.
  Federation(const Algorithm& algorithm,
             const Model& model,
             const std::vector<Batch>& shards,
             const FederationOptions& options = {});
  // With settings of the algorithm other than its defaults.
  Federation(const Algorithm& algorithm,
             const Settings& settings,
             const Model& model,
             const std::vector<Batch>& shards,
             const FederationOptions& options = {});
  Federation(const Algorithm&, const Model&&, const std::vector<Batch>&, const FederationOptions& = {}) = delete;
  Federation(const Algorithm&,
             const Settings&,
             const Model&&,
             const std::vector<Batch>&,
             const FederationOptions& = {}) = delete;

  // Does the next rounds and returns what there is to say about them. A second call goes on where the first ended. An
  // agent that fails does not end a run: look at lost_rounds, or print message().
  RunSummary run(const RunOptions& options = {});
  // The same, watched. The observer sees a round before options.on_round does.
  RunSummary run(const RunOptions& options, Observer& observer);

  // What the server predicts with now.
  Particles particles() const { return server_->particles(); }
  // Rounds done so far, those before restore() included.
  Index rounds() const { return rounds_; }

  ServerSide& server() { return *server_; }
  AgentSide& agent(Index k) { return *agents_.at(static_cast<std::size_t>(k)); }
  Index agents() const { return static_cast<Index>(agents_.size()); }
  std::vector<AgentSide*> agent_pointers() const;

  // Everything, saved and restored exactly; between rounds. What is restored must come from a federation of the same
  // method, seed and shards, in the same order: shapes are checked, rows are not. Bytes of an earlier version of
  // fedstein do not say how many rounds were done; rounds() is then `rounds_before`.
  std::string save() const;
  void restore(const std::string& bytes, Index rounds_before = 0);

 private:
  RunSummary run_watched(const RunOptions& options, Observer* observer);

  bool several_a_round_;
  std::unique_ptr<ServerSide> server_;
  std::vector<std::unique_ptr<AgentSide>> agents_;
  Index rounds_ = 0;
};

// Who takes part where nobody says otherwise: all agents at once if the algorithm can take several a round, else one
// after the other.
std::unique_ptr<Scheduler> usual_scheduler(bool several_a_round, Index agents);

}  // namespace fedstein
