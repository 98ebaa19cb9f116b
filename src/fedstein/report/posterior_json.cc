// SPDX-License-Identifier: Apache-2.0
#include "fedstein/report/posterior_json.h"

#include <algorithm>
#include <set>

#include "fedstein/evaluation/posterior_grid.h"
#include "fedstein/experiment/toy_figures.h"
#include "fedstein/experiment/trial_data.h"
#include "fedstein/report/rounded.h"

namespace fedstein {
namespace {

using Json = nlohmann::json;

// A slider with more stops shows nothing more, and every stop is a density.
constexpr std::size_t kMostFrames = 25;
// Of the peak: less is not seen, and empty margins are cut off.
constexpr double kVisible = 5e-4;

struct Frame {
  Index round = 0;
  DoubleVector density;
  Json particles = Json::array();
  Json divergence = nullptr;
};

// A range of cells, from first to last.
struct Window {
  Index first = 0;
  Index last = 0;
};

DoubleVector normalised(const PosteriorGrid& grid) {
  const DoubleVector& log_p = grid.log_posterior();
  return (log_p.array() - log_mass(log_p, grid.cell_size())).exp();
}

Json particles_json(const Particles& particles, Index dimension) {
  Json out = Json::array();
  if (particles.cols() != dimension) return out;
  for (Index n = 0; n < particles.rows(); ++n) {
    const auto at = [&](Index d) { return rounded(static_cast<double>(particles(n, d)), kDensityDigits); };
    out.push_back(dimension == 1 ? at(0) : Json{at(0), at(1)});
  }
  return out;
}

// Evenly spread, the first and the last among them.
std::vector<Index> thinned(const std::vector<Index>& rounds) {
  if (rounds.size() <= kMostFrames) return rounds;
  std::vector<Index> out;
  for (std::size_t i = 0; i < kMostFrames; ++i) out.push_back(rounds[i * (rounds.size() - 1) / (kMostFrames - 1)]);
  return out;
}

std::vector<Frame> frames_of(const RunStore& store, const TrialResult& trial, Index cells, Index dimension) {
  std::map<Index, const RoundRecord*> judged;
  std::vector<Index> rounds;
  for (const RoundRecord& record : trial.rounds) {
    if (record.figures.empty()) continue;
    judged[record.round] = &record;
    rounds.push_back(record.round);
  }
  const std::vector<Index> kept = store.rounds_with_particles(trial.job);
  const std::set<Index> with_particles(kept.begin(), kept.end());
  std::vector<Frame> frames;
  for (const Index round : thinned(rounds)) {
    const std::optional<Matrix> density = store.density(trial.job, round);
    if (!density || density->size() != cells) continue;
    Frame frame{.round = round, .density = {}};
    frame.density = Eigen::Map<const Vector>(density->data(), density->size()).cast<double>();
    if (with_particles.contains(round)) frame.particles = particles_json(store.particles(trial.job, round), dimension);
    const auto kl = judged[round]->figures.find("kl");
    if (kl != judged[round]->figures.end()) frame.divergence = rounded(kl->second, kMeanDigits);
    frames.push_back(std::move(frame));
  }
  return frames;
}

// The cells between which everything visible lies, of all methods and, in two dimensions, along both axes: panels that
// are to be compared have one scale. Values are cell by cell of the first axis, then of the second.
Window visible(const std::vector<const DoubleVector*>& densities, Index cells) {
  Window window{cells - 1, 0};
  const auto stretch = [&](Index cell) {
    window.first = std::min(window.first, cell);
    window.last = std::max(window.last, cell);
  };
  for (const DoubleVector* density : densities) {
    const double least = kVisible * density->maxCoeff();
    for (Index i = 0; i < density->size(); ++i) {
      if ((*density)(i) < least) continue;
      if (density->size() > cells) stretch(i / cells);
      stretch(i % cells);
    }
  }
  return window;
}

Json axis_json(const UniformGrid& grid, const Window& window) {
  Json out = Json::array();
  for (Index i = window.first; i <= window.last; ++i) out.push_back(rounded(grid.point(i), kMeanDigits));
  return out;
}

Json number_json(double value, double peak) {
  return value < 1e-5 * peak ? Json(0) : rounded(value, kDensityDigits);
}

Json line_json(const DoubleVector& density, const Window& window) {
  Json out = Json::array();
  const double peak = density.maxCoeff();
  for (Index i = window.first; i <= window.last; ++i) out.push_back(number_json(density(i), peak));
  return out;
}

// The page reads rows of equal y; the store's first axis is x.
Json plane_json(const DoubleVector& density, Index cells, const Window& window) {
  Json out = Json::array();
  const double peak = density.maxCoeff();
  for (Index j = window.first; j <= window.last; ++j) {
    for (Index i = window.first; i <= window.last; ++i) out.push_back(number_json(density(i * cells + j), peak));
  }
  return out;
}

struct Toy {
  Index dimension = 0;
  UniformGrid axis = {};
  DoubleVector exact;
  std::vector<DoubleVector> locals = {};
};

Toy toy_of(const CasePlan& plan) {
  const TrialData data = prepare_toy(plan);
  const std::vector<UniformGrid> axes = figure_axes(*data.model);
  Toy toy{.dimension = data.model->dimension(), .axis = axes.front(), .exact = {}};
  toy.exact = normalised(PosteriorGrid(*data.model, data.all(), axes));
  for (const Batch& shard : data.shards()) toy.locals.push_back(normalised(PosteriorGrid(*data.model, shard, axes)));
  return toy;
}

Json one_dimension(const Toy& toy, const std::vector<Frame>& frames, const Window& window) {
  Json locals = Json::array();
  for (std::size_t agent = 0; agent < toy.locals.size(); ++agent) {
    locals.push_back({{"agent", agent}, {"density", line_json(toy.locals[agent], window)}});
  }
  Json shown = Json::array();
  for (const Frame& frame : frames) {
    shown.push_back(
        {{"round", frame.round}, {"density", line_json(frame.density, window)}, {"particles", frame.particles}});
  }
  return {{"grid", axis_json(toy.axis, window)},
          {"exact", line_json(toy.exact, window)},
          {"locals", locals},
          {"frames", shown}};
}

Json two_dimensions(const Toy& toy, const std::vector<Frame>& frames, const Window& window) {
  Json shown = Json::array();
  for (const Frame& frame : frames) {
    shown.push_back({{"round", frame.round},
                     {"density", plane_json(frame.density, toy.axis.cells, window)},
                     {"particles", frame.particles},
                     {"kl", frame.divergence}});
  }
  return {{"x", axis_json(toy.axis, window)},
          {"y", axis_json(toy.axis, window)},
          {"exact", plane_json(toy.exact, toy.axis.cells, window)},
          {"frames", shown}};
}

void add_case(PosteriorJson& out, const RunStore& store, const RunResult& result, std::size_t case_index) {
  const Toy toy = toy_of(result.plan.cases[case_index]);
  const std::vector<MethodResult>& methods = result.cases[case_index].methods;
  std::vector<std::vector<Frame>> frames;
  std::vector<const DoubleVector*> all = {&toy.exact};
  for (const MethodResult& method : methods) {
    frames.push_back(method.trials.empty() ? std::vector<Frame>()
                                           : frames_of(store, method.trials.front(), toy.exact.size(), toy.dimension));
  }
  for (const std::vector<Frame>& one : frames) {
    for (const Frame& frame : one) all.push_back(&frame.density);
  }
  if (toy.dimension == 1) {
    for (const DoubleVector& local : toy.locals) all.push_back(&local);
  }
  const Window window = visible(all, toy.axis.cells);
  for (std::size_t i = 0; i < methods.size(); ++i) {
    if (frames[i].empty()) continue;
    Json one = toy.dimension == 1 ? one_dimension(toy, frames[i], window) : two_dimensions(toy, frames[i], window);
    one["case"] = case_index;
    one["algorithm"] = methods[i].label;
    (toy.dimension == 1 ? out.one_dimension : out.two_dimensions).push_back(std::move(one));
  }
}

// A sweep over toys would fill the page with densities that nobody asked for.
bool wanted(const Plan& plan) {
  return plan.cases.size() == 1 || std::any_of(plan.figures.begin(), plan.figures.end(), [](const FigurePlan& figure) {
           return figure.kind.starts_with("posterior-");
         });
}

}  // namespace

PosteriorJson posterior_json(const RunStore& store, const RunResult& result) {
  PosteriorJson out;
  if (!wanted(result.plan)) return out;
  for (std::size_t case_index = 0; case_index < result.cases.size(); ++case_index) {
    if (is_toy(result.plan.cases[case_index].model)) add_case(out, store, result, case_index);
  }
  return out;
}

}  // namespace fedstein
