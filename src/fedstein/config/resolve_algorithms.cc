// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "fedstein/config/definitions.h"
#include "fedstein/config/key_lookup.h"
#include "fedstein/config/own_defaults.h"
#include "fedstein/config/paper_defaults.h"
#include "fedstein/config/preset.h"
#include "fedstein/config/resolve.h"
#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

// N x d numbers beyond which no machine of today holds the particles.
constexpr double kMostNumbers = 1e10;

class AlgorithmResolver {
 public:
  AlgorithmResolver(const Point& point, const ModelFacts& model, const CasePlan& plan, Resolution& resolution)
      : point_(point), model_(model), plan_(plan), resolution_(resolution), federation_(point.document, "federation") {}

  AlgorithmPlan resolve(const Section& section, const Algorithm& method) {
    AlgorithmPlan out{.label = label_of(section), .method = &method, .settings = Settings(method.settings)};
    if (is_paper(point_.document)) {
      apply_paper_defaults(plan_.model.type, plan_.dataset.name, &method, out.settings);
    } else {
      apply_own_defaults(*model_.instance, out.settings);
    }
    const auto shared = point_.document.tables.find("hyperparameters");
    if (shared != point_.document.tables.end()) set_shared(shared->second, method, section, out);
    set_own(section, method, out);
    out.rounds = std::get<Index>(own_or_shared(section, "rounds").first);
    resolve_scheduler(section, method, out);
    resolve_alone(section, out);
    check_model(section, method, out);
    return out;
  }

 private:
  // The method's own key, or else that of [federation]; with the value that gave it, if any.
  std::pair<SettingValue, const Value*> own_or_shared(const Section& section, const std::string& key) const {
    const Setting& setting = *find_setting(table_definitions("algorithm"), key);
    const Value* own = find(section.entries, key);
    SettingValue value;
    if (own != nullptr && accepts(setting, *own) && to_setting(*own, setting, value)) return {value, own};
    return {federation_.at(key), federation_.given(key)};
  }

  // Those of [hyperparameters] that the method has and does not set itself.
  void set_shared(const Section& shared, const Algorithm& method, const Section& own, AlgorithmPlan& out) {
    for (const Entry& entry : shared.entries) {
      const Setting* setting = find_setting(method.settings, entry.key);
      if (setting == nullptr || find(own.entries, entry.key) != nullptr || set(*setting, entry.value, out)) continue;
      // What no method takes, the first reading has refused.
      if (!any_accepts(candidates_in_table(resolution_.definitions, point_.document, "hyperparameters", entry.key),
                       entry.value))
        continue;
      resolution_.mistakes.refuse(
          entry.value, "hyperparameters." + entry.key, "allowed for " + method.name + ": " + allowed_text(*setting));
    }
  }

  static void set_own(const Section& own, const Algorithm& method, AlgorithmPlan& out) {
    for (const Entry& entry : own.entries) {
      const Setting* setting = find_setting(method.settings, entry.key);
      if (setting != nullptr) set(*setting, entry.value, out);  // a wrong one was refused by the first reading
    }
  }

  static bool set(const Setting& setting, const Value& given, AlgorithmPlan& out) {
    SettingValue value;
    if (!accepts(setting, given) || !to_setting(given, setting, value)) return false;
    out.settings.set(setting.key, value);
    return true;
  }

  void resolve_scheduler(const Section& section, const Algorithm& method, AlgorithmPlan& out) {
    const auto [kind, kind_value] = own_or_shared(section, "scheduler");
    const auto [fraction, fraction_value] = own_or_shared(section, "fraction");
    const bool by_fraction = std::get<std::string>(kind) == "fraction" && !method.centralised;
    const Value* own_kind = find(section.entries, "scheduler");
    const bool wrong_kind = own_kind == nullptr ? federation_.is_wrong("scheduler") : own_kind != kind_value;
    if (fraction_value != nullptr && !wrong_kind) {
      const bool own = fraction_value == find(section.entries, "fraction");
      resolution_.effects.note(*fraction_value,
                               own ? "algorithm.fraction" : "federation.fraction",
                               by_fraction,
                               "it is for the scheduler fraction only, and for methods with several agents");
    }
    if (method.centralised) return;  // one agent, always
    out.scheduler.kind = std::get<std::string>(kind);
    if (out.scheduler.kind == kAuto) out.scheduler.kind = method.parallel ? "all" : "round-robin";
    if (by_fraction) out.scheduler.fraction = std::get<double>(fraction);
    if (method.parallel || !takes_several(out.scheduler, plan_.partition.agents)) return;
    const bool own = kind_value == find(section.entries, "scheduler");
    resolution_.mistakes.refuse(*kind_value,
                                own ? "algorithm.scheduler" : "federation.scheduler",
                                method.name +
                                    " takes one agent a round; allowed for it: round-robin, random, weighted" +
                                    (own ? "" : " (say so in its [[algorithm]])"));
  }

