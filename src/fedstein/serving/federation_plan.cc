// SPDX-License-Identifier: Apache-2.0
#include "fedstein/serving/federation_plan.h"

#include <algorithm>

#include "fedstein/config/parse.h"
#include "fedstein/data/registry.h"
#include "fedstein/experiment/trial_data.h"
#include "fedstein/numeric/check.h"
#include "fedstein/serving/column_sums.h"

namespace fedstein {
namespace {

// Everything that a federation of hosts cannot have.
std::vector<Mistake> objections(const FederationPlan& federation, const std::string& file) {
  std::vector<Mistake> out;
  const auto complain = [&](const std::string& key, const std::string& what) { out.push_back({file, key, what}); };
  if (federation.plan.cases.size() != 1) complain("", "has several cases; a networked federation runs exactly one");
  if (federation.plan.trials != 1) {
    complain("experiment.trials", "is " + std::to_string(federation.plan.trials) + "; allowed: 1");
  }
  if (federation.setting().algorithms.size() != 1) {
    complain("", "lists several [[algorithm]]s; a networked federation runs exactly one");
  }
  const Algorithm& method = *federation.algorithm().method;
  if (method.centralised) complain("algorithm.type", "is " + method.name + ", which is not federated");
  if (method.name == "fedbe")
    complain(
        "algorithm.type",
        "is fedbe, whose server distils on rows of its own; a networked server has none (`fedstein run` can run it)");
  if (federation.algorithm().alone)
    complain("algorithm.alone",
             "is given; whoever is alone needs no federation (`fedstein run` shows what an agent would reach so)");
  if (federation.setting().evaluation.by_group)
    complain("evaluation.by_group", "is given; a networked server has no groups of rows (`fedstein run` has)");
  if (federation.setting().validation.plateau)
    complain("federation.stop",
             "is plateau, which needs every agent's log-likelihood after every round; a networked server does not ask "
             "for it (`fedstein run` can); allowed: rounds");
  const DatasetPlan& dataset = federation.setting().dataset;
  constexpr const char* kNotOverTheNetwork =
      "is given; agents are asked for no foreign rows (`fedstein run` makes them)";
  if (!federation.setting().evaluation.unseen.empty()) complain("evaluation.unseen", kNotOverTheNetwork);
  if (dataset.unseen_class) complain("experiment.unseen_class", kNotOverTheNetwork);
  if (dataset.unseen_group) complain("experiment.unseen_group", kNotOverTheNetwork);
  if (const std::string why = objection_to_sums_for(dataset.scaling); dataset.own_file && !why.empty()) {
    complain("experiment.scaling", why);
  }
  if (dataset.table) {
    const auto compare = [&](const char* key, Index given, Index found, const char* what) {
      if (given == 0 || given == found) return;
      complain(std::string("server.") + key,
               "is " + std::to_string(given) + "; the columns of [data] make " + std::to_string(found) + " " + what +
                   ", so leave it out");
    };
    compare("features", federation.server.features, feature_count(*dataset.table), "features");
    compare("classes", federation.server.classes, static_cast<Index>(dataset.table->classes.size()), "classes");
  }
  const auto& names = federation.server.agents;
  if (!names.empty() && static_cast<Index>(names.size()) != federation.agents) {
    complain("server.agents",
             "has " + std::to_string(names.size()) + " names; allowed: " + std::to_string(federation.agents) +
                 ", as experiment.agents says");
  }
  return out;
}

}  // namespace

std::unique_ptr<Model> FederationPlan::make_model(Index features, Index classes) const {
  return fedstein::make_model(setting().model, features, classes);
}

std::string FederationPlan::charter(Index features, Index classes) const {
  return plan.document + "\n[server]\nfeatures = " + std::to_string(features) +
         "\nclasses = " + std::to_string(classes) + "\n";
}

FederationPlan parse_federation(const std::string& document,
                                const std::string& file,
                                const std::string& data_folder,
                                const Registry& registry) {
  ServedPlan read = parse_served_plan(
      document, file, {.data_folder = data_folder, .check_data = false, .networked = true, .registry = &registry});
  FederationPlan out{.plan = std::move(read.plan), .server = std::move(read.server)};
  out.agents = out.plan.cases.front().partition.agents;
  out.seed = trial_seed(out.plan.seed, 1);
  if (out.server.agents.empty()) {
    for (Index k = 0; k < out.agents; ++k) out.server.agents.push_back("agent-" + std::to_string(k));
  }
  const std::vector<Mistake> mistakes = objections(out, file);
  if (!mistakes.empty()) throw BadConfiguration(mistakes);
  return out;
}

FederationPlan federation_from_charter(const std::string& charter, const Registry& registry) {
  return parse_federation(charter, "the server's configuration", {}, registry);
}

RowShape row_shape(const FederationPlan& federation) {
  RowShape shape{federation.server.features, federation.server.classes};
  const DatasetPlan& dataset = federation.setting().dataset;
  if (dataset.table) {
    return {feature_count(*dataset.table), static_cast<Index>(dataset.table->classes.size())};
  }
  if (!dataset.own_file && !is_toy(federation.setting().model)) {
    const DatasetInfo& info = find_dataset(dataset.name);
    if (shape.features == 0) shape.features = info.features;
    if (shape.classes == 0) shape.classes = static_cast<Index>(info.class_counts.size());
    if (info.labels == LabelKind::kBinary) shape.classes = 2;
  } else if (dataset.own_file && dataset.file.labels == LabelKind::kBinary) {
    shape.classes = 2;
  }
  check_argument(shape.features > 0 || is_toy(federation.setting().model),
                 "[server]",
                 dataset.own_file && dataset.file.layout.format == FileFormat::kText
                     ? "features is missing, and so is columns in [data]; `fedstein data describe FILE` at an agent "
                       "prints what to paste there, and for rows of numbers alone features, their number of columns, "
                       "will do"
                     : "features is missing; the number of columns of the agents' rows must be given");
  check_argument(shape.classes > 0 || federation.setting().model.labels != LabelKind::kMulticlass,
                 "[server]",
                 "classes is missing; the number of classes must be given");
  return shape;
}

}  // namespace fedstein
