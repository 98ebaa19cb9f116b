// SPDX-License-Identifier: Apache-2.0
#include "fedstein/evaluation/by_group.h"

#include <algorithm>

#include "fedstein/numeric/check.h"

namespace fedstein {

std::string RowGroups::name_of(Index group) const {
  if (group < static_cast<Index>(names.size())) return names[static_cast<std::size_t>(group)];
  return std::to_string(group);
}

EvaluationByGroup::EvaluationByGroup(const Model& model,
                                     const Batch& test,
                                     const RowGroups& groups,
                                     const EvaluationOptions& options) {
  check_argument(static_cast<Index>(groups.of_row.size()) == test.rows(), "EvaluationByGroup", [&] {
    return std::to_string(groups.of_row.size()) + " rows have a group and there are " + std::to_string(test.rows()) +
           " test rows; every one must have one";
  });
  std::map<Index, std::vector<Index>> rows;
  for (std::size_t row = 0; row < groups.of_row.size(); ++row) {
    if (groups.of_row[row] >= 0) rows[groups.of_row[row]].push_back(static_cast<Index>(row));
  }
  check_argument(!rows.empty(), "EvaluationByGroup", "no test row belongs to a group; leave evaluation.by_group out");
  EvaluationOptions plain = options;
  plain.f1 = false;
  plain.abstained.clear();
  plain.sureness = false;
  for (const auto& [group, indices] : rows) {
    Group& one = groups_[groups.name_of(group)];
    one.x = test.x(indices, Eigen::all);
    one.y = test.y(indices);
    one.evaluation = std::make_unique<Evaluation>(model, Batch{one.x, one.y}, plain);
  }
}

std::map<std::string, double> EvaluationByGroup::figures(const Particles& particles) const {
  std::map<std::string, double> out;
  for (const auto& [name, group] : groups_) {
    const std::map<std::string, double> all = group.evaluation->figures(particles);
    for (const std::string& figure : figures_by_group(all.contains("accuracy"))) {
      out[figure + "@" + name] = all.at(figure);
    }
  }
  return out;
}

Next EvaluationByGroup::on_round(RoundRecord& record, const Particles& particles) {
  for (const auto& [name, value] : figures(particles)) record.figures[name] = value;
  return Next::kContinue;
}

const std::vector<std::string>& figures_by_group(bool classes) {
  static const std::vector<std::string> of_classes = {"accuracy", "log_likelihood"};
  static const std::vector<std::string> of_targets = {"rmse", "log_likelihood"};
  return classes ? of_classes : of_targets;
}

bool is_by_group(const std::string& figure) {
  const std::size_t at = figure.find('@');
  if (at == std::string::npos) return false;
  const auto gives = [kind = figure.substr(0, at)](bool classes) {
    const std::vector<std::string>& given = figures_by_group(classes);
    return std::find(given.begin(), given.end(), kind) != given.end();
  };
  return gives(true) || gives(false);
}

}  // namespace fedstein
