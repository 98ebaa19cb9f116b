// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "fedstein/base/instead_of.h"
#include "fedstein/config/check_names.h"
#include "fedstein/config/definitions.h"
#include "fedstein/config/key_lookup.h"
#include "fedstein/config/mapped_cases.h"
#include "fedstein/data/registry.h"
#include "fedstein/data/unseen_rows.h"
#include "fedstein/evaluation/by_group.h"
#include "fedstein/evaluation/unseen.h"
#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

bool needs_x(const std::string& kind) {
  return kind == "sweep" || kind == "bars";
}

bool needs_metric(const std::string& kind) {
  return kind == "rounds" || kind == "bytes" || needs_x(kind);
}

bool has_classes(const CasePlan& plan) {
  return plan.model.labels == LabelKind::kBinary || plan.model.labels == LabelKind::kMulticlass;
}

// 0: not known before the file is read.
Index features_of(const DatasetPlan& plan) {
  if (plan.table) return feature_count(*plan.table);
  return plan.own_file ? plan.file.layout.features : find_dataset(plan.name).features;
}

// Of foreign rows.
void add_unseen_metrics(const CasePlan& plan, std::set<std::string>& names) {
  std::vector<std::string> sets = plan.evaluation.unseen;
  if (plan.dataset.unseen_class) sets.emplace_back(kUnseenClassSet);
  if (plan.dataset.unseen_group) sets.emplace_back(kUnseenGroupSet);
  for (const std::string& set : sets) names.insert({kUnseenFigure + set, kUnseenTotalFigure + set});
}

// Of groups that have names; others are known once the rows are read.
void add_group_metrics(const CasePlan& plan, std::set<std::string>& names) {
  if (!plan.evaluation.by_group || plan.dataset.own_file) return;
  for (const std::string& group : find_dataset(plan.dataset.name).group_names) {
    for (const std::string& figure : figures_by_group(has_classes(plan))) names.insert(figure + "@" + group);
  }
}

// What a run of the plan records, round by round (evaluation/evaluation.h, evaluation/diagnostics.h).
std::set<std::string> metrics_of(const CasePlan& plan) {
  std::set<std::string> names = {"spread", "seconds"};
  if (plan.evaluation.ksd) names.insert({"ksd", "spread_ratio", "collapsed"});
  add_unseen_metrics(plan, names);
  add_group_metrics(plan, names);
  const bool validated = plan.validation.share > 0;
  switch (plan.model.labels) {
    case LabelKind::kRegression:
    case LabelKind::kCounts:
      names.insert({"rmse", "log_likelihood", "coverage"});
      if (validated) names.insert({"validation_rmse", "validation_log_likelihood", "validation_coverage"});
      break;
    case LabelKind::kBinary:
    case LabelKind::kMulticlass:
      names.insert({"accuracy", "log_likelihood", "ece", "mce", "brier", "confidence"});
      if (validated) {
        names.insert({"validation_accuracy", "validation_log_likelihood", "validation_ece", "validation_confidence"});
      }
      if (plan.evaluation.f1) names.insert("f1");
      for (const double share : plan.evaluation.abstention) names.insert("answered@" + to_text(share));
      break;
    case LabelKind::kDensity:
      names.insert({"free_energy", "kl", "kl_reverse"});
      for (const double bandwidth : plan.evaluation.kl_bandwidths) names.insert("kl@" + to_text(bandwidth));
      break;
  }
  return names;
}

class FigureReader {
 public:
  FigureReader(const Plan& plan, Mistakes& mistakes) : mistakes_(mistakes) {
    for (const CasePlan& each : plan.cases) {
      metrics_.merge(metrics_of(each));
      labels_.insert(each.model.labels);
      maps_ = maps_ || draws_maps(each);
      types_.insert(each.model.type);
      for (const auto& [key, value] : each.coordinates) coordinates_.insert(key);
    }
  }

