// SPDX-License-Identifier: Apache-2.0
// What the C++ library computes for test_parity.py: one line a case, its name and the bytes of the particles as digits.
// The numbers are made without a random generator, so that the test can make the same ones.
#include <cstring>
#include <iostream>
#include <string>

#include "fedstein/algorithm/federation.h"
#include "fedstein/model/likelihood_scores.h"
#include "fedstein/registry/registry.h"
#include "fedstein/stein/svgd.h"

namespace fedstein {
namespace {

constexpr Index kRows = 60;
constexpr Index kFeatures = 4;

Dataset rows_of_the_test() {
  Dataset out{.name = "parity",
              .labels = LabelKind::kBinary,
              .x = Matrix(kRows, kFeatures),
              .y = Vector(kRows),
              .classes = 2,
              .group = {}};
  for (Index i = 0; i < kRows; ++i) {
    for (Index j = 0; j < kFeatures; ++j) out.x(i, j) = static_cast<Real>((7 * i + 5 * j * j + i * j) % 11 - 5) / 4;
    out.y(i) = out.x(i, 0) + out.x(i, 1) > 0 ? Real{1} : Real{-1};
  }
  return out;
}

void print(const std::string& name, const Particles& particles) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text;
  const auto* bytes = reinterpret_cast<const unsigned char*>(particles.data());
  for (std::size_t i = 0; i < static_cast<std::size_t>(particles.size()) * sizeof(Real); ++i) {
    text += {kDigits[bytes[i] >> 4U], kDigits[bytes[i] & 15U]};
  }
  std::cout << name << " " << particles.rows() << " " << particles.cols() << " " << text << "\n";
}

void print_svgd(const Model& model, const Dataset& rows) {
  Particles particles(10, model.dimension());
  Rng rng({.seed = 3, .agent = 0, .round = 0, .purpose = Purpose::kPriorDraw});
  model.draw_prior(rng, particles);
  const PriorScore prior(model);
  const FullLikelihood likelihood(model, {rows.x, rows.y});
  svgd(particles, {{1, prior}, {1, likelihood}}, {.steps = 100});
  print("svgd()", particles);
}

void print_federation(const Algorithm& algorithm, const Model& model, const Dataset& rows) {
  const Index half = kRows / 2;
  const Batch all(rows.x, rows.y);
  const std::vector<Batch> whole = {all};
  const std::vector<Batch> halves = {all.middle_rows(0, half), all.middle_rows(half, kRows - half)};
  const std::vector<Batch>& shards = algorithm.centralised ? whole : halves;
  Federation federation(algorithm, model, shards, {.seed = 7, .unlabelled = &rows.x});
  federation.run({.rounds = 3});
  print(algorithm.name, federation.particles());
}

}  // namespace
}  // namespace fedstein

int main() {
  using namespace fedstein;  // NOLINT(google-build-using-namespace): of a test program
  const Registry& registry = Registry::standard();
  const ModelType& type = registry.model_type("logistic-regression");
  const auto model = type.make(Settings(type.settings), {kFeatures, 2, LabelKind::kBinary});
  const Dataset rows = rows_of_the_test();
  print_svgd(*model, rows);
  for (const Algorithm& algorithm : registry.algorithms()) print_federation(algorithm, *model, rows);
  return 0;
}
