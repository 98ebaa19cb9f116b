// SPDX-License-Identifier: Apache-2.0
#include "fedstein/data/split.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "fedstein/numeric/check.h"
#include "fedstein/numeric/rng.h"

namespace fedstein {
namespace {

// round(fraction * count), with something left on both sides.
Index test_count(const char* function, Index count, const char* of_what, double fraction) {
  check_argument(fraction > 0 && fraction < 1,
                 function,
                 "test_fraction is " + to_text(fraction) + "; it must lie between 0 and 1");
  const Index chosen = static_cast<Index>(std::llround(fraction * static_cast<double>(count)));
  check_argument(chosen >= 1 && chosen < count,
                 function,
                 "test_fraction is " + to_text(fraction) + " of " + std::to_string(count) + " " + of_what +
                     ", which leaves " + std::to_string(chosen) + " to test and " + std::to_string(count - chosen) +
                     " to train; both need at least one");
  return chosen;
}

// The groups of the dataset as units that stay together, in ascending order of their first group.
std::vector<std::vector<Index>> units_of(const Dataset& dataset, const std::vector<std::vector<Index>>& linked) {
  const std::set<Index> groups(dataset.group.begin(), dataset.group.end());
  std::map<Index, std::size_t> link_of;
  for (std::size_t link = 0; link < linked.size(); ++link) {
    for (const Index group : linked[link]) {
      check_argument(link_of.emplace(group, link).second,
                     "hold_out_groups",
                     "group " + std::to_string(group) + " is linked twice; each may be linked once");
    }
  }
  std::vector<std::vector<Index>> units;
  std::map<std::size_t, std::size_t> unit_of_link;
  for (const Index group : groups) {
    const auto link = link_of.find(group);
    if (link == link_of.end()) {
      units.push_back({group});
      continue;
    }
    const auto [place, is_new] = unit_of_link.emplace(link->second, units.size());
    if (is_new) units.emplace_back();
    units[place->second].push_back(group);
  }
  return units;
}

void check_groups(const Dataset& dataset) {
  check_argument(!dataset.group.empty() && static_cast<Index>(dataset.group.size()) == dataset.x.rows(),
                 "hold_out_groups",
                 dataset.name + " has " + std::to_string(dataset.group.size()) + " groups for " +
                     std::to_string(dataset.x.rows()) + " rows; every row must have one");
}

}  // namespace

Split random_split(Index rows, double test_fraction, std::uint64_t seed) {
  const Index tested = test_count("random_split", rows, "rows", test_fraction);
  const std::vector<Index> order = Rng({.seed = seed, .purpose = Purpose::kSplit}).permutation(rows);
  return {{order.begin() + tested, order.end()}, {order.begin(), order.begin() + tested}};
}

Split keep_back(Index rows, double share, std::uint64_t seed, Index agent) {
  check_argument(share >= 0 && share < 1, "keep_back", [&] {
    return "share is " + to_text(share) + "; it must be at least 0 and below 1";
  });
  if (share == 0 || rows < 2) return {all_rows(rows), {}};
  const auto asked = static_cast<Index>(std::llround(share * static_cast<double>(rows)));
  const Index kept = std::clamp<Index>(asked, 1, rows - 1);
  const StreamId own{
      .seed = seed, .agent = static_cast<std::uint64_t>(agent), .round = 0, .purpose = Purpose::kValidation};
  std::vector<Index> order = Rng(own).permutation(rows);
  Split out{{order.begin() + kept, order.end()}, {order.begin(), order.begin() + kept}};
  std::sort(out.train.begin(), out.train.end());
  std::sort(out.test.begin(), out.test.end());
  return out;
}

Split given_split(Index rows, Index train_rows) {
  check_argument(
      train_rows >= 1 && train_rows < rows,
      "given_split",
      "train_rows is " + std::to_string(train_rows) + "; it must be between 1 and " + std::to_string(rows - 1));
  const std::vector<Index> order = all_rows(rows);
  return {{order.begin(), order.begin() + train_rows}, {order.begin() + train_rows, order.end()}};
}

Split split_by_test_rows(Index rows, std::span<const Index> test) {
  check_rows("split_by_test_rows", test, rows);
  const Index tested = static_cast<Index>(test.size());
  check_argument(tested >= 1 && tested < rows,
                 "split_by_test_rows",
                 std::to_string(tested) + " test rows of " + std::to_string(rows) +
                     " are given; both parts need at least one row");
  std::vector<bool> is_test(static_cast<std::size_t>(rows));
  for (const Index row : test) is_test[static_cast<std::size_t>(row)] = true;
  Split out{{}, {test.begin(), test.end()}};
  out.train.reserve(static_cast<std::size_t>(rows - tested));
  for (Index row = 0; row < rows; ++row) {
    if (!is_test[static_cast<std::size_t>(row)]) out.train.push_back(row);
  }
  return out;
}

Split hold_out_groups(const Dataset& dataset, const HoldOut& options) {
  check_groups(dataset);
  const std::vector<std::vector<Index>> units = units_of(dataset, options.linked);
  const Index count = static_cast<Index>(units.size());
  const Index tested = test_count("hold_out_groups", count, "groups", options.test_fraction);
  const std::vector<Index> order = Rng({.seed = options.seed, .purpose = Purpose::kSplit}).permutation(count);
  std::vector<Index> test_groups;
  for (Index i = 0; i < tested; ++i) {
    const auto& unit = units[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])];
    test_groups.insert(test_groups.end(), unit.begin(), unit.end());
  }
  return hold_out_groups(dataset, test_groups);
}

Split hold_out_groups(const Dataset& dataset, std::span<const Index> test_groups) {
  check_groups(dataset);
  const std::set<Index> held(test_groups.begin(), test_groups.end());
  for (const Index group : held) {
    check_argument(std::find(dataset.group.begin(), dataset.group.end(), group) != dataset.group.end(),
                   "hold_out_groups",
                   "group " + std::to_string(group) + " does not occur in " + dataset.name);
  }
  Split out;
  for (Index row = 0; row < dataset.x.rows(); ++row) {
    const bool test = held.contains(dataset.group[static_cast<std::size_t>(row)]);
    (test ? out.test : out.train).push_back(row);
  }
  check_argument(!out.train.empty() && !out.test.empty(),
                 "hold_out_groups",
                 std::to_string(held.size()) + " groups of " + dataset.name + " are held out, which leaves " +
                     std::to_string(out.train.size()) + " rows to train and " + std::to_string(out.test.size()) +
                     " to test; both need at least one");
  return out;
}

}  // namespace fedstein
