// SPDX-License-Identifier: Apache-2.0
// A local round of DSVGD as the peers in $FEDSTEIN_PEERS run it: L tilted steps, L' steps of the paper's distillation.
// Usage: fedstein-race [--runs R] SCENARIO.json...   One JSON line per scenario; status 1 when a result is wrong.
//
// Operations counted per step, N particles in d dimensions, a multiply and an add being two; only those that a matrix
// product can do, so that the share of the GEMM rate is what the rest leaves:
//
//   distances of the kernel   N^2 d        half of a product x x^T
//   direction                 2 N^2 d      K (s - 2/h x)
//   a KDE                     4 N^2 d      distances to its centres, weights by centres
//   tilted step               likelihood + kernel and direction + 2 KDEs
//   distillation step         kernel and direction + 3 KDEs
//
// With many particles the program skips weights of a KDE that are exactly zero, and this count does not know: the case
// svgd can come out above 100 %. With few (bnn, blr) nothing is skipped.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fedstein/methods/dsvgd.h"
#include "fedstein/model/likelihood_scores.h"
#include "fedstein/numeric/parallel.h"
#include "fedstein/stein/kde.h"
#include "fedstein/stein/svgd.h"
#include "gemm_rate.h"
#include "guarded.h"
#include "scenario.h"

