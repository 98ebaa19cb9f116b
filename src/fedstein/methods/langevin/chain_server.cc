// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/langevin/chain_server.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "fedstein/federated/state.h"
#include "fedstein/numeric/check.h"
#include "fedstein/numeric/parallel.h"
#include "fedstein/numeric/rng.h"

namespace fedstein {
namespace {

// Stands for the server where a stream is named by an agent: the scheduler's own draws go by agent 0.
constexpr std::uint64_t kServerStream = std::numeric_limits<std::uint64_t>::max();

std::size_t at(Index index) {
  return static_cast<std::size_t>(index);
}

Index number_in(const Matrix& numbers, Index row) {
  return static_cast<Index>(numbers(row, 0));
}

}  // namespace

ChainServer::ChainServer(Particles start, Index agents, std::uint64_t seed)
    : chains_(std::move(start)), turns_(at(chains_.rows()), 0), agents_(agents), seed_(seed) {
  check_argument(agents >= 1, "ChainServer", "agents is " + std::to_string(agents) + "; it must be at least 1");
  // Chain numbers travel as Real.
  check_argument(
      static_cast<double>(static_cast<Real>(chains_.rows())) == static_cast<double>(chains_.rows()),
      "ChainServer",
      [&] { return std::to_string(chains_.rows()) + " chains; their number must be exact as " + kRealName; });
}

std::vector<Task> ChainServer::plan(Index round, const std::vector<Index>& agents) const {
  check_argument(!agents.empty(), "plan", "no agents are scheduled; at least 1 is needed");
  Rng rng({.seed = seed_,
           .agent = kServerStream,
           .round = static_cast<std::uint64_t>(round),
           .purpose = Purpose::kSchedule});
  std::vector<Index> order = rng.permutation(chains_.rows());
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return turns_[at(a)] < turns_[at(b)]; });

  const auto count = static_cast<Index>(agents.size());
  const Index dealt = std::min(chains_.rows(), count * pieces(chains_.rows(), agents_));
  const std::vector<Index> seats = rng.permutation(count);
  std::vector<Task> tasks;
  Index next = 0;
  for (Index seat = 0; seat < count; ++seat) {
    const Index share = dealt / count + (seat < dealt % count ? 1 : 0);
    if (share == 0) break;
    Task task{.round = round,
              .agent = agents[at(seats[at(seat)])],
              .version = turns_[at(order[at(next)])],
              .belief = {Matrix(share, chains_.cols()), Matrix(share, 1)},
              .verdict = {}};
    for (Index m = 0; m < share; ++m, ++next) {
      task.belief[0].row(m) = chains_.row(order[at(next)]);
      task.belief[1](m, 0) = static_cast<Real>(order[at(next)]);
    }
    tasks.push_back(std::move(task));
  }
  std::sort(tasks.begin(), tasks.end(), [](const Task& a, const Task& b) { return a.agent < b.agent; });
  return tasks;
}

std::string ChainServer::objection(const Update& update) const {
  if (update.belief.size() != 2) return std::to_string(update.belief.size()) + " matrices, expected 2";
  const Index most = std::min(chains_.rows(), pieces(chains_.rows(), agents_));
  const Index count = update.belief[0].rows();
  if (count < 1 || count > most) {
    return std::to_string(count) + " chains, expected 1 to " + std::to_string(most);
  }
  const Belief expected = {Matrix::Zero(count, chains_.cols()), Matrix::Zero(count, 1)};
  if (std::string complaint = objection_to(update, expected); !complaint.empty()) return complaint;

  std::vector<bool> seen(turns_.size(), false);
  for (Index m = 0; m < count; ++m) {
    const auto number = static_cast<double>(update.belief[1](m, 0));
    if (!(number >= 0) || number >= static_cast<double>(chains_.rows()) || number != std::floor(number)) {
      return "chain number " + to_text(number) + ", expected an integer from 0 to " +
             std::to_string(chains_.rows() - 1);
    }
    const Index chain = number_in(update.belief[1], m);
    if (seen[at(chain)]) return "chain " + std::to_string(chain) + " is there twice";
    seen[at(chain)] = true;
  }
  return {};
}

std::string ChainServer::answer_objection(const Update& update, const Task& task) const {
  if (std::string complaint = objection(update); !complaint.empty()) return complaint;
  const Matrix& dealt = task.belief[1];
  const Matrix& sent = update.belief[1];
  for (Index m = 0; m < sent.rows(); ++m) {
    bool is_its = false;
    for (Index n = 0; n < dealt.rows(); ++n) is_its = is_its || dealt(n, 0) == sent(m, 0);
    if (!is_its) return "chain " + std::to_string(number_in(sent, m)) + " was not dealt to this agent";
  }
  return {};
}

std::vector<Verdict> ChainServer::fold(Index round, const std::vector<Update>& updates) {
  Particles chains = chains_;
  std::vector<Index> turns = turns_;
  std::vector<bool> taken(turns.size(), false);
  std::vector<Verdict> verdicts;
  for (const Update& update : updates) {
    const Matrix& numbers = update.belief[1];
    bool free = true;
    for (Index m = 0; m < numbers.rows(); ++m) free = free && !taken[at(number_in(numbers, m))];
    verdicts.push_back({.round = round, .agent = update.agent, .folded = free, .weight = free ? 1.0 : 0.0});
    if (!free) continue;
    for (Index m = 0; m < numbers.rows(); ++m) {
      const Index chain = number_in(numbers, m);
      taken[at(chain)] = true;
      chains.row(chain) = update.belief[0].row(m);
      ++turns[at(chain)];
    }
  }
  chains_.swap(chains);
  turns_.swap(turns);
  return verdicts;
}

std::string ChainServer::save() const {
  StateWriter writer("chain server");
  writer.matrix(chains_);
  for (const Index turns : turns_) writer.integer(turns);
  return std::move(writer).finish();
}

void ChainServer::restore(const std::string& bytes) {
  StateReader reader(bytes, "chain server");
  Matrix chains = reader.matrix();
  if (const std::string complaint = objection_to({0, 0, {chains}}, {chains_}); !complaint.empty()) {
    throw BadState("saved state: " + complaint);
  }
  std::vector<Index> turns(turns_.size());
  for (Index& count : turns) {
    count = reader.integer();
    if (count < 0) throw BadState("saved state: a chain with " + std::to_string(count) + " turns");
  }
  reader.finish();
  chains_ = std::move(chains);
  turns_ = std::move(turns);
}

}  // namespace fedstein
