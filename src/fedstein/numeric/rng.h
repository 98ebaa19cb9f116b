// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "fedstein/numeric/matrix.h"

namespace fedstein {

// What a stream of random numbers is for. The values are part of every result: append, never renumber.
enum class Purpose : std::uint64_t {
  kPriorDraw = 1,       // initial particles
  kMinibatch = 2,       // which rows a local step sees
  kNoise = 3,           // Langevin noise
  kSplit = 4,           // train and test rows
  kPartition = 5,       // rows to agents
  kSchedule = 6,        // agents to rounds
  kInitialisation = 7,  // network weights
  kGenerator = 8,       // synthetic data
  kReparameterisation = 9,
  kValidation = 10,    // rows that an agent keeps back
  kRepulsion = 11,     // at which inputs predictions repel each other
  kUnseen = 12,        // rows of a kind that nobody learned from
  kFeatureNoise = 13,  // what an agent's instruments add to its rows
  kTest = 1000,
};

// Names one stream; different names give independent streams, whatever the order of drawing and the thread.
struct StreamId {
  std::uint64_t seed = 0;
  std::uint64_t agent = 0;
  std::uint64_t round = 0;
  Purpose purpose = Purpose::kTest;
};

// A stream of random numbers: Philox 4x64-10 (Salmon et al. 2011) with key (seed, purpose) and counter (block, step,
// round, agent). Nothing is global: the same name gives the same numbers on any machine with IEEE arithmetic and the
// same libm. The transforms below are our own because those of <random> differ between standard libraries.
class Rng {
 public:
  using result_type = std::uint64_t;

  explicit Rng(const StreamId& id, std::uint64_t step = 0) : id_(id), step_(step) {}

  // The stream of one step inside this one's round, from its beginning.
  Rng at_step(std::uint64_t step) const { return Rng(id_, step); }

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }
  result_type operator()();

  // In the open interval (0, 1): its logarithm is always finite.
  double uniform();
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  // In 0 .. bound-1, without bias; bound >= 1.
  std::uint64_t below(std::uint64_t bound);
  // Standard normal, by Box and Muller; values come in pairs.
  double normal();
  // Gamma(shape, scale), mean shape * scale, by Marsaglia and Tsang (2000).
  double gamma(double shape, double scale);

  void fill_normal(MatrixRef out, double mean = 0, double deviation = 1);
  // 0 .. count-1 in random order, by Fisher and Yates.
  std::vector<Index> permutation(Index count);

 private:
  void refill();

  StreamId id_;
  std::uint64_t step_;
  std::uint64_t block_ = 0;
  std::array<std::uint64_t, 4> words_{};
  std::size_t next_word_ = 4;
  double spare_normal_ = 0;
  bool has_spare_ = false;
};

}  // namespace fedstein
