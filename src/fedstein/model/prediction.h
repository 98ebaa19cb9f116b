// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/numeric/matrix.h"

namespace fedstein {

// What N particles say about n new rows, one entry per row. Classifiers fill the first part, regressions the second;
// the other stays empty, and a density model predicts nothing at all.
struct Prediction {
  Matrix probabilities;  // n x C: the particles' class probabilities, averaged; binary: column 0 is -1, column 1 is +1
  DoubleVector mean_entropy;  // mean of the particles' entropies in nats: the aleatoric part of the total entropy

  DoubleVector mean;                // of the target
  DoubleVector aleatoric_variance;  // mean over particles of the noise variance
  DoubleVector epistemic_variance;  // variance of the particles' means
};

// What an evaluation asks about n labelled rows: of a Prediction the part that is judged, and how probable it made what
// came true.
struct Forecast {
  Matrix probabilities;      // as above
  DoubleVector mean;         // as above
  DoubleVector log_density;  // log( 1/N sum_n p(y_i | x_i, theta.row(n)) )
  DoubleVector variance;     // of the target, aleatoric and epistemic together; empty for classes
};

}  // namespace fedstein
