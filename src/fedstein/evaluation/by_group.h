// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "fedstein/evaluation/evaluation.h"

namespace fedstein {

// Which group each test row belongs to: patient, sensor, hospital.
struct RowGroups {
  std::vector<Index> of_row = {};       // a negative one: nobody's
  std::vector<std::string> names = {};  // of groups 0, 1, ...; a group beyond them is called by its number

  std::string name_of(Index group) const;
};

// Figures of each group's test rows by themselves, named FIGURE@GROUP: of a classifier `accuracy@GROUP` and
// `log_likelihood@GROUP`, of a regression `rmse@GROUP` and `log_likelihood@GROUP`. The mean over all rows can hide that
// one hospital's patients are served badly. Borrows the model, copies the rows. Rows of nobody count for no group;
// InvalidArgument where there is none of anybody.
class EvaluationByGroup : public Observer {
 public:
  EvaluationByGroup(const Model& model, const Batch& test, const RowGroups& groups, const EvaluationOptions& options);
  EvaluationByGroup(const Model&&, const Batch&, const RowGroups&, const EvaluationOptions&) = delete;

  Next on_round(RoundRecord& record, const Particles& particles) override;
  // The figures by themselves.
  std::map<std::string, double> figures(const Particles& particles) const;

 private:
  struct Group {
    Matrix x;
    Vector y;
    std::unique_ptr<Evaluation> evaluation;  // of these rows
  };
  std::map<std::string, Group> groups_;  // by name
};

// The figures that it gives, without the group.
const std::vector<std::string>& figures_by_group(bool classes);
// Whether a figure is one of those: FIGURE@GROUP.
bool is_by_group(const std::string& figure);

}  // namespace fedstein
