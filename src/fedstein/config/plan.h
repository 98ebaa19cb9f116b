// SPDX-License-Identifier: Apache-2.0
// An experiment, resolved: everything that a configuration file leaves open has a value here, and nothing can be
// impossible any more. What a program needs to run it, and what the run store keeps of it.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "fedstein/algorithm/algorithm.h"
#include "fedstein/config/read_tables.h"
#include "fedstein/data/load.h"
#include "fedstein/data/partition.h"
#include "fedstein/federated/scheduler.h"
#include "fedstein/registry/registry.h"

namespace fedstein {

struct DatasetPlan {
  std::string name = {};  // of `fedstein data list`, or a path, or a toy's model type
  // Set for a path: how to read the file.
  bool own_file = false;
  OwnFile file = {};
  // Set for a text table: what its columns mean; `file` then tells the kind of labels and the scaling alone.
  std::optional<TableSchema> table = {};
  std::string test_file = {};  // rows to test on, laid out alike; empty: a part of the dataset's rows
  // A checksum of the file's rows, by which a run that is resumed sees that they have changed; 0: not read yet.
  std::uint64_t contents = 0;
  bool standard_split = true;  // the registry's rule; false: a random part of test_fraction
  double test_fraction = 0.2;
  bool standard_scaling = true;  // the registry's rule, on its rows; false: `scaling`, fitted to the training rows
  ScalingRule scaling = ScalingRule::kNone;
  // Rows that are neither learned from nor judged by, but a foreign set; nothing: none.
  std::optional<Index> unseen_class = {};
  std::optional<Index> unseen_group = {};

  // Every field counts: DataShelf knows by it which rows are the same.
  auto operator<=>(const DatasetPlan&) const = default;
};

struct ModelPlan {
  std::string type = {};                  // logistic-regression, bnn-regression, ...
  LabelKind labels = LabelKind::kBinary;  // of the dataset: how its classes are written
  Settings settings;                      // of the type's definitions
  // Of the registry that the plan was parsed with, borrowed; null: the standard registry's type of that name.
  const ModelType* maker = nullptr;

  // By what the model is, not by whose registry it was found in.
  std::partial_ordering operator<=>(const ModelPlan& other) const {
    return std::tie(type, labels, settings) <=> std::tie(other.type, other.labels, other.settings);
  }
  bool operator==(const ModelPlan& other) const { return (*this <=> other) == 0; }
};

struct SchedulerPlan {
  std::string kind = "round-robin";  // round-robin, random, fraction, weighted, all
  double fraction = 1;               // of `fraction`
};

struct AlgorithmPlan {
  std::string label = {};  // unique in the experiment: what tables and figures call it
  const Algorithm* method = nullptr;
  Settings settings;  // defaults of the method, then the paper's for this model and dataset, then the file's
  Index rounds = 0;
  SchedulerPlan scheduler = {};
  std::optional<Index> alone = {};  // the agent from whose rows alone it learns; nothing: all take part
};

struct EvaluationPlan {
  Index every = 1;                      // rounds between evaluations; the last round is always evaluated
  Index bins = 10;                      // of the reliability diagram
  bool ksd = false;                     // KSD and spread ratio against the exact posterior, each evaluated round
  std::string particles = "last";       // which rounds' particles the store keeps: none, last, evaluated, all
  bool f1 = false;                      // two classes: F1 of the second
  std::vector<double> abstention = {};  // classes: shares of rows left out, each a figure `answered@SHARE`
  bool by_group = false;                // test rows of each group: figures `accuracy@GROUP` (evaluation/by_group.h)
  // Sets of foreign rows, each a figure `unseen@NAME`: a kind of data/unseen_rows.h, or another dataset.
  std::vector<std::string> unseen = {};
  // Toys only: KL(q || q_opt) and free energy of the KDE, at these bandwidths; the first is figure `kl`, the others
  // `kl@BANDWIDTH`.
  std::vector<double> kl_bandwidths = {};
};

// What agents keep back of their rows, and whether a run ends by it.
struct ValidationPlan {
  double share = 0;      // of every agent's rows; 0: none
  bool plateau = false;  // a run ends when it stands still on them (evaluation/plateau.h); else after its rounds
};

// One point of the experiment: a dataset, a division of it, a model, and the methods that are compared there.
struct CasePlan {
  std::string name = {};  // unique: "covertype, K = 20"
  // What makes it differ from the other cases, in order: {"dataset", "covertype"}, {"agents", "20"}.
  std::vector<std::pair<std::string, std::string>> coordinates = {};
  DatasetPlan dataset = {};
  PartitionOptions partition = {};  // its seed is the trial's affair; a toy: by-column, each factor a group
  double feature_noise = 0;         // its level (data/feature_noise.h)
  ValidationPlan validation = {};
  ModelPlan model;
  EvaluationPlan evaluation = {};
  std::vector<AlgorithmPlan> algorithms = {};
};

// A picture that the report draws from the run.
struct FigurePlan {
  std::string kind = {};    // rounds, bytes, sweep, bars, map, abstention, reliability, posterior-1d, posterior-2d
  std::string title = {};   // caption
  std::string metric = {};  // accuracy, log_likelihood, kl, ...
  std::string x = {};       // of `sweep` and `bars`: the coordinate that runs along the axis
};

struct Plan {
  std::string name = {};  // letters, digits, - and _: also the folder's name under runs/
  std::string title = {};
  std::uint64_t seed = 1;
  Index trials = 1;
  std::vector<CasePlan> cases = {};
  std::vector<FigurePlan> figures = {};
  std::vector<std::string> claims = {};  // names of the claims that --check tests: "C1", ... (docs/results/README.md)
  const Registry* registry = &Registry::standard();  // that it was parsed with; borrowed
  std::shared_ptr<ReadTables> read_tables = std::make_shared<ReadTables>();
  // The document it came from after --quick and --set, in canonical form: parsing it again gives this plan.
  std::string document = {};
};

// The resolved plan as JSON: every value of every case, defaults filled in. Equal plans give equal text.
std::string to_json(const Plan& plan);

// As its registry defines it.
const ModelType& model_type_of(const ModelPlan& plan);
// The model of a case. features and classes: of its dataset (0 for a toy).
std::unique_ptr<Model> make_model(const ModelPlan& plan, Index features, Index classes);
std::unique_ptr<Scheduler> make_scheduler(const SchedulerPlan& plan,
                                          const std::vector<Index>& rows,
                                          std::uint64_t seed);

}  // namespace fedstein
