// SPDX-License-Identifier: Apache-2.0
// Synthetic sets by their definitions. Random numbers come from the stream kGenerator of the seed.
#pragma once

#include <cstdint>
#include <string_view>

#include "fedstein/data/dataset.h"

namespace fedstein {

struct GeneratorOptions {
  Index rows = 0;  // 0: as many as the published set has
  std::uint64_t seed = 0;
  // Shift and scale every feature to mean 0 and deviation 1 (n - 1) over all rows made: the published files are like
  // that.
  bool standardise = true;
};

// Breiman, "Bias, variance, and arcing classifiers" (1996), 20 features, a = 2/sqrt(20), fair classes. Which class is
// +1 was read off the files of Raetsch's benchmark; tests/data/generators_test.cc compares class means and covariances.
//
//   twonorm    +1: N((a, ..., a), I)   -1: N((-a, ..., -a), I)        7,400 rows
//   ringnorm   +1: N(0, 4 I)           -1: N((a, ..., a), I)          7,400 rows
Dataset make_twonorm(const GeneratorOptions& options);
Dataset make_ringnorm(const GeneratorOptions& options);

// Breiman et al., "Classification and Regression Trees" (1984), section 2.6.2; 21 features, 5,000 rows. With the waves
//
//   h1(i) = max(6 - |i - 11|, 0),  h2(i) = h1(i - 4),  h3(i) = h1(i + 4),   i = 1..21   (peaks at 11, 15 and 7)
//
// a row is u h_a + (1 - u) h_b + N(0, I), u uniform in (0, 1), and the pair (a, b) one of three, equally likely.
// Raetsch's binary form, as its file shows: +1 is the pair (h1, h3), -1 the two pairs that contain h2.
Dataset make_waveform(const GeneratorOptions& options);

// Agents that each see their own features only, so that none can learn the model alone: x ~ N(0, 1), labels
// Bernoulli(sigmoid(w x)), every weight +weight or -weight at random. First the training rows, agent after agent, agent
// k's non-zero in its own features only, group = agent; then the test rows, non-zero everywhere, group = kNoGroup.
struct FeatureSkewOptions {
  Index agents = 10;
  Index features_per_agent = 2;
  Index rows_per_agent = 200;
  Index test_rows = 4000;
  double weight = 2;
  std::uint64_t seed = 0;
};
Dataset make_feature_skew(const FeatureSkewOptions& options);

// Two interlocking arcs in the plane, either one the other turned by half a turn, and five agents that each see one
// region. With t uniform in (0, pi), the two classes equally likely,
//
//   +1:  (cos t - 1/2, sin t - 1/4) + N(0, noise^2 I)      -1:  (1/2 - cos t, 1/4 - sin t) + N(0, noise^2 I)
//
// A row belongs to the nearest of five centres: agent 0 (0, 0), 1 (-1.3, 0), 2 (-0.5, 0.8), 3 (0.5, -0.8), 4 (1.3, 0).
// group = agent, of all rows; first the training rows, then the test rows, which may lie anywhere.
struct TwoArcsOptions {
  Index train_rows = 200;
  Index test_rows = 2000;
  double noise = 0.2;
  std::uint64_t seed = 0;
};
Dataset make_two_arcs(const TwoArcsOptions& options);

// One of "twonorm", "ringnorm", "waveform", or "feature-skew" and "two-arcs", which always have their default shape and
// are never standardised.
Dataset make_dataset(std::string_view name, const GeneratorOptions& options);

}  // namespace fedstein
