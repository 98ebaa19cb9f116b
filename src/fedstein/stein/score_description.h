// SPDX-License-Identifier: Apache-2.0
// What a score is, as a value: enough for an engine to compute the score in another place, on a GPU for instance.
// Everything is borrowed from the score that describes itself.
#pragma once

#include <optional>
#include <variant>

#include "fedstein/numeric/matrix.h"
#include "fedstein/numeric/rng.h"

namespace fedstein {

// Both are defined in the folder model, which stands on this one. Here they are names only.
class Model;
struct Batch;

// A score of the form  sum_m W_m(x) v_m - pull x,  W(x) = softmax_m( -|x - a_m|^2 / h ),  with M x d anchors and
// values.
struct Anchored {
  const Matrix* anchors;
  const Matrix* values;  // null: pull * anchors
  double h;
  double pull;
};

// The Gaussian KDE of these particles (stein/kde.h).
struct KdeOf {
  const Matrix* particles;
  double bandwidth;
};

// A model's prior.
struct PriorOf {
  const Model* model;
};

// A model's log likelihood of these rows: of all of them in every step, or of `batch` of them, scaled to all, in the
// order that MinibatchLikelihood (model/likelihood_scores.h) derives from the stream.
struct LikelihoodOf {
  const Model* model;
  const Batch* rows;
  Index batch;
  std::optional<StreamId> stream;  // nothing: all rows
};

// A score that does not say what it is: only Score::add() can compute it.
struct UnknownScore {};

using ScoreDescription = std::variant<UnknownScore, PriorOf, LikelihoodOf, KdeOf, Anchored>;

}  // namespace fedstein
