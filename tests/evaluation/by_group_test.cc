// SPDX-License-Identifier: Apache-2.0
// The figures of each group, held against an evaluation of its rows alone.
#include "fedstein/evaluation/by_group.h"

#include <gtest/gtest.h>

#include "fedstein/model/bnn_regression.h"
#include "fedstein/model/logistic_regression.h"
#include "fedstein/numeric/check.h"
#include "support/random_matrix.h"
#include "support/throws.h"

namespace fedstein {
namespace {

constexpr Index kRows = 30;

// Row i is of group i mod 3: "north", "south" and 2, which has no name. Every seventh belongs to nobody.
RowGroups three_groups() {
  RowGroups out{.names = {"north", "south"}};
  for (Index row = 0; row < kRows; ++row) out.of_row.push_back(row % 7 == 6 ? -1 : row % 3);
  return out;
}

std::vector<Index> rows_of(const RowGroups& groups, Index group) {
  std::vector<Index> out;
  for (Index row = 0; row < kRows; ++row) {
    if (groups.of_row[static_cast<std::size_t>(row)] == group) out.push_back(row);
  }
  return out;
}

struct Rows {
  Matrix x;
  Vector y;
  Rows(const Batch& all, const std::vector<Index>& rows) : x(all.x(rows, Eigen::all)), y(all.y(rows)) {}
};

TEST(EvaluationByGroup, IsThatOfEachGroupsRows) {
  const LogisticRegression model(2);
  const Matrix x = random_matrix(kRows, 2, 1);
  Vector y(kRows);
  for (Index row = 0; row < kRows; ++row) y(row) = row % 4 == 0 ? 1 : -1;
  const Particles particles = random_matrix(3, model.dimension(), 2);
  const RowGroups groups = three_groups();
  const Batch test{x, y};
  // What else is asked of all rows is not asked of each group's.
  const EvaluationByGroup by_group(model, test, groups, {.f1 = true, .abstained = {0.1}, .sureness = true});
  const std::map<std::string, double> found = by_group.figures(particles);
  EXPECT_EQ(found.size(), 6U);
  double sum = 0;
  for (const auto& [group, name] : {std::pair<Index, std::string>{0, "north"}, {1, "south"}, {2, "2"}}) {
    const Rows own(test, rows_of(groups, group));
    const auto expected = Evaluation(model, Batch{own.x, own.y}).figures(particles);
    EXPECT_EQ(found.at("accuracy@" + name), expected.at("accuracy")) << name;
    EXPECT_EQ(found.at("log_likelihood@" + name), expected.at("log_likelihood")) << name;
    sum += found.at("log_likelihood@" + name) * static_cast<double>(own.y.size());
  }
  EXPECT_NE(found.at("log_likelihood@north"), found.at("log_likelihood@south"));
  // Weighted by rows they are the mean over the rows of anybody.
  std::vector<Index> anybodys;
  for (const Index group : {0, 1, 2}) {
    for (const Index row : rows_of(groups, group)) anybodys.push_back(row);
  }
  const Rows all(test, anybodys);
  EXPECT_NEAR(sum / static_cast<double>(anybodys.size()),
              Evaluation(model, Batch{all.x, all.y}).figures(particles).at("log_likelihood"),
              1e-6);
  RoundRecord record;
  EvaluationByGroup again(model, test, groups, {});
  again.on_round(record, particles);
  EXPECT_EQ(record.figures, found);
}

TEST(EvaluationByGroup, OfARegressionHasErrorsInTheTargetsUnit) {
  const BnnRegression model({.inputs = 2, .hidden = 3});
  const Matrix x = random_matrix(kRows, 2, 1);
  const Vector y = random_matrix(kRows, 1, 3).col(0);
  const Particles particles = random_matrix(3, model.dimension(), 2);
  const Batch test{x, y};
  const auto figures = [&](double deviation) {
    return EvaluationByGroup(model, test, three_groups(), {.target_deviation = deviation}).figures(particles);
  };
  const auto once = figures(1);
  EXPECT_EQ(once.size(), 6U);
  EXPECT_NEAR(figures(4).at("rmse@south"), 4 * once.at("rmse@south"), 1e-9);
}

TEST(EvaluationByGroup, NeedsRowsOfSomebody) {
  const LogisticRegression model(2);
  const Matrix x = random_matrix(2, 2, 1);
  const Vector y = Vector::Ones(2);
  const Batch test{x, y};
  EXPECT_THROW_MESSAGE(EvaluationByGroup(model, test, {.of_row = {0}}, {}),
                       InvalidArgument,
                       "1 rows have a group and there are 2 test rows");
  EXPECT_THROW_MESSAGE(
      EvaluationByGroup(model, test, {.of_row = {-1, -1}}, {}), InvalidArgument, "no test row belongs to a group");
}

TEST(EvaluationByGroup, ItsFiguresAreToldFromOthers) {
  EXPECT_TRUE(is_by_group("accuracy@va"));
  EXPECT_TRUE(is_by_group("rmse@7"));
  for (const char* other : {"accuracy", "answered@0.1", "kl@0.55", "validation_accuracy", "unseen@far"}) {
    EXPECT_FALSE(is_by_group(other)) << other;
  }
}

}  // namespace
}  // namespace fedstein
