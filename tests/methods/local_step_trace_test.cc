// SPDX-License-Identifier: Apache-2.0
// The trace of the local steps: complete for every particle method, and without effect on what it watches.
#include "methods/local_step_trace.h"

#include <gtest/gtest.h>

#include "fedstein/methods/p_dsvgd.h"
#include "fedstein/methods/particles/p_dsvgd_paper.h"
#include "fedstein/methods/svgd.h"
#include "fedstein/methods/u_dsvgd.h"
#include "fedstein/numeric/check.h"
#include "methods/toy_federation.h"
#include "support/close.h"
#include "support/throws.h"

namespace fedstein {
namespace {

constexpr double kLambda = 0.55;
constexpr Index kSteps = 7;

class Traced : public testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<AgentSide> agent(Index k, const LocalTrace& trace) const {
    const AgentContext context{.model = &model_, .data = shards_.per_agent()[static_cast<std::size_t>(k)], .agent = k};
    PDsvgdSetup options;
    options.local_steps = kSteps;
    options.given_start = start_;
    options.trace = trace;
    if (GetParam() == "svgd") return std::make_unique<SvgdAgent>(context, options);
    if (GetParam() == "p-dsvgd") return std::make_unique<PDsvgdAgent>(context, options);
    options.distillation.kind = "svgd";
    if (GetParam() == "p-dsvgd paper") return std::make_unique<PDsvgdPaperAgent>(context, options);
    return std::make_unique<DsvgdAgent>(context, options, std::make_unique<BufferFactor>(model_, options));
  }

  GaussianMixture model_ = toy_mixture_1d(ToyPrior::kNormal);
  FactorShards shards_{model_};
  Particles start_{{-1.5_r}, {-0.2_r}, {0.4_r}, {1.1_r}, {2.0_r}};
  PosteriorGrid grid_{model_, shards_.all(), {{.low = -9, .high = 9, .cells = 300}}};
};

TEST_P(Traced, EveryAgentsStepsOnceAndTheResultUnchanged) {
  LocalStepTrace trace(grid_, kLambda);
  for (const Index k : {0, 1}) {
    const auto watched = agent(k, trace.hook()), plain = agent(k, {});
    for (Index round = 1; round <= 2; ++round) {
      const Task task{.round = round, .agent = k, .version = round - 1, .belief = {start_}, .verdict = {}};
      const Update sent = watched->update(task);
      EXPECT_TRUE(identical(sent.belief.front(), plain->update(task).belief.front()));
      // Asked again, as after a lost reply: nothing is counted twice.
      watched->update(task);
      for (AgentSide* side : {watched.get(), plain.get()}) side->settle({round, k, true, 1}, sent);
    }
  }
  const std::vector<LocalStep> steps = trace.steps();
  ASSERT_EQ(steps.size(), static_cast<std::size_t>(2 * 2 * kSteps));
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto at = static_cast<Index>(i);
    EXPECT_EQ(steps[i].round, at / (2 * kSteps) + 1);
    EXPECT_EQ(steps[i].agent, at / kSteps % 2);
    // The centralised loop counts on over the rounds.
    const Index before = GetParam() == "svgd" ? (steps[i].round - 1) * kSteps : 0;
    EXPECT_EQ(steps[i].step, before + at % kSteps);
    const bool loop_goes_on = at % kSteps + 1 < kSteps;
    if (loop_goes_on) {
      EXPECT_EQ(steps[i].next_free_energy, steps[i + 1].free_energy);
    }
    EXPECT_GT(steps[i].divergence, 0);
    EXPECT_GT(steps[i].discrepancy, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Methods,
                         Traced,
                         testing::Values("svgd", "u-dsvgd", "p-dsvgd", "p-dsvgd paper"),
                         [](const auto& variant) {
                           std::string name = variant.param;
                           std::erase_if(name, [](char c) { return c == '-' || c == ' '; });
                           return name;
                         });

TEST(LocalStepTrace, RefusesABandwidthOfZero) {
  const GaussianMixture model = toy_mixture_1d(ToyPrior::kNormal);
  const FactorShards shards(model);
  const PosteriorGrid grid(model, shards.all(), {{.low = -9, .high = 9, .cells = 30}});
  EXPECT_THROW_MESSAGE(LocalStepTrace(grid, 0), InvalidArgument, "kde_bandwidth");
}

}  // namespace
}  // namespace fedstein
