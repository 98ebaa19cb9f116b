// SPDX-License-Identifier: Apache-2.0
// What a federation has learned, as a value that leaves the lab: enough to predict from raw rows, and to say where it
// comes from. Needs neither the experiment that made it nor its data.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fedstein/data/layout.h"
#include "fedstein/data/ranges.h"
#include "fedstein/data/scaling.h"
#include "fedstein/registry/registry.h"
#include "fedstein/table/table_schema.h"

namespace fedstein {

// Where the particles come from; for people to read, nothing is computed from it.
struct TrainingFacts {
  std::string experiment = {};
  std::string dataset = {};
  std::string algorithm = {};  // its label in the experiment
  std::string method = {};     // its name in the registry
  Index rounds = 0;
  Index agents = 0;  // who held the rows
  Index rows = 0;    // trained on, of all agents together
  Index trial = 1;
  std::uint64_t seed = 0;      // of the experiment
  std::string version = {};    // of fedstein
  std::string precision = {};  // float or double: what the particles were computed in

  bool operator==(const TrainingFacts&) const = default;
};

struct Posterior {
  std::string type = {};  // of a registry
  Settings settings{{}};  // of the type's definitions
  ModelShape shape = {};
  std::vector<std::string> class_names = {};  // one per class, in the order of probabilities; empty for a regression
  Scaling scaling = {};                       // of raw rows, as in training
  Particles particles = {};                   // N x d; a point method has one
  // Each particle's predictive density to the power 1 / temperature, normalised: logits are divided by it, a Gaussian's
  // variance is multiplied. 1: as trained. calibrate() finds one.
  double temperature = 1;
  // How new files are read. A text table's columns; or else how the rows lay in their file; or nobody knows.
  std::optional<TableSchema> table = {};
  std::optional<FileLayout> layout = {};
  // Of the training rows, unscaled and after a table's origins; not known to a server whose agents kept their rows.
  Ranges ranges = {};
  // d x d, of the parameters as the particles have them: of the Gaussian that has the posterior's curvature at the
  // particles' mean (model/posterior_covariance.h). Empty where nobody computed it.
  DoubleMatrix covariance = {};
  TrainingFacts facts = {};
};

// The names of the features: by the table, or "x1", "x2", ...
std::vector<std::string> feature_names(const Posterior& posterior);

// A table's schema as far as rows to predict for need it: who was in which group is nobody's business, and new rows
// come from new groups.
TableSchema without_groups(TableSchema schema);

// Throws InvalidArgument, one sentence, when the parts do not fit together or no model can predict with them. registry:
// holds the posterior's model type, here and below.
void check_posterior(const Posterior& posterior, const Registry& registry = Registry::standard());

std::unique_ptr<Model> make_model(const Posterior& posterior, const Registry& registry = Registry::standard());

// How classes are called where nobody named them: as the data writes them, -1 and 1 or 0, 1, ...
std::vector<std::string> plain_class_names(const ModelShape& shape);

}  // namespace fedstein
