// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "fedstein/base/instead_of.h"
#include "fedstein/config/check_names.h"
#include "fedstein/config/definitions.h"
#include "fedstein/config/key_lookup.h"
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
  const bool classes = plan.model.labels == LabelKind::kBinary || plan.model.labels == LabelKind::kMulticlass;
  for (const std::string& group : find_dataset(plan.dataset.name).group_names) {
    for (const std::string& figure : figures_by_group(classes)) names.insert(figure + "@" + group);
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
      abstains_ = abstains_ || !each.evaluation.abstention.empty();
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
    if (kind == "reliability" && !labels_.contains(LabelKind::kBinary) && !labels_.contains(LabelKind::kMulticlass)) {
      mistakes_.add(section.line, "figure.kind", "is 'reliability'; no case of the experiment has classes");
    }
    if (kind == "abstention" && !abstains_) {
      mistakes_.add(section.line, "figure.kind", "is 'abstention'; evaluation.abstention lists no shares of rows");
    }
    if (kind.starts_with("posterior-") && !types_.contains("gaussian-mixture-" + kind.substr(10))) {
      mistakes_.add(
          section.line, "figure.kind", "is '" + kind + "'; no case has a gaussian-mixture-" + kind.substr(10));
    }
    return out;
  }

 private:
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
  bool abstains_ = false;
};

}  // namespace

std::vector<FigurePlan> resolve_figures(const Document& document, const Plan& plan, Mistakes& mistakes) {
  std::vector<FigurePlan> out;
  if (plan.cases.empty()) return out;  // there is nothing to compare the figures with
  FigureReader reader(plan, mistakes);
  for (const Section& section : document.figures) out.push_back(reader.read(section));
  return out;
}

}  // namespace fedstein
