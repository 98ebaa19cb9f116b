// SPDX-License-Identifier: Apache-2.0
#include "scenario.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "fedstein/model/bnn_classification.h"
#include "fedstein/model/gaussian_mixture.h"
#include "fedstein/model/logistic_regression.h"

namespace fedstein {
namespace {

using Json = nlohmann::json;

// SplitMix64 over a counter, as scenarios/expect.py has it: unit variance, from [-sqrt 3, sqrt 3).
double uniform(std::uint64_t seed, std::uint64_t place) {
  std::uint64_t z = (seed << 32) + (place + 1) * 0x9E3779B97F4A7C15U;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  z ^= z >> 31;
  return (std::ldexp(static_cast<double>(z >> 40), -24) * 2 - 1) * std::sqrt(3.0);
}

Matrix filled(std::uint64_t seed, Index rows, Index columns, double scale) {
  Matrix m(rows, columns);
  for (Index i = 0; i < m.size(); ++i) {
    m.data()[i] = static_cast<Real>(scale * uniform(seed, static_cast<std::uint64_t>(i)));
  }
  return m;
}

Gaussian normal(Index dimension, double mean, double variance) {
  return {DoubleVector::Constant(dimension, mean), DoubleMatrix::Identity(dimension, dimension) * variance};
}

void add_rows(const Json& json, Scenario& scenario) {
  scenario.x = filled(1, json.at("rows"), json.at("features"), 1);
  scenario.y.resize(scenario.x.rows());
}

void add_logistic_regression(const Json& json, Scenario& scenario) {
  add_rows(json, scenario);
  for (Index i = 0; i < scenario.y.size(); ++i) scenario.y(i) = scenario.x(i, 0) > 0 ? 1 : -1;
  scenario.model = std::make_shared<LogisticRegression>(scenario.x.cols());
  // Margins and the gradient: two products of batch x features by particles.
  scenario.likelihood_operations = 4.0 * static_cast<double>(scenario.batch * scenario.x.cols() * scenario.particles);
}

void add_network(const Json& json, Scenario& scenario) {
  add_rows(json, scenario);
  const Index hidden = json.at("hidden");
  const Index classes = json.at("classes");
  for (Index i = 0; i < scenario.y.size(); ++i) scenario.y(i) = static_cast<Real>(i % classes);
  scenario.model = std::make_shared<BnnClassification>(
      BnnClassification::Options{.inputs = scenario.x.cols(), .hidden = hidden, .classes = classes});
  // First layer forwards and its gradient; second layer forwards, its gradient and the pull on the hidden units.
  const auto per_row = static_cast<double>(2 * scenario.x.cols() * hidden + 3 * hidden * classes);
  scenario.likelihood_operations = 2 * per_row * static_cast<double>(scenario.batch * scenario.particles);
}

// p2 of the paper's toy, with a prior that no scenario uses.
void add_mixture(const Json& json, Scenario& scenario) {
  const Index d = json.at("features");
  const GaussianMixture::Factor factor = {{0.5, normal(d, -3, 1)}, {0.5, normal(d, 3, 2)}};
  scenario.model = std::make_shared<GaussianMixture>(normal(d, 0, 1), std::vector<GaussianMixture::Factor>{factor});
  scenario.x = Matrix::Zero(1, 1);
  scenario.y = Vector::Zero(1);
  scenario.likelihood_operations = 20.0 * static_cast<double>(scenario.particles * d);
}

void add_model(const Json& json, Scenario& scenario) {
  const std::string kind = json.at("kind");
  if (kind == "logistic_regression") return add_logistic_regression(json, scenario);
  if (kind == "bnn_classification") return add_network(json, scenario);
  if (kind == "mixture") return add_mixture(json, scenario);
  if (kind == "standard_normal") return;  // no data: the score is -x
  throw std::runtime_error("kind is '" + kind +
                           "'; allowed: logistic_regression, bnn_classification, mixture, standard_normal");
}

Digest digest(const Json& json) {
  return {json.at("mean"), json.at("root_mean_square"), json.at("first"), json.at("last")};
}

Scenario read(const Json& json) {
  Scenario scenario;
  scenario.name = json.at("name");
  scenario.what = json.at("what");
  scenario.particles = json.at("particles");
  scenario.batch = json.at("batch");
  scenario.steps = json.at("steps");
  scenario.rounds = json.at("rounds");
  scenario.check_steps = json.at("check_steps");
  scenario.step_rule = {.learning_rate = json.at("learning_rate"), .epsilon = json.at("epsilon")};
  scenario.expected_global = digest(json.at("expected").at("global"));
  scenario.expected_local = digest(json.at("expected").at("local"));
  add_model(json, scenario);
  const Index d = scenario.model ? scenario.model->dimension() : json.at("features").get<Index>();
  scenario.global_start = filled(2, scenario.particles, d, json.at("start_scale"));
  scenario.local_start = filled(3, scenario.particles, d, json.at("start_scale"));
  return scenario;
}

}  // namespace

Scenario load_scenario(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path + " cannot be read; give a file of benchmarks/scenarios");
  try {
    return read(Json::parse(file));
  } catch (const std::exception& error) {
    throw std::runtime_error(path + ": " + error.what());
  }
}

double deviation(const Digest& expected, const Particles& particles) {
  const auto d = particles.cols();
  double largest = std::max(std::abs(expected.mean), expected.root_mean_square);
  double worst = std::max(std::abs(expected.mean - particles.cast<double>().mean()),
                          std::abs(expected.root_mean_square - std::sqrt(particles.cast<double>().squaredNorm() /
                                                                         static_cast<double>(particles.size()))));
  const auto compare = [&](double value, Real seen) {
    largest = std::max(largest, std::abs(value));
    // Written so that a value that is no number counts as far away.
    const double distance = std::abs(value - static_cast<double>(seen));
    worst = distance <= worst ? worst : distance;
  };
  for (std::size_t k = 0; k < expected.first.size(); ++k)
    compare(expected.first[k], particles(0, static_cast<Index>(k)));
  const auto count = static_cast<Index>(expected.last.size());
  for (Index k = 0; k < count; ++k) {
    compare(expected.last[static_cast<std::size_t>(k)], particles(particles.rows() - 1, d - count + k));
  }
  return worst / largest;
}

}  // namespace fedstein
