// SPDX-License-Identifier: Apache-2.0
// What a posterior's parameters say, in the units of the columns that people know.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fedstein/model/coefficients.h"
#include "fedstein/posterior/posterior.h"

namespace fedstein {

// One number with a meaning. Without any idea of its spread (one particle and no covariance) all but the mean are NaN.
struct CoefficientRow {
  std::string name = {};     // "(intercept)", or the feature's
  std::string outcome = {};  // of several classes: the one that the row speaks of, beside the first class
  double mean = 0;
  double deviation = 0;
  double low = 0;  // of the central interval
  double high = 0;
  double above_zero = 0;  // probability
};

// A parameter that is no weight: a precision, a noise deviation. `value` is its median.
struct OtherRow {
  std::string name = {};
  double value = 0;
  double deviation = 0;
  double low = 0;
  double high = 0;
};

struct PosteriorSummary {
  Coefficients::Link link = Coefficients::Link::kIdentity;
  double level = 0.9;                             // of the intervals
  std::vector<CoefficientRow> coefficients = {};  // the intercept first, then the features in their order
  std::vector<OtherRow> others = {};
  // Whether deviations and intervals are of the posterior's covariance. Otherwise they are those of the particles,
  // which may be far too narrow.
  bool from_covariance = false;
  Index particles = 0;
  // Beside the Gaussian of that covariance, in whose unit coordinates two draws are sqrt(2 d) apart; absent without it
  // and for a single particle. Both have the kernel exp(-r^2 / h), h = 2 d / log(N + 1): the particles' KSD, and how
  // many of them count as different, exp of the entropy of the eigenvalues of the kernel's matrix over N (the Vendi
  // score of Friedman and Dieng 2023): 1 where all have collapsed, N where all are far apart.
  std::optional<double> ksd = {};
  std::optional<double> distinct = {};
};

// Nothing for a model whose parameters nobody can read. All is computed in double: the scaling of the training rows and
// the table's origins are undone for the intercept too.
std::optional<PosteriorSummary> summarise(const Posterior& posterior,
                                          const Registry& registry = Registry::standard(),
                                          double level = 0.9);

// What each feature was in training: its name, and between which values, with the table's origin added again.
struct FeatureFacts {
  std::string name = {};
  double origin = 0;
  std::optional<double> low = {};
  std::optional<double> high = {};
};
std::vector<FeatureFacts> feature_facts(const Posterior& posterior);

}  // namespace fedstein
