// SPDX-License-Identifier: Apache-2.0
#include "fedstein/config/expand.h"

#include <algorithm>
#include <map>

#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

struct Swept {
  std::string path;
  std::string coordinate;
  ValueList values;
};

std::vector<CaseSection> cases_of(const Document& document) {
  if (!document.cases.empty()) return document.cases;
  const auto experiment = document.tables.find("experiment");
  return {{.name = {}, .line = experiment == document.tables.end() ? 1 : experiment->second.line}};
}

std::string last_word(const std::string& path) {
  return path.substr(path.rfind('.') + 1);
}

// Only lists count; a wrong one has been complained about.
std::vector<Swept> swept_keys(const Document& document, const CaseSection& section) {
  std::vector<Swept> out;
  std::map<std::string, int> words;
  for (const Override& each : sweep_of(document, section)) {
    if (each.value.list() == nullptr || each.value.list()->empty() || !find_target(document, each.path)) continue;
    out.push_back({each.path, last_word(each.path), *each.value.list()});
    ++words[out.back().coordinate];
  }
  for (Swept& each : out) {
    if (words[each.coordinate] > 1) each.coordinate = each.path;
  }
  return out;
}

// What tables and algorithms a case has.
Document document_of(const Document& document, const CaseSection& section) {
  Document out;
  out.tables = document.tables;
  out.algorithms = document.algorithms;
  for (const Override& change : section.overrides) apply(out, change);
  return out;
}

// None: the model brings its data with it, or the document is wrong.
std::vector<Value> datasets_of(const Document& document) {
  const auto experiment = document.tables.find("experiment");
  const Value* given = experiment == document.tables.end() ? nullptr : find(experiment->second.entries, "dataset");
  if (given == nullptr) return {};
  return given->list() == nullptr ? std::vector<Value>{*given} : *given->list();
}

std::string plain(const Value& value) {
  return value.text() == nullptr ? shown(value) : *value.text();
}

// The paper's letters, where it has one.
std::string symbol(const std::string& coordinate) {
  static const std::map<std::string, std::string> symbols = {
      {"agents", "K"}, {"particles", "N"}, {"local_steps", "L"}, {"rounds", "I"}};
  const auto found = symbols.find(coordinate);
  return found == symbols.end() ? coordinate : found->second;
}

std::string toy_of(const Document& document) {
  const auto model = document.tables.find("model");
  const Value* type = model == document.tables.end() ? nullptr : find(model->second.entries, "type");
  return type == nullptr ? "" : plain(*type);
}

// place: of each swept key, the number of its value.
Point make_point(const Document& base,
                 const CaseSection& section,
                 const Value* dataset,
                 const std::vector<Swept>& swept,
                 const std::vector<std::size_t>& place) {
  Point point{.case_name = section.name, .line = section.line, .document = base};
  if (dataset != nullptr) set(point.document.tables["experiment"].entries, "dataset", *dataset);
  for (std::size_t i = 0; i < swept.size(); ++i) {
    apply(point.document, {swept[i].path, swept[i].values[place[i]]});
    point.swept.push_back({swept[i].path, place[i] == 0});
  }
  point.name = dataset == nullptr ? toy_of(point.document) : plain(*dataset);
  point.coordinates.emplace_back("dataset", point.name);
  if (!section.name.empty()) {
    point.coordinates.emplace_back("case", section.name);
    point.name += ", " + section.name;
  }
  for (std::size_t i = 0; i < swept.size(); ++i) {
    const std::string value = plain(swept[i].values[place[i]]);
    point.coordinates.emplace_back(swept[i].coordinate, value);
    point.name += ", " + symbol(swept[i].coordinate) + " = " + value;
  }
  return point;
}

// The next combination, the last key running fastest; false after the last one.
bool advance(std::vector<std::size_t>& place, const std::vector<Swept>& swept) {
  for (std::size_t i = place.size(); i-- > 0;) {
    if (++place[i] < swept[i].values.size()) return true;
    place[i] = 0;
  }
  return false;
}

}  // namespace

double count_points(const Document& document) {
  double total = 0;
  for (const CaseSection& section : cases_of(document)) {
    double points = static_cast<double>(std::max<std::size_t>(1, datasets_of(document_of(document, section)).size()));
    for (const Swept& each : swept_keys(document, section)) points *= static_cast<double>(each.values.size());
    total += points;
  }
  return total;
}

void for_each_point(const Document& document, const std::function<void(const Point&)>& visit) {
  for (const CaseSection& section : cases_of(document)) {
    const Document base = document_of(document, section);
    const std::vector<Swept> swept = swept_keys(document, section);
    const std::vector<Value> datasets = datasets_of(base);
    for (std::size_t i = 0; i < std::max<std::size_t>(1, datasets.size()); ++i) {
      std::vector<std::size_t> place(swept.size(), 0);
      do {
        visit(make_point(base, section, datasets.empty() ? nullptr : &datasets[i], swept, place));
      } while (advance(place, swept));
    }
  }
}

}  // namespace fedstein