  // How many agents there are is not known before the rows are read where each group is one: the run says it then.
  void resolve_alone(const Section& section, AlgorithmPlan& out) {
    const Setting& setting = *find_setting(table_definitions("algorithm"), "alone");
    const Value* given = find(section.entries, "alone");
    SettingValue value;
    if (given == nullptr || !accepts(setting, *given) || !to_setting(*given, setting, value)) return;
    out.alone = std::get<Index>(value);
    const Index agents = plan_.partition.agents;
    if (agents == 0 || *out.alone < agents) return;
    resolution_.mistakes.refuse(
        *given,
        "algorithm.alone",
        "there are " + std::to_string(agents) + " agents; allowed: 0 to " + std::to_string(agents - 1));
  }

  void check_model(const Section& section, const Algorithm& method, const AlgorithmPlan& out) {
    const std::string objection = method.objection ? method.objection(*model_.instance) : std::string();
    if (!objection.empty()) {
      const Value* type = find(section.entries, "type");
      resolution_.mistakes.refuse(
          *type,
          "algorithm.type",
          "it cannot learn the " + plan_.model.type + " of " + plan_.dataset.name + ": " + objection);
    }
    if (!out.settings.has("particles")) return;
    const double numbers =
        static_cast<double>(out.settings.integer("particles")) * static_cast<double>(model_.instance->dimension());
    if (numbers <= kMostNumbers) return;
    resolution_.mistakes.add(section.line,
                             "algorithm.particles",
                             "is " + std::to_string(out.settings.integer("particles")) + "; with " +
                                 std::to_string(model_.instance->dimension()) +
                                 " parameters each that is more than 1e10 numbers");
  }

  const Point& point_;
  const ModelFacts& model_;
  const CasePlan& plan_;
  Resolution& resolution_;
  TableView federation_;
};

bool is_restricted_away(const Section& section, const Point& point) {
  const Value* cases = find(section.entries, "cases");
  if (cases == nullptr || cases->list() == nullptr) return false;
  return std::none_of(cases->list()->begin(), cases->list()->end(), [&](const Value& name) {
    return name.text() != nullptr && *name.text() == point.case_name;
  });
}

// Whether another value of the swept key gives this method something else to compute.
bool feels(const Section& section, const Algorithm& method, const std::string& path) {
  constexpr std::string_view kShared = "hyperparameters.";
  if (path.starts_with("algorithm.")) return path.starts_with("algorithm." + label_of(section) + ".");
  if (!path.starts_with(kShared)) return true;
  const std::string key = path.substr(kShared.size());
  return find_setting(method.settings, key) != nullptr && find(section.entries, key) == nullptr;
}

bool is_repetition(const Section& section, const Algorithm& method, const Point& point) {
  return std::any_of(point.swept.begin(), point.swept.end(), [&](const SweptKey& swept) {
    return !swept.at_first && !feels(section, method, swept.path);
  });
}

}  // namespace

bool takes_several(const SchedulerPlan& scheduler, Index agents) {
  if (scheduler.kind == "all") return agents != 1;
  if (scheduler.kind != "fraction") return false;
  return agents == 0 || std::lround(scheduler.fraction * static_cast<double>(agents)) > 1;
}

std::vector<AlgorithmPlan> resolve_algorithms(const Point& point,
                                              const ModelFacts& model,
                                              const CasePlan& plan,
                                              Resolution& resolution) {
  AlgorithmResolver resolver(point, model, plan, resolution);
  std::vector<AlgorithmPlan> out;
  for (const Section& section : point.document.algorithms) {
    const Algorithm* method = method_of(section, resolution.definitions.registry());
    if (method == nullptr || is_restricted_away(section, point) || is_repetition(section, *method, point)) continue;
    out.push_back(resolver.resolve(section, *method));
  }
  return out;
}

}  // namespace fedstein
