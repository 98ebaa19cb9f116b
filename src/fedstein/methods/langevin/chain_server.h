// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fedstein/federated/sides.h"

namespace fedstein {

// The server of the samplers whose chains travel: it owns N chains, lends each agent of a round some of them, and puts
// back what returns.
//
// Dealing. With K agents one turn is c = ceil(N/K) chains. A round deals the chains with the fewest turns so far, in an
// order drawn anew for the round: no two chains are ever more than one turn apart, and over the rounds every chain
// meets every agent. (In a fixed order it would not: with K = N and agents in turn, chain k would see agent k's data
// for ever.) Several agents get different chains; where there are not c for each, they share the N evenly, and where
// there are more agents than chains, N of them drawn at random get one and the others no task. Lost chains keep their
// turn.
//
// Task and update are { chains (m x d), their numbers (m x 1) }, m <= c: the numbers come back with the chains because
// a server that has been restarted in mid-round no longer knows whom it lent what.
class ChainServer : public ServerSide {
 public:
  ChainServer(Particles start, Index agents, std::uint64_t seed);

  // The version of a task is the fewest turns among its chains.
  std::vector<Task> plan(Index round, const std::vector<Index>& agents) const override;
  std::string objection(const Update& update) const override;
  std::string answer_objection(const Update& update, const Task& task) const override;
  // Of two agents that return the same chain the second is not folded.
  std::vector<Verdict> fold(Index round, const std::vector<Update>& updates) override;
  Particles particles() const override { return chains_; }
  std::string save() const override;
  void restore(const std::string& bytes) override;

  // How often each chain has been advanced.
  const std::vector<Index>& turns() const { return turns_; }

 private:
  Particles chains_;          // N x d
  std::vector<Index> turns_;  // N
  Index agents_;              // K
  std::uint64_t seed_;
};

}  // namespace fedstein
