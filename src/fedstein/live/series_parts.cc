// SPDX-License-Identifier: Apache-2.0
#include "fedstein/live/series_parts.h"

#include <nlohmann/json.hpp>
#include <set>

#include "fedstein/report/reliability_json.h"
#include "fedstein/report/rounded.h"

namespace fedstein {
namespace {

using Json = nlohmann::json;
using Row = std::pair<const Index, SeriesCurve::Row>;

constexpr std::size_t kRowsOfPiece = 32;

std::string line_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json figure_json(const std::vector<const Row*>& rows, const std::string& name) {
  Json mean = Json::array();
  Json error = Json::array();
  bool has_errors = false;
  for (const Row* row : rows) {
    const auto found = row->second.figures.find(name);
    const bool known = found != row->second.figures.end();
    mean.push_back(known ? rounded(found->second.mean(), kMeanDigits) : Json());
    error.push_back(known ? rounded(found->second.error(), kErrorDigits) : Json());
    has_errors = has_errors || !error.back().is_null();
  }
  Json out = {{"mean", mean}};
  if (has_errors) out["error"] = error;
  return out;
}

Json piece_json(const std::vector<const Row*>& rows) {
  Json rounds = Json::array();
  Json bytes = Json::array();
  Json seconds = Json::array();
  std::set<std::string> names;
  for (const Row* row : rows) {
    rounds.push_back(row->first);
    bytes.push_back(rounded(row->second.bytes.mean(), 15));
    seconds.push_back(rounded(row->second.seconds.mean(), 4));
    for (const auto& [name, value] : row->second.figures) names.insert(name);
  }
  Json figures = Json::object();
  for (const std::string& name : names) figures[name] = figure_json(rows, name);
  return {{"rounds", rounds}, {"bytes", bytes}, {"seconds", seconds}, {"figures", figures}};
}

}  // namespace

void show_series(Board::Parts& parts, const SeriesFacts& facts, const SeriesCurve& curve) {
  const std::string name = "series." + std::to_string(facts.index);
  parts[name] = line_of({{"case", facts.case_index},
                         {"algorithm", facts.label},
                         {"method", facts.method},
                         {"centralised", facts.centralised},
                         {"trials", facts.trials},
                         {"stride", curve.stride()}});
  std::vector<const Row*> rows;
  std::size_t piece = 0;
  const auto put = [&] {
    if (!rows.empty()) parts[name + "." + std::to_string(piece++)] = line_of(piece_json(rows));
    rows.clear();
  };
  for (const Row& row : curve.rows()) {
    rows.push_back(&row);
    if (rows.size() == kRowsOfPiece) put();
  }
  put();
}

void show_reliability(Board::Parts& parts,
                      const SeriesFacts& facts,
                      Index round,
                      const std::vector<ReliabilityBin>& bins) {
  const Json diagram = reliability_json(facts.case_index, facts.label, round, bins);
  if (!diagram.is_null()) parts["reliability." + std::to_string(facts.index)] = line_of(diagram);
}

}  // namespace fedstein
