// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/fedep.h"

#include <algorithm>

#include "fedstein/methods/langevin/surrogate.h"
#include "fedstein/methods/particles/particle_method.h"
#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

using Row = Eigen::RowVectorXd;

constexpr Index kFedEpPairs = 16;
constexpr double kLongestStep = 0.2;      // of the preconditioned chains: they forget in some ten steps
constexpr double kMostFromBatches = 0.9;  // of the noise that minibatches may make
constexpr double kLeastOfQ = 1e-3;        // of q's, for the chains' scale where neither cavity nor likelihood has any

// Likelihood's Gauss-Newton diagonal over all of the agent's rows, at one place.
Row likelihood_precision(const AgentContext& context, const DoubleVector& place, double temperature) {
  const Matrix at = place.transpose().cast<Real>();
  Matrix diagonal = Matrix::Zero(1, at.cols());
  context.model->gauss_newton()->add_gauss_newton(at, context.data, 1 / temperature, diagonal);
  return diagonal.row(0).cast<double>();
}

// Sums over the second half of the steps, from which the moments follow. Steps are centred on their own: the rows of a
// step move all scores alike, which says nothing about a slope.
struct Moments {
  Row places, scores, slopes, squares;

  explicit Moments(Index d) : places(Row::Zero(d)), scores(places), slopes(places), squares(places) {}
  void add(const Matrix& x, const Matrix& s) {
    const Row mean_x = x.cast<double>().colwise().mean(), mean_s = s.cast<double>().colwise().mean();
    const DoubleMatrix off = x.cast<double>().rowwise() - mean_x;
    slopes += off.cwiseProduct(s.cast<double>().rowwise() - mean_s).colwise().sum();
    squares += off.cwiseAbs2().colwise().sum();
    places += mean_x;
    scores += mean_s;
  }
};

}  // namespace

NaturalGaussian FedEpAgent::answer(const Task& task) const {
  const NaturalGaussian cavity = cavity_of(task);
  const NaturalGaussian q = starting_q(task);
  const Index d = q.dimension();
  const StreamId stream{.seed = context().seed,
                        .agent = static_cast<std::uint64_t>(context().agent),
                        .round = static_cast<std::uint64_t>(task.round)};
  const LikelihoodTerm loss_k(*context().model,
                              context().data,
                              {.batch = options().batch, .temperature = options().temperature, .stream = stream});

  // The chains' scale and noise.
  const Row from_rows = likelihood_precision(context(), q.mean(), options().temperature);
  const Row precision = (cavity.precision.row(0).cwiseMax(0) + from_rows).cwiseMax(kLeastOfQ * q.precision.row(0));
  const auto n_k = static_cast<double>(context().data.rows());
  const double left_out = std::max(0.0, n_k / static_cast<double>(options().batch) - 1);
  const double step = left_out > 0 ? std::min(kLongestStep, 4 * kMostFromBatches / left_out) : kLongestStep;
  const Row from_batches = left_out * from_rows.cwiseQuotient(precision);
  const Row kept = (1 - step / 4 * (1 + from_batches.array())).cwiseMax(0);  // of a step's noise variance
  const RowVector drift = (step / 2 * precision.cwiseInverse()).cast<Real>();
  const RowVector deviation = (step * kept.cwiseQuotient(precision)).cwiseSqrt().cast<Real>();
  const RowVector spread = precision.cwiseInverse().cwiseSqrt().cast<Real>();
  const SurrogateScore others(
      (Matrix(2, d) << cavity.linear.transpose().cast<Real>(), cavity.precision.row(0).cast<Real>()).finished());

  StreamId noise_stream = stream;
  noise_stream.purpose = Purpose::kReparameterisation;
  Matrix noise(options().pairs, d);
  Matrix x = Matrix::Zero(2 * options().pairs, d);
  Matrix s(x.rows(), d);
  const auto add_noise = [&](Index name, const RowVector& scale) {
    Rng(noise_stream, static_cast<std::uint64_t>(name)).fill_normal(noise);
    x.topRows(noise.rows()) += noise * scale.asDiagonal();
    x.bottomRows(noise.rows()) -= noise * scale.asDiagonal();
  };
  x.rowwise() += q.mean().transpose().cast<Real>();
  add_noise(0, spread);
  Moments sums(d);
  Index counted = 0;
  for (Index l = 0; l <= options().local_steps; ++l) {
    loss_k.gradient(x, l, s);
    others.add(x, l, 1, s);
    if (2 * l >= options().local_steps) {
      sums.add(x, s);
      ++counted;
    }
    if (l == options().local_steps) break;
    x += s * drift.asDiagonal();
    add_noise(1 + l, deviation);
  }
  if (first_non_finite(x).row >= 0)
    throw Divergence("fedep: chains of the tilted distribution left the finite numbers");

  // Where scores rise with the place the tilted distribution has no peak: as wide as within_reach lets it be.
  NaturalGaussian tilted = q;
  tilted.precision.row(0) = (-sums.slopes.cwiseQuotient(sums.squares)).cwiseMax(kLeastOfQ * q.precision.row(0));
  const Row linear = (sums.scores + tilted.precision.row(0).cwiseProduct(sums.places)) / static_cast<double>(counted);
  tilted.linear = linear.transpose();
  const NaturalGaussian q_k = q + within_reach(q, tilted - q);
  if (!q_k.proper()) {
    throw Divergence("fedep: q is no Gaussian any more after round " + std::to_string(task.round));
  }
  return q_k;
}

Algorithm fedep_algorithm() {
  Algorithm algorithm = pvi_algorithm();
  algorithm.name = "fedep";
  algorithm.summary = "federated expectation propagation: like PVI, but agents match the moments of samples";
  std::erase_if(algorithm.settings,
                [](const Setting& setting) { return setting.key == "rate" || setting.key == "covariance"; });
  setting_named("local_steps", algorithm.settings).help = "Langevin steps in a round, L";
  Setting& pairs = setting_named("pairs", algorithm.settings);
  pairs.standard = kFedEpPairs;
  pairs.help = "antithetic pairs of chains";
  pairs.most = 1e6;
  const auto options_of = [](const Model& model, const Settings& settings) {
    GaussianSetup options;
    options.particles = settings.integer("particles");
    options.local_steps = settings.integer("local_steps");
    options.batch = settings.integer("batch");
    options.temperature = settings.number("temperature");
    options.pairs = settings.integer("pairs");
    options.start = settings.text("start");
    options.damping = settings.number("damping");
    if (model.dimension() > 1) options.covariance = "diagonal";  // of one number it is the full one
    return options;
  };
  algorithm.objection = [box = algorithm.objection](const Model& model) -> std::string {
    if (model.gauss_newton() != nullptr) return box(model);
    return "the model knows no curvature of its likelihood, by which FedEP's chains find their scale";
  };
  algorithm.make_server = [options_of](const ServerContext& context, const Settings& settings) {
    return std::make_unique<PviServer>(context, options_of(*context.model, settings));
  };
  algorithm.make_agent = [options_of](const AgentContext& context, const Settings& settings) {
    return std::make_unique<FedEpAgent>(context, options_of(*context.model, settings));
  };
  return algorithm;
}

}  // namespace fedstein
