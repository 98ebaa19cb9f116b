// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <nlohmann/json.hpp>

#include "fedstein/base/text.h"
#include "fedstein/evaluation/by_group.h"
#include "fedstein/evaluation/unseen.h"
#include "fedstein/numeric/config.h"
#include "fedstein/report/case_json.h"
#include "fedstein/report/details_json.h"
#include "fedstein/report/map_json.h"
#include "fedstein/report/posterior_json.h"
#include "fedstein/report/reliability_json.h"
#include "fedstein/report/report.h"
#include "fedstein/report/rounded.h"
#include "fedstein/report/series_json.h"

namespace fedstein {
namespace {

using Json = nlohmann::json;

// Text that was JSON when it was stored.
Json parsed(const std::string& text) {
  if (json_nesting(text) > kMostJsonNesting) return text;
  Json json = Json::parse(text, nullptr, false);
  return json.is_discarded() ? Json(text) : json;
}

// The page lists it as names and values.
Json host_json(const std::string& text) {
  Json host = parsed(text);
  return host.is_object() ? host : Json::object();
}

Json figures_json(const Plan& plan) {
  Json out = Json::array();
  for (const FigurePlan& figure : plan.figures) {
    out.push_back({{"kind", figure.kind}, {"title", figure.title}, {"metric", figure.metric}, {"x", figure.x}});
  }
  return out;
}

std::string target_text(const ComparisonOptions& options) {
  if (options.target_figure.empty())
    return "95 % of the best final value of the case, or 105 % of the least where less is better; reached and held "
           "until "
           "the end";
  return options.target_figure + " of " + rounded(options.target, kMeanDigits).dump() +
         "; reached and held until the end";
}

Json comparison_of(const ReportedRun& run) {
  Comparison comparison = compare(run.result, run.comparison);
  // A curve has a figure of its own; as columns its points would hide the rest. So would the less telling half of what
  // is said of foreign rows, and the figures of each group.
  std::erase_if(comparison.figures, [](const std::string& name) {
    return name.starts_with("answered@") || name.starts_with(kUnseenTotalFigure) || is_by_group(name);
  });
  std::map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < run.result.cases.size(); ++i) index[run.result.cases[i].name] = i;
  Json rows = Json::array();
  for (const ComparisonRow& row : comparison.rows) {
    Json figures = Json::object();
    for (const auto& [name, estimate] : row.final_figures) {
      figures[name] = {rounded(estimate.mean, kMeanDigits),
                       estimate.trials > 1 ? rounded(estimate.error, kErrorDigits) : Json()};
    }
    rows.push_back({{"case", index.at(row.case_name)},
                    {"algorithm", row.label},
                    {"figures", figures},
                    {"trials", row.trials},
                    {"failed", row.failed},
                    {"rounds", row.rounds},
                    {"bytes", rounded(row.bytes, 15)},
                    {"seconds", rounded(row.seconds, kErrorDigits)},
                    {"rounds_to_target", row.rounds_to_target ? Json(*row.rounds_to_target) : Json()},
                    {"bytes_to_target", row.bytes_to_target ? rounded(*row.bytes_to_target, 15) : Json()},
                    {"verdict", {{"kind", name_of(row.verdict.worst.kind)}, {"text", row.verdict.text()}}}});
  }
  return {{"figures", comparison.figures}, {"target", target_text(run.comparison)}, {"rows", rows}};
}

Json claims_of(const std::vector<ClaimResult>& claims) {
  Json out = Json::array();
  for (const ClaimResult& claim : claims) {
    out.push_back({{"name", claim.name},
                   {"claim", claim.text},
                   {"settings", claim.settings()},
                   {"figures", claim.figures},
                   {"holds", claim.holds}});
  }
  return out;
}

// A collapsed posterior looks like any other from outside: it has to be said, unless the method's verdict does.
Json warnings_json(const RunResult& result) {
  Json out = Json::array();
  for (const CaseResult& case_result : result.cases) {
    for (const MethodResult& method : case_result.methods) {
      std::size_t collapsed = 0;
      std::size_t judged = 0;
      for (const double value : values_at(method, "collapsed")) {
        ++judged;
        collapsed += value > 0 ? 1 : 0;
      }
      if (collapsed == 0 || verdict_of(method).worst.kind == RunVerdict::Kind::kCollapsed) continue;
      const std::string where = result.cases.size() > 1 ? " (" + case_result.name + ")" : "";
      out.push_back(
          method.label + where + ": the particles collapsed in " + std::to_string(collapsed) + " of " +
          std::to_string(judged) +
          " trials; they spread less than a third as far as the posterior asks, so its predictions are too sure.");
    }
  }
  return out;
}

Json run_json(const ReportedRun& run) {
  const RunResult& result = run.result;
  const RunFacts& facts = result.run.facts;
  Json series = Json::array();
  Json reliability = Json::array();
  for (std::size_t case_index = 0; case_index < result.cases.size(); ++case_index) {
    for (const MethodResult& method : result.cases[case_index].methods) {
      series.push_back(series_json(result, case_index, method));
      Json diagram = reliability_json(*run.store, case_index, method);
      if (!diagram.is_null()) reliability.push_back(std::move(diagram));
    }
  }
  PosteriorJson posterior = posterior_json(*run.store, result);
  DetailsJson details = details_json(*run.store, result);
  return {{"name", facts.name},
          {"title", facts.title},
          {"started", result.run.started},
          {"finished", result.run.finished},
          {"version", facts.version},
          {"precision", facts.precision},
          {"seed", std::to_string(facts.seed)},
          {"trials", result.plan.trials},
          {"host", host_json(facts.host)},
          {"command", facts.command},
          {"configuration", parsed(facts.configuration)},
          {"document", facts.document},
          {"cases", cases_json(*run.store, result)},
          {"series", std::move(series)},
          {"reliability", std::move(reliability)},
          {"abstention", std::move(details.abstention)},
          {"posterior1d", std::move(posterior.one_dimension)},
          {"posterior2d", std::move(posterior.two_dimensions)},
          {"coefficients", std::move(details.coefficients)},
          {"layers", std::move(details.layers)},
          {"predicted", std::move(details.predicted)},
          {"coverage", std::move(details.coverage)},
          {"maps", map_json(*run.store, result)},
          {"figures", figures_json(result.plan)},
          {"comparison", comparison_of(run)},
          {"claims", claims_of(run.claims)},
          {"warnings", warnings_json(result)}};
}

}  // namespace

std::string report_json(const std::vector<ReportedRun>& runs, const std::string& generated) {
  Json all = Json::array();
  for (const ReportedRun& run : runs) all.push_back(run_json(run));
  const Json report = {
      {"format", kReportFormat}, {"generated", generated}, {"version", FEDSTEIN_VERSION}, {"runs", std::move(all)}};
  // Names may hold any bytes: what is not UTF-8 becomes a replacement character instead of an exception.
  return report.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace fedstein
