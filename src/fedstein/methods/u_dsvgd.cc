// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/u_dsvgd.h"

#include "fedstein/methods/particles/replace_server.h"
#include "fedstein/methods/particles/signed_sum.h"

namespace fedstein {

std::unique_ptr<Score> BufferFactor::score() const {
  auto t_k = std::make_unique<SignedSum>();
  for (const LocalRound& round : rounds_) {
    auto [after, before] = posteriors(round);
    t_k->append(+1, std::move(after));
    t_k->append(-1, std::move(before));
  }
  return t_k;
}

// Two matrices a round; q(0) is the prior and needs no particles: an empty one stands for it.
std::vector<Matrix> BufferFactor::memory() const {
  std::vector<Matrix> memory;
  for (const LocalRound& round : rounds_) {
    memory.push_back(round.version == 0 ? Matrix() : round.before);
    memory.push_back(round.after);
  }
  return memory;
}

void BufferFactor::recall(std::vector<Matrix> memory, Index particles) {
  if (memory.size() % 2 != 0) throw BadState("saved state: a buffer has 2 matrices a round");
  for (std::size_t i = 0; i < memory.size(); ++i) {
    if (i % 2 == 1 || memory[i].size() > 0) expect_shape(memory[i], particles, model().dimension());
  }
  rounds_.clear();
  for (std::size_t i = 0; i < memory.size(); i += 2) {
    const Index version = memory[i].size() == 0 ? 0 : 1;
    rounds_.push_back({0, version, std::move(memory[i]), std::move(memory[i + 1])});
  }
}

Algorithm u_dsvgd_algorithm(const ParticleExtras& extras) {
  return {
      .name = "u-dsvgd",
      .summary = "DSVGD whose agents keep the particles of every round: exact factors, but growing memory",
      .settings = particle_settings(),
      .make_server =
          [extras](const ServerContext& context, const Settings& settings) {
            return make_replace_server(context, extras.in(particle_options(settings)));
          },
      .make_agent =
          [extras](const AgentContext& context, const Settings& settings) {
            const ParticleOptions options = extras.in(particle_options(settings));
            return std::make_unique<DsvgdAgent>(
                context, options, std::make_unique<BufferFactor>(*context.model, options));
          },
  };
}

}  // namespace fedstein
