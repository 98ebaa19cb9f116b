// SPDX-License-Identifier: Apache-2.0
// Every algorithm on every model: what it claims to serve it does serve, and the rest it refuses with its sentence.
#include <gtest/gtest.h>

#include <map>

#include "fedstein/federated/state.h"
#include "fedstein/methods/registry.h"
#include "fedstein/numeric/check.h"
#include "fedstein/numeric/parallel.h"
#include "methods/model_worlds.h"
#include "methods/toy_federation.h"
#include "methods/traffic.h"
#include "support/close.h"
#include "support/throws.h"

namespace fedstein {
namespace {

// The claims: part of the sentence with which a method refuses a model. What is not here is served.
const std::map<std::string, std::map<std::string, std::string>>& refusals() {
  const std::string curvature = "second derivatives are not known";
  const std::string box = "uniform on a box";
  const std::string prediction = "predicts neither classes nor a target";
  const std::string network = "whose first weights are not drawn from its prior";
  static const std::map<std::string, std::map<std::string, std::string>> all = {
      {"npv",
       {{"robust_logistic", curvature},
        {"bnn_regression", curvature},
        {"bnn_classification", curvature},
        {"negative_binomial", curvature},
        {"mixture_1d_uniform", box}}},
      {"pvi", {{"mixture_1d_uniform", box}}},
      {"gvi", {{"mixture_1d_uniform", box}}},
      {"fedep", {{"mixture_1d_uniform", box}}},
      {"pmd", {{"bnn_regression", network}, {"bnn_classification", network}}},
      {"fedbe",
       {{"mixture_1d", prediction},
        {"mixture_1d_uniform", prediction},
        {"mixture_2d", prediction},
        {"conjugate", prediction}}},
  };
  return all;
}

using Case = std::tuple<std::string, std::string>;  // algorithm, model

class EveryModel : public testing::TestWithParam<Case> {
 protected:
  EveryModel() {
    for (World& world : worlds()) {
      if (world.name == std::get<1>(GetParam())) world_ = std::move(world);
    }
    check_argument(world_.model != nullptr, "EveryModel", "no such model");
  }

  const Algorithm& algorithm() const { return algorithm_named(std::get<0>(GetParam())); }
  Index agents() const { return algorithm().centralised ? 1 : world_.agents; }

  // The sentence expected, or nothing where the model is served.
  std::string refusal() const {
    const auto method = refusals().find(algorithm().name);
    if (method == refusals().end()) return {};
    const auto model = method->second.find(world_.name);
    return model == method->second.end() ? "" : model->second;
  }

  Federation federation() const {
    Settings settings(algorithm().settings);
    for (const std::string steps : {"local_steps", "distillation_steps", "server_steps", "surrogate_steps"}) {
      if (settings.has(steps)) settings.set(steps, Index{8});
    }
    if (settings.has("batch")) settings.set("batch", Index{7});
    if (settings.has("distillation_epochs")) settings.set("distillation_epochs", Index{2});
    const std::vector<Batch> shards =
        algorithm().centralised ? std::vector<Batch>{{world_.x, world_.y}} : world_.shards();
    return Federation(algorithm(), settings, *world_.model, shards, {5, &world_.x});
  }

  // Rounds first .. last, one agent at a time or, where the method can, two.
  Recorder run(Federation& federation, Index first, Index last) const {
    InProcessTransport transport(federation.agent_pointers());
    Recorder recorder;
    const RoundRobin in_turn(agents());
    const ListedSchedule pairs({{0, 1}});
    const Scheduler& scheduler = algorithm().parallel ? static_cast<const Scheduler&>(pairs) : in_turn;
    coordinate(federation.server(), scheduler, transport, recorder, {.first_round = first, .rounds = last});
    for (const RoundRecord& record : recorder.records) {
      for (const Failure& failure : record.failures) ADD_FAILURE() << failure.agent << " " << failure.reason;
      EXPECT_EQ(record.folded, record.scheduled);
    }
    return recorder;
  }

  World world_;
};

TEST_P(EveryModel, IsServedOrRefusedAtOnce) {
  const std::string sentence = algorithm().objection ? algorithm().objection(*world_.model) : "";
  if (refusal().empty()) {
    EXPECT_EQ(sentence, "");
    return;
  }
  EXPECT_THAT(sentence, testing::HasSubstr(refusal()));
  EXPECT_THROW_MESSAGE(federation(), InvalidArgument, algorithm().name + ": " + sentence);
}

TEST_P(EveryModel, TwoRoundsMoveItAndCostWhatTheyShould) {
  if (!refusal().empty()) return;
  Federation federation = this->federation();
  const Particles start = federation.server().particles();
  const Recorder recorder = run(federation, 1, 2);
  ASSERT_EQ(recorder.records.size(), 2U);
  // An agent's first round of c-dsvgd measures, and moves nothing but starts that a model adapts; Mime's asks for
  // gradients.
  if (algorithm().name != "c-dsvgd" && algorithm().name != "mime") {
    EXPECT_FALSE(identical(recorder.particles.front(), start));
  }
  EXPECT_FALSE(identical(recorder.particles.back(), recorder.particles.front()));
  EXPECT_TRUE(recorder.particles.back().allFinite());

  const Traffic traffic = traffic_of(algorithm().name, {start.rows(), start.cols(), agents()});
  for (const RoundRecord& record : recorder.records) {
    const auto sent = static_cast<Index>(record.scheduled.size() * sizeof(Real));
    EXPECT_EQ(record.bytes_down, traffic.down * sent);
    // The same agents take part in both rounds: the first has everybody's first update.
    EXPECT_EQ(record.bytes_up, (traffic.up + (record.round == 1 ? traffic.up_once : 0)) * sent);
  }
}

TEST_P(EveryModel, SavedAndRestoredContinuesToTheBit) {
  if (!refusal().empty()) return;
  Federation undisturbed = federation();
  const Recorder expected = run(undisturbed, 1, 2);
  Federation before = federation();
  run(before, 1, 1);
  const std::string saved = before.save();
  Federation after = federation();
  after.restore(saved);
  EXPECT_EQ(after.save(), saved);
  EXPECT_TRUE(identical(run(after, 2, 2).particles.back(), expected.particles.back()));
  EXPECT_EQ(after.save(), undisturbed.save());
}

TEST_P(EveryModel, DoesNotDependOnTheNumberOfThreads) {
  if (!refusal().empty()) return;
  std::string serial;
  {
    const ThreadLimit one(1);
    Federation federation = this->federation();
    run(federation, 1, 2);
    serial = federation.save();
  }
  const ThreadLimit several(4);
  Federation federation = this->federation();
  run(federation, 1, 2);
  EXPECT_EQ(federation.save(), serial);
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const Algorithm& algorithm : algorithms()) {
    for (const World& world : worlds()) all.emplace_back(algorithm.name, world.name);
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryModel, testing::ValuesIn(cases()), [](const auto& variant) {
  std::string name = std::get<0>(variant.param) + "_on_" + std::get<1>(variant.param);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace fedstein
