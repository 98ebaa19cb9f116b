// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/model/likelihood_scores.h"

namespace fedstein {

// Particles that repel each other in what they predict, where the data do not say what to predict. Distances between
// weights say nothing in many dimensions: networks that differ in every weight may agree everywhere.
//
// The inputs of a step are the first 32 rows of its minibatch with their columns in another order, drawn anew for every
// step: rows as large as real ones that look like none of them. With f_i the answers of particle i there (see Answers),
//
//   D_ij = mean over rows of |f_i - f_j|^2,   h = median of D over pairs / log(N + 1),
//   score of particle i = gradient of -log sum_j exp(-D_ij / h) in its own weights, f_j held fixed.
//
// The median makes it as strong for answers of any size. Zero for a single particle, for particles that agree in all
// answers, and for an agent without rows.
class PredictionRepulsion : public Score {
 public:
  // Borrows both. The model must have answers(); the stream's purpose is taken to be kRepulsion whatever it says.
  PredictionRepulsion(const Model& model, const MinibatchLikelihood& rows, const StreamId& stream);
  PredictionRepulsion(const Model&&, const MinibatchLikelihood&, const StreamId&) = delete;

  void add(const ConstMatrixRef& theta, Index step, double weight, MatrixRef grad) const override;

 private:
  const Answers* answers_;
  const MinibatchLikelihood* rows_;
  Rng rng_;
};

}  // namespace fedstein
