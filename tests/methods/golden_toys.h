// SPDX-License-Identifier: Apache-2.0
// Golden kinds `toy1d` and `toy1d_parallel`: whole federations against an independent program.
#pragma once

#include <gtest/gtest.h>

#include "fedstein/methods/dsvgd.h"
#include "fedstein/methods/p_dsvgd.h"
#include "fedstein/methods/particles/replace_server.h"
#include "fedstein/methods/u_dsvgd.h"
#include "golden/golden_files.h"
#include "methods/toy_federation.h"
#include "support/close.h"

namespace fedstein {

inline GaussianMixture golden_mixture(const Json& golden) {
  const auto normal = [](double mean, double variance) {
    return Gaussian{DoubleVector::Constant(1, mean), DoubleMatrix::Constant(1, 1, variance)};
  };
  std::vector<GaussianMixture::Factor> factors;
  for (const Json& likelihood : golden.at("likelihoods")) {
    GaussianMixture::Factor factor;
    for (const Json& c : likelihood) {
      factor.push_back({c[0].get<double>(), normal(c[1].get<double>(), c[2].get<double>())});
    }
    factors.push_back(factor);
  }
  if (golden.at("prior") != "normal(0,1)") throw std::runtime_error("golden toy with an unknown prior");
  return GaussianMixture(normal(0, 1), factors);
}

inline ParticleOptions golden_particle_options(const Json& golden) {
  ParticleOptions options;
  options.given_start = real_matrix(golden.at("start"));
  options.local_steps = golden.at("local_steps").get<Index>();
  options.learning_rate = golden.at("lr").get<double>();
  options.epsilon = golden.at("eps").get<double>();
  options.momentum = golden.at("momentum").get<double>();
  options.kde_bandwidth = golden.at("kde_bandwidth").get<double>();
  return options;
}

inline void expect_golden_rounds(const Json& golden,
                                 ServerSide& server,
                                 const Scheduler& scheduler,
                                 const std::vector<std::unique_ptr<AgentSide>>& agents) {
  std::vector<AgentSide*> pointers;
  for (const auto& agent : agents) pointers.push_back(agent.get());
  InProcessTransport transport(pointers);
  Recorder recorder;
  const auto rounds = static_cast<Index>(golden.at("particles").size());
  coordinate(server, scheduler, transport, recorder, {.rounds = rounds});
  for (std::size_t round = 0; round < recorder.particles.size(); ++round) {
    EXPECT_TRUE(close(recorder.particles[round], golden_matrix(golden.at("particles")[round]), kIteratedTolerance))
        << "round " << round + 1;
  }
}

inline void check_toy1d(const Json& golden) {
  const GaussianMixture model = golden_mixture(golden);
  const FactorShards shards(model);
  const auto method = golden.at("method").get<std::string>();
  ParticleOptions options = golden_particle_options(golden);
  if (method == "dsvgd_reference") options.kernel_bandwidth = "original";
  DistillationOptions distillation;
  distillation.kind = method == "u_dsvgd" ? "" : method.substr(6);  // dsvgd_score -> score
  distillation.steps = options.local_steps;
  if (golden.contains("ridge")) distillation.ridge = golden.at("ridge").get<double>();

  std::vector<std::unique_ptr<AgentSide>> agents;
  for (const Batch& shard : shards.per_agent()) {
    const AgentContext context{.model = &model, .data = shard, .agent = static_cast<Index>(agents.size())};
    auto factor = method == "u_dsvgd" ? std::make_unique<BufferFactor>(model, options)
                                      : make_factor(model, options, distillation, options.given_start);
    agents.push_back(std::make_unique<DsvgdAgent>(context, options, std::move(factor)));
  }
  ReplaceServer server(options.given_start);
  expect_golden_rounds(golden, server, RoundRobin(static_cast<Index>(agents.size())), agents);
}

inline void check_toy1d_parallel(const Json& golden) {
  const GaussianMixture model = golden_mixture(golden);
  const FactorShards shards(model);
  PDsvgdSetup options{golden_particle_options(golden), golden.at("fold").get<std::string>()};
  options.server_steps = golden.at("server_steps").get<Index>();
  options.distillation.ridge = golden.at("ridge").get<double>();
  ASSERT_EQ(golden.at("damping"), "1/|S|");

  std::vector<std::unique_ptr<AgentSide>> agents;
  for (const Batch& shard : shards.per_agent()) {
    const AgentContext context{.model = &model, .data = shard, .agent = static_cast<Index>(agents.size())};
    agents.push_back(std::make_unique<PDsvgdAgent>(context, options));
  }
  PDsvgdServer server({.model = &model}, options);
  const ListedSchedule schedule(golden.at("agents_by_round").get<std::vector<std::vector<Index>>>());
  expect_golden_rounds(golden, server, schedule, agents);
}

}  // namespace fedstein
