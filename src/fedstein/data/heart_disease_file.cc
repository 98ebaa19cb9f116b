// SPDX-License-Identifier: Apache-2.0
#include "fedstein/data/heart_disease_file.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "fedstein/base/check.h"
#include "fedstein/base/counted.h"
#include "fedstein/data/line_reader.h"
#include "fedstein/data/number.h"

namespace fedstein {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

struct ColumnRule {
  const char* name;
  bool may_be_missing = true;
  std::vector<double> codes = {};  // the values there are; empty: any number
};

const std::array<ColumnRule, kHeartColumns>& column_rules() {
  static const std::array<ColumnRule, kHeartColumns> rules = {{{"age", false},
                                                               {"sex", false, {0, 1}},
                                                               {"cp", false, {1, 2, 3, 4}},
                                                               {"trestbps"},
                                                               {"chol"},
                                                               {"fbs", true, {0, 1}},
                                                               {"restecg", true, {0, 1, 2}},
                                                               {"thalach"},
                                                               {"exang", true, {0, 1}},
                                                               {"oldpeak"},
                                                               {"slope", true, {1, 2, 3}},
                                                               {"ca", true, {0, 1, 2, 3}},
                                                               {"thal", true, {3, 6, 7}},
                                                               {"num", false, {0, 1, 2, 3, 4}}}};
  return rules;
}

std::string allowed_by(const ColumnRule& rule) {
  std::string out;
  for (const double code : rule.codes) out += (out.empty() ? "" : ", ") + to_text(code);
  if (out.empty()) out = "a number";
  return rule.may_be_missing ? out + ", or ?, NaN or nothing where it is missing" : out;
}

std::string_view without_blanks(std::string_view field) {
  const std::size_t first = field.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return field.substr(first, field.find_last_not_of(" \t") - first + 1);
}

// What is wrong with a field; empty: nothing.
std::string objection_to(std::string_view field, const ColumnRule& rule, double& value) {
  if (field.empty() || field == "?" || field == "NaN") {
    value = kMissing;
    return rule.may_be_missing ? "" : "found " + in_quotes(field) + "; expected " + allowed_by(rule);
  }
  // In double whatever the build's Real is, so that means do not depend on it.
  const char* const end = field.data() + field.size();
  if (read_plain_number(field.data(), end, value) != end) {
    std::string problem;
    value = static_cast<double>(parse_number(field, problem));
    if (!problem.empty()) return "found " + in_quotes(field) + "; expected " + allowed_by(rule);
  }
  const bool known = rule.codes.empty() || std::find(rule.codes.begin(), rule.codes.end(), value) != rule.codes.end();
  return known ? "" : "found " + in_quotes(field) + "; expected " + allowed_by(rule);
}

std::array<double, kHeartColumns> read_patient(std::string_view line, const LineReader& lines) {
  const auto fields = static_cast<Index>(std::count(line.begin(), line.end(), ',')) + 1;
  if (fields != kHeartColumns) {
    lines.fail("found " + counted(fields, "column") + " in " + in_quotes(line) + "; expected " +
               std::to_string(kHeartColumns) + ", age to num, separated by commas");
  }
  std::array<double, kHeartColumns> out{};
  std::size_t begin = 0;
  for (std::size_t column = 0; column < out.size(); ++column) {
    const std::size_t end = std::min(line.find(',', begin), line.size());
    const ColumnRule& rule = column_rules()[column];
    const std::string objection = objection_to(without_blanks(line.substr(begin, end - begin)), rule, out[column]);
    if (!objection.empty()) lines.fail("column " + in_quotes(rule.name) + ": " + objection);
    begin = end + 1;
  }
  return out;
}

}  // namespace

DoubleMatrix read_patients(ByteSource source) {
  LineReader lines(std::move(source));
  std::vector<std::array<double, kHeartColumns>> patients;
  std::string_view line;
  while (lines.next(line)) patients.push_back(read_patient(line, lines));
  DoubleMatrix out(static_cast<Index>(patients.size()), Index{kHeartColumns});
  for (Index row = 0; row < out.rows(); ++row) {
    const auto& values = patients[static_cast<std::size_t>(row)];
    for (Index column = 0; column < kHeartColumns; ++column) {
      out(row, column) = values[static_cast<std::size_t>(column)];
    }
  }
  return out;
}

}  // namespace fedstein