  FigurePlan read(const Section& section) {
    const std::string kind = text(section, "kind");
    FigurePlan out{
        .kind = kind, .title = text(section, "title"), .metric = text(section, "metric"), .x = text(section, "x")};
    if (kind.empty()) return out;  // said already
    reference(section, kind, "metric", out.metric, needs_metric(kind), metrics_);
    reference(section, kind, "x", out.x, needs_x(kind), coordinates_);
    const std::string lack = what_lacks(kind);
    if (!lack.empty()) mistakes_.add(section.line, "figure.kind", "is '" + kind + "'; " + lack);
    return out;
  }

 private:
  // Why no case of the experiment has anything to draw in such a figure; empty: one has.
  std::string what_lacks(const std::string& kind) const {
    const auto learns = [&](LabelKind a, LabelKind b) { return labels_.contains(a) || labels_.contains(b); };
    const auto has_type = [&](const auto& wanted) { return std::any_of(types_.begin(), types_.end(), wanted); };
    const auto is_network = [](const std::string& type) { return type.starts_with("bnn-"); };
    const auto is_toy_type = [](const std::string& type) { return type.starts_with("gaussian-mixture-"); };
    if ((kind == "reliability" || kind == "abstention") && !learns(LabelKind::kBinary, LabelKind::kMulticlass)) {
      return "no case of the experiment has classes";
    }
    if ((kind == "predicted" || kind == "coverage") && !learns(LabelKind::kRegression, LabelKind::kCounts)) {
      return "no case of the experiment is a regression";
    }
    if (kind == "map" && !maps_) return "no case of the experiment has classes and two features";
    if (kind == "spread" && !has_type(is_network)) return "no case has a network";
    const auto is_readable = [&](const std::string& type) { return !is_network(type) && !is_toy_type(type); };
    if (kind == "coefficients" && !has_type(is_readable)) return "no case has a model with coefficients";
    if (kind.starts_with("posterior-") && !types_.contains("gaussian-mixture-" + kind.substr(10))) {
      return "no case has a gaussian-mixture-" + kind.substr(10);
    }
    return {};
  }

  static std::string text(const Section& section, const std::string& key) {
    const Value* value = find(section.entries, key);
    const Setting& setting = *find_setting(table_definitions("figure"), key);
    return value != nullptr && accepts(setting, *value) ? *value->text() : std::string();
  }

  void reference(const Section& section,
                 const std::string& kind,
                 const std::string& key,
                 const std::string& value,
                 bool needed,
                 const std::set<std::string>& names) {
    const Value* given = find(section.entries, key);
    const std::string path = "figure." + key;
    if (given == nullptr) {
      if (needed)
        mistakes_.add(
            section.line, path, "is missing; the kind " + kind + " needs it: " + listed({names.begin(), names.end()}));
    } else if (!needed) {
      mistakes_.refuse(*given, path, "the kind " + kind + " has none; leave it out");
    } else if (!names.contains(value) && !names.empty()) {
      mistakes_.refuse(
          *given,
          path,
          "the experiment has none" + instead_of(value, {names.begin(), names.end()}, {.shown = shown_text}));
    }
  }

  Mistakes& mistakes_;
  std::set<std::string> metrics_;
  std::set<std::string> coordinates_;
  std::set<std::string> types_;
  std::set<LabelKind> labels_;
  bool maps_ = false;
};

}  // namespace

bool draws_maps(const CasePlan& case_plan) {
  if (!has_classes(case_plan)) return false;
  const Index features = features_of(case_plan.dataset);
  return features == 0 || features == 2;
}

std::vector<FigurePlan> resolve_figures(const Document& document, const Plan& plan, Mistakes& mistakes) {
  std::vector<FigurePlan> out;
  if (plan.cases.empty()) return out;  // there is nothing to compare the figures with
  FigureReader reader(plan, mistakes);
  for (const Section& section : document.figures) out.push_back(reader.read(section));
  return out;
}

}  // namespace fedstein