namespace fedstein {
namespace {

constexpr double kBandwidth = 0.55;
constexpr double kTolerance = FEDSTEIN_REAL_IS_DOUBLE != 0 ? 1e-6 : 2e-3;

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

class StandardNormalScore : public Score {
 public:
  void add(const ConstMatrixRef& theta, Index, double weight, MatrixRef grad) const override {
    grad -= static_cast<Real>(weight) * theta;
  }
};

// The agent's likelihood in a round; rows drawn as a real round draws them.
std::unique_ptr<Score> likelihood(const Scenario& scenario, Index round) {
  if (!scenario.model) return std::make_unique<StandardNormalScore>();
  if (scenario.batch == 0) return std::make_unique<FullLikelihood>(*scenario.model, scenario.data());
  return std::make_unique<MinibatchLikelihood>(*scenario.model,
                                               scenario.data(),
                                               scenario.batch,
                                               StreamId{.seed = 1, .round = static_cast<std::uint64_t>(round)});
}

struct Times {
  double tilted = 0;
  double distillation = 0;
  double total() const { return tilted + distillation; }
};

// One round: moves q and t, as Algorithm 1 of the paper does.
Times round(const Scenario& scenario, const Score& loglik, double weight, Index steps, Particles& q, Particles& t) {
  const AdaGrad rule(scenario.step_rule);
  SvgdOptions options{.steps = steps, .step_rule = &rule};
  Times times;
  const Kde q_before(q, kBandwidth);
  const Kde t_before(t, kBandwidth);
  auto start = Clock::now();
  svgd(q, {{+1, q_before}, {-1, t_before}, {weight, loglik}}, options);
  times.tilted = seconds_since(start);
  const Kde q_after(q, kBandwidth);
  start = Clock::now();
  svgd(t, {{+1, q_after}, {-1, q_before}, {+1, t_before}}, options);
  times.distillation = seconds_since(start);
  return times;
}

// The short round, on the first rows only, against what an independent program found.
double check_argument(const Scenario& scenario) {
  Particles q = scenario.global_start;
  Particles t = scenario.local_start;
  if (scenario.batch == 0) {
    round(scenario, *likelihood(scenario, 0), 1, scenario.check_steps, q, t);
  } else {
    const FullLikelihood loglik(*scenario.model, scenario.data().middle_rows(0, scenario.batch));
    const double weight = static_cast<double>(scenario.x.rows()) / static_cast<double>(scenario.batch);
    round(scenario, loglik, weight, scenario.check_steps, q, t);
  }
  return std::max(deviation(scenario.expected_global, q), deviation(scenario.expected_local, t));
}

Times measure(const Scenario& scenario) {
  Particles q = scenario.global_start;
  Particles t = scenario.local_start;
  round(scenario, *likelihood(scenario, 0), 1, 2, q, t);  // warm
  q = scenario.global_start;
  t = q;  // as the peers begin
  Times sum;
  for (Index i = 0; i < scenario.rounds; ++i) {
    const Times one = round(scenario, *likelihood(scenario, i), 1, scenario.steps, q, t);
    sum.tilted += one.tilted;
    sum.distillation += one.distillation;
  }
  return {sum.tilted / static_cast<double>(scenario.rounds), sum.distillation / static_cast<double>(scenario.rounds)};
}

// The same round by the library's agent with score distillation: the second visit, the factor in place.
double score_round(const Scenario& scenario) {
  if (!scenario.model) return 0;
  const AgentContext context{
      .model = scenario.model.get(), .data = scenario.data(), .total_rows = scenario.x.rows(), .seed = 1, .agents = 1};
  const Algorithm algorithm = dsvgd_algorithm();
  Settings settings(algorithm.settings);
  settings.set("particles", scenario.particles);
  settings.set("local_steps", scenario.steps);
  if (scenario.batch > 0) settings.set("batch", scenario.batch);
  settings.set("learning_rate", scenario.step_rule.learning_rate);
  settings.set("epsilon", scenario.step_rule.epsilon);
  const auto agent = algorithm.make_agent(context, settings);
  Particles q = scenario.global_start;
  double seconds = 0;
  for (Index i = 1; i <= scenario.rounds + 1; ++i) {
    const auto start = Clock::now();
    Update update = agent->update({.round = i, .agent = 0, .version = i, .belief = {q}, .verdict = {}});
    agent->settle({.round = i, .agent = 0, .folded = true}, update);
    q = std::move(update.belief.front());
    if (i > 1) seconds += seconds_since(start);
  }
  return seconds / static_cast<double>(scenario.rounds);
}

template <typename Take>
std::vector<double> sorted(int runs, const Take& take) {
  std::vector<double> values;
  for (int i = 0; i < runs; ++i) values.push_back(take());
  std::sort(values.begin(), values.end());
  return values;
}

bool race(const std::string& path, int runs) {
  const Scenario scenario = load_scenario(path);
  const double wrong_by = check_argument(scenario);
  const bool right = wrong_by <= kTolerance;
  std::vector<Times> times;
  for (int i = 0; i < runs; ++i) times.push_back(measure(scenario));
  std::sort(times.begin(), times.end(), [](const Times& a, const Times& b) { return a.total() < b.total(); });
  const Times median = times[times.size() / 2];
  const auto score = sorted(runs, [&] { return score_round(scenario); });

  const auto n = static_cast<double>(scenario.particles);
  const auto d = static_cast<double>(scenario.global_start.cols());
  const auto steps = static_cast<double>(scenario.steps);
  const double tilted_operations = scenario.likelihood_operations + (3 + 2 * 4) * n * n * d;
  const double distillation_operations = (3 + 3 * 4) * n * n * d;
  const nlohmann::ordered_json line = {
      {"peer", std::string("fedstein ") + FEDSTEIN_VERSION + " " + kRealName},
      {"case", scenario.name},
      {"us_per_local_iteration", median.total() / (2 * steps) * 1e6},
      {"us_tilted", median.tilted / steps * 1e6},
      {"us_distillation", median.distillation / steps * 1e6},
      {"ms_per_round", median.total() * 1e3},
      {"ms_per_round_with_score_distillation", score[score.size() / 2] * 1e3},
      {"tilted_share_of_gemm_rate", tilted_operations * steps / median.tilted / gemm_rate()},
      {"distillation_share_of_gemm_rate", distillation_operations * steps / median.distillation / gemm_rate()},
      {"gemm_gflops", gemm_rate() * 1e-9},
      {"threads", available_threads()},
      {"deviation", wrong_by},
      {"right", right},
  };
  std::printf("%s\n", line.dump().c_str());
  std::fflush(stdout);
  return right;
}

int run(const std::vector<std::string>& arguments) {
  int runs = 5;
  bool right = true;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--runs" && i + 1 < arguments.size()) {
      runs = std::max(1, std::stoi(arguments[++i]));
    } else {
      right = race(arguments[i], runs) && right;
    }
  }
  return right ? 0 : 1;
}

}  // namespace
}  // namespace fedstein

int main(int argc, char** argv) {
  return fedstein::guarded("fedstein-race", [&] { return fedstein::run({argv + 1, argv + argc}); });
}
