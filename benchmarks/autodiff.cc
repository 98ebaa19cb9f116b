// SPDX-License-Identifier: Apache-2.0
// What automatic differentiation costs: logistic regression's score by AutoDiffModel and by hand, on one core, in turn,
// so that whatever else the machine does meets both; the fastest of each counts.
//
//   fedstein-autodiff [MOST]   exit code 1 where the ratio is above MOST
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "fedstein/model/autodiff_model.h"
#include "fedstein/model/logistic_regression.h"
#include "fedstein/numeric/parallel.h"
#include "measured.h"

namespace fedstein {
namespace {

constexpr Index kFeatures = 55;

AutoDiffModel differentiated() {
  AutoDiffParts parts{.dimension = kFeatures, .inputs = kFeatures};
  parts.log_likelihood = [](const auto& w, const auto& x, const auto& y) { return -log1p_exp(-y * w.all().dot(x)); };
  return AutoDiffModel(parts);
}

double seconds_of(const Model& model, const Matrix& theta, const Batch& batch, Matrix& grad) {
  const int calls = static_cast<int>(std::max<Index>(1, 20000 / (theta.rows() * batch.rows())));
  return fastest_seconds(5,
                         [&] {
                           for (int i = 0; i < calls; ++i) model.add_likelihood_score(theta, batch, 1, grad);
                         }) /
         calls;
}

double ratio(Index particles, Index rows) {
  Rng rng({.seed = 1, .purpose = Purpose::kTest});
  Matrix x(rows, kFeatures);
  Matrix theta(particles, kFeatures);
  rng.fill_normal(x);
  rng.fill_normal(theta);
  Vector y(rows);
  for (Real& label : y) label = rng.uniform() < 0.5 ? Real{-1} : Real{1};
  Matrix grad = Matrix::Zero(particles, kFeatures);
  const AutoDiffModel model = differentiated();
  const LogisticRegression hand(kFeatures, {.prior = LogisticRegression::Prior::kNormal});
  double own = std::numeric_limits<double>::infinity();
  double by_hand = own;
  for (int i = 0; i < 40; ++i) {
    own = std::min(own, seconds_of(model, theta, {x, y}, grad));
    by_hand = std::min(by_hand, seconds_of(hand, theta, {x, y}, grad));
  }
  std::printf("%9ld %6ld %12.2f %12.2f %8.2f\n",
              static_cast<long>(particles),
              static_cast<long>(rows),
              by_hand * 1e6,
              own * 1e6,
              own / by_hand);
  return own / by_hand;
}

}  // namespace
}  // namespace fedstein

int main(int argc, char** argv) {
  using namespace fedstein;
  const ThreadLimit one(1);
  const double most = argc > 1 ? std::strtod(argv[1], nullptr) : std::numeric_limits<double>::infinity();
  double worst = 0;
  std::printf("particles   rows   by hand us  autodiff us    ratio\n");
  for (const Index rows : {100, 1000}) {
    for (const Index particles : {6, 10, 20}) worst = std::max(worst, ratio(particles, rows));
  }
  return worst <= most ? 0 : 1;
}
