// SPDX-License-Identifier: Apache-2.0
#include "summary_text.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "fedstein/base/text.h"
#include "fedstein/experiment/table.h"
#include "judgement_text.h"
#include "readable.h"

namespace fedstein {
namespace {

using Json = nlohmann::ordered_json;
using Link = Coefficients::Link;

// More decimals than this, or numbers longer than that, are easier to read with an exponent.
constexpr int kMostDecimals = 7;
constexpr double kLargestPlain = 1e9;

// As many decimals as its deviation is known to: two significant digits of that.
std::string with_digits_of(double value, double deviation) {
  if (!std::isfinite(value)) return std::isnan(value) ? "-" : value > 0 ? "inf" : "-inf";
  if (!std::isfinite(deviation) || deviation <= 0) return digits_text(value, 5);
  const int decimals = std::max(0, 1 - static_cast<int>(std::floor(std::log10(deviation))));
  if (decimals <= kMostDecimals && std::abs(value) < kLargestPlain) return fixed_text(value, decimals);
  const double digits = std::log10(std::max(std::abs(value), deviation) / deviation);
  return digits_text(value, std::clamp(2 + static_cast<int>(std::ceil(digits)), 2, 15));
}

std::string share(double probability) {
  return std::isnan(probability) ? "-" : fixed_text(probability, 3);
}

std::string ratio(double logarithm) {
  return std::isnan(logarithm) ? "-" : digits_text(std::exp(logarithm), 4);
}

std::string level_name(double value) {
  return digits_text(100 * value, 4) + " %";
}

// What exp of a coefficient is, where people ask for it.
const char* ratio_name(Link link) {
  if (link == Link::kLogOdds || link == Link::kSoftmax) return "odds ratio";
  return link == Link::kLog ? "rate ratio" : nullptr;
}

std::string label_name(const Posterior& posterior) {
  return posterior.table ? readable_line(posterior.table->label) : "the label";
}

std::string headline(const PosteriorSummary& summary, const Posterior& posterior) {
  const std::string label = label_name(posterior);
  switch (summary.link) {
    case Link::kIdentity:
      return "Mean of " + label;
    case Link::kLogOdds:
      return "Log odds that " + label + " is " + readable_line(posterior.class_names.back()) + ", not " +
             readable_line(posterior.class_names.front());
    case Link::kLog:
      return "Logarithm of the mean of " + label;
    case Link::kSoftmax:
      return "Log odds of each class of " + label + " against " + readable_line(posterior.class_names.front());
  }
  return {};
}

std::string coefficients_text(const PosteriorSummary& summary, const Posterior& posterior, bool rich) {
  const bool has_outcomes = summary.link == Link::kSoftmax;
  const char* ratios = ratio_name(summary.link);
  const std::string low = level_name((1 - summary.level) / 2);
  const std::string high = level_name((1 + summary.level) / 2);
  Table table{.header = {"per unit of"}, .text_columns = has_outcomes ? std::size_t{2} : std::size_t{1}};
  if (has_outcomes) table.header.insert(table.header.begin(), "class");
  for (const std::string& word : {std::string("mean"), std::string("sd"), low, high, std::string("P(> 0)")}) {
    table.header.push_back(word);
  }
  if (ratios != nullptr) table.header.insert(table.header.end(), {ratios, low, high});
  for (const CoefficientRow& row : summary.coefficients) {
    std::vector<Cell> cells;
    if (has_outcomes) cells.push_back({readable_line(row.outcome)});
    cells.push_back({readable_line(row.name)});
    for (const double value : {row.mean, row.deviation, row.low, row.high}) {
      cells.push_back({with_digits_of(value, row.deviation)});
    }
    cells.push_back({share(row.above_zero)});
    const bool is_weight = row.name != summary.coefficients.front().name;
    if (ratios != nullptr) {
      for (const double value : {row.mean, row.low, row.high}) cells.push_back({is_weight ? ratio(value) : ""});
    }
    table.rows.push_back(std::move(cells));
  }
  std::string out = headline(summary, posterior) + "\n" + to_text(table, rich);
  if (summary.others.empty()) return out;
  Table others{.header = {"parameter", "median", "sd", low, high}};
  for (const OtherRow& row : summary.others) {
    std::vector<Cell> cells = {{row.name}};
    for (const double value : {row.value, row.deviation, row.low, row.high}) {
      cells.push_back({with_digits_of(value, row.deviation)});
    }
    others.rows.push_back(std::move(cells));
  }
  return out + "\n" + to_text(others, rich);
}

// "Reference: sex=female, embarked=C"
std::string references_line(const Posterior& posterior) {
  std::string out;
  if (!posterior.table) return out;
  for (const TableColumn& column : posterior.table->columns) {
    if (column.categories.size() < 2) continue;
    out += (out.empty() ? "Compared with: " : ", ") + readable_line(column.name + "=" + column.categories.front());
  }
  return out.empty() ? out : out + ".\n";
}

std::string temperature_line(const Posterior& posterior) {
  if (posterior.temperature == 1) return {};
  return "They are those of training: the temperature " + to_text(posterior.temperature) +
         ", to which the posterior was calibrated, is for its predictions.\n";
}

std::string intervals_line(const PosteriorSummary& summary) {
  if (summary.from_covariance) {
    return "Intervals: of a Gaussian around the particles' mean with the posterior's curvature on all training rows.\n";
  }
  if (summary.particles < 2) return "Intervals: none; a single particle has no spread.\n";
  return "Intervals: of the particles' own spread, which may be far too narrow; no curvature came with this "
         "posterior.\n";
}

std::string particles_line(const PosteriorSummary& summary) {
  if (!summary.distinct) return {};
  std::string out = "Particles: " + digits_text(*summary.distinct, 3) + " of " + std::to_string(summary.particles) +
                    " effectively different";
  if (summary.ksd) out += "; KSD " + digits_text(*summary.ksd, 3) + " beside that Gaussian";
  return out + ".\n";
}

std::string columns_text(const Posterior& posterior, bool rich) {
  Table table{.header = {"feature", "least", "greatest"}};
  for (const FeatureFacts& feature : feature_facts(posterior)) {
    const auto shown = [](const std::optional<double>& value) { return value ? digits_text(*value, 7) : "-"; };
    table.rows.push_back({{readable_line(feature.name)}, {shown(feature.low)}, {shown(feature.high)}});
  }
  return "Trained on\n" + to_text(table, rich);
}

// NaN has no JSON.
Json finite_or_null(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

const char* link_name(Link link) {
  switch (link) {
    case Link::kIdentity:
      return "identity";
    case Link::kLogOdds:
      return "log-odds";
    case Link::kLog:
      return "log";
    case Link::kSoftmax:
      return "softmax";
  }
  return "unknown";
}

Json coefficient_json(const CoefficientRow& row, const PosteriorSummary& summary) {
  Json out = {{"name", row.name}};
  if (!row.outcome.empty()) out["class"] = row.outcome;
  out["mean"] = finite_or_null(row.mean);
  out["sd"] = finite_or_null(row.deviation);
  out["low"] = finite_or_null(row.low);
  out["high"] = finite_or_null(row.high);
  out["above_zero"] = finite_or_null(row.above_zero);
  const bool is_weight = row.name != summary.coefficients.front().name;
  if (ratio_name(summary.link) == nullptr || !is_weight) return out;
  const char* key = summary.link == Link::kLog ? "rate_ratio" : "odds_ratio";
  out[key] = {{"value", finite_or_null(std::exp(row.mean))},
              {"low", finite_or_null(std::exp(row.low))},
              {"high", finite_or_null(std::exp(row.high))}};
  return out;
}

}  // namespace

std::string summary_text(const std::optional<PosteriorSummary>& summary, const Posterior& posterior, bool rich) {
  std::string out = posterior_line(posterior) + "\n\n";
  if (!summary) {
    return out + posterior.type + " has " + std::to_string(posterior.particles.cols()) +
           " parameters, none of which says anything by itself.\n\n" + columns_text(posterior, rich);
  }
  return out + coefficients_text(*summary, posterior, rich) + references_line(posterior) + "\n" +
         intervals_line(*summary) + temperature_line(posterior) + particles_line(*summary);
}

std::string summary_json(const std::optional<PosteriorSummary>& summary, const Posterior& posterior) {
  Json out = {{"model", posterior_line(posterior)}, {"type", posterior.type}, {"rows", posterior.facts.rows}};
  if (posterior.table) out["label"] = posterior.table->label;
  if (!posterior.class_names.empty()) out["classes"] = posterior.class_names;
  out["features"] = Json::array();
  for (const FeatureFacts& feature : feature_facts(posterior)) {
    out["features"].push_back({{"name", feature.name},
                               {"least", feature.low ? Json(*feature.low) : Json()},
                               {"greatest", feature.high ? Json(*feature.high) : Json()}});
  }
  out["particles"] = {{"count", posterior.particles.rows()}, {"dimension", posterior.particles.cols()}};
  if (!summary) {
    out["coefficients"] = Json();
    return out.dump(2) + "\n";
  }
  out["particles"]["different"] = summary->distinct ? finite_or_null(*summary->distinct) : Json();
  out["particles"]["ksd"] = summary->ksd ? finite_or_null(*summary->ksd) : Json();
  out["link"] = link_name(summary->link);
  out["level"] = summary->level;
  out["intervals_from"] = summary->from_covariance ? "curvature" : "particles";
  out["coefficients"] = Json::array();
  for (const CoefficientRow& row : summary->coefficients)
    out["coefficients"].push_back(coefficient_json(row, *summary));
  for (const OtherRow& row : summary->others) {
    out["others"].push_back({{"name", row.name},
                             {"median", finite_or_null(row.value)},
                             {"sd", finite_or_null(row.deviation)},
                             {"low", finite_or_null(row.low)},
                             {"high", finite_or_null(row.high)}});
  }
  return out.dump(2) + "\n";
}

}  // namespace fedstein
