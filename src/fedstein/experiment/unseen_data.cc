// SPDX-License-Identifier: Apache-2.0
#include "fedstein/experiment/unseen_data.h"

#include <algorithm>
#include <set>

#include "fedstein/data/registry.h"
#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

constexpr const char* kSettingAside = "unseen rows";

// The rows of `part` that are foreign; they are no longer in it.
template <typename Foreign>
std::vector<Index> moved_out(std::vector<Index>& part, const Foreign& foreign) {
  std::vector<Index> out;
  std::copy_if(part.begin(), part.end(), std::back_inserter(out), foreign);
  std::erase_if(part, foreign);
  return out;
}

SetAside class_aside(Index unseen, const Dataset& dataset, Split& split) {
  check_argument(dataset.classes > 2 && unseen >= 0 && unseen < dataset.classes, kSettingAside, [&] {
    return "unseen_class is " + std::to_string(unseen) + " and '" + dataset.name + "' has " +
           std::to_string(dataset.classes) + " classes; allowed: one of at least three, counted from 0";
  });
  const auto foreign = [&](Index row) { return class_of(dataset, row) == unseen; };
  moved_out(split.train, foreign);
  return {.name = kUnseenClassSet, .rows = moved_out(split.test, foreign)};
}

// A person's groups are foreign together.
std::set<Index> groups_with(Index unseen, const DatasetPlan& plan) {
  if (!plan.own_file) {
    for (const std::vector<Index>& linked : find_dataset(plan.name).linked_groups) {
      if (std::find(linked.begin(), linked.end(), unseen) != linked.end()) return {linked.begin(), linked.end()};
    }
  }
  return {unseen};
}

SetAside group_aside(Index unseen, const DatasetPlan& plan, const Dataset& dataset, Split& split) {
  check_argument(!dataset.group.empty(), kSettingAside, [&] {
    return "unseen_group is " + std::to_string(unseen) + " and the rows of '" + dataset.name + "' name no group";
  });
  const std::set<Index> groups = groups_with(unseen, plan);
  const auto foreign = [&](Index row) { return groups.contains(dataset.group[static_cast<std::size_t>(row)]); };
  SetAside out{.name = kUnseenGroupSet, .rows = moved_out(split.test, foreign)};
  const std::vector<Index> trained = moved_out(split.train, foreign);
  out.rows.insert(out.rows.end(), trained.begin(), trained.end());
  return out;
}

}  // namespace

std::vector<SetAside> set_aside(const DatasetPlan& plan, const Dataset& dataset, Split& split) {
  std::vector<SetAside> out;
  if (plan.unseen_class) out.push_back(class_aside(*plan.unseen_class, dataset, split));
  if (plan.unseen_group) out.push_back(group_aside(*plan.unseen_group, plan, dataset, split));
  for (const SetAside& each : out) {
    check_argument(!each.rows.empty(), kSettingAside, [&] {
      return "'" + dataset.name + "' has no row of the unseen " + each.name + " to test with; name another one";
    });
    check_argument(!split.train.empty() && !split.test.empty(), kSettingAside, [&] {
      return "without the unseen " + each.name + " '" + dataset.name + "' has " + std::to_string(split.train.size()) +
             " rows to train on and " + std::to_string(split.test.size()) + " to test with; each needs at least 1";
    });
  }
  return out;
}

std::shared_ptr<const Matrix> ForeignDatasets::test_rows(const std::string& name, std::uint64_t seed) {
  const DatasetInfo& info = find_dataset(name);
  const bool same_in_all_trials = !info.files.empty() && info.split == SplitRule::kGiven;
  const std::lock_guard lock(mutex_);  // whoever comes second for the same set waits for the first
  auto& rows = read_[{name, same_in_all_trials ? 0 : seed}];
  if (rows) return rows;
  const Dataset dataset = load_dataset(name, data_folder_, seed);
  std::vector<Index> test = default_split(info, dataset, seed).test;
  test.resize(std::min(test.size(), static_cast<std::size_t>(kMostUnseenRows)));
  rows = std::make_shared<const Matrix>(dataset.x(test, Eigen::all));
  return rows;
}

void add_unseen(const CasePlan& plan, ForeignDatasets& others, std::uint64_t seed, TrialData& data) {
  const auto known = data.test_x.topRows(std::min(kMostUnseenRows, data.test_x.rows()));
  for (const std::string& name : plan.evaluation.unseen) {
    UnseenSet set{.name = name};
    if (const auto kind = unseen_kind(name)) {
      set.x = make_unseen(*kind, data.x, known, seed);
    } else {
      set.x = *others.test_rows(name, seed);
      check_argument(set.x.cols() == data.x.cols(), "evaluation.unseen", [&] {
        return "'" + name + "' has " + std::to_string(set.x.cols()) + " features and '" + plan.dataset.name + "' " +
               std::to_string(data.x.cols()) + "; only sets with as many can be foreign to it";
      });
      apply_scaling(data.scaling, set.x);
    }
    data.unseen.push_back(std::move(set));
  }
}

}  // namespace fedstein
