// SPDX-License-Identifier: Apache-2.0
// The foreign rows of a trial: rows of a class or group that nobody learns from, rows of another dataset, and rows that
// are made of test rows.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "fedstein/data/split.h"
#include "fedstein/experiment/trial_data.h"

namespace fedstein {

// Rows that are taken out of a split because nobody is to learn from them.
struct SetAside {
  std::string name = {};  // of the foreign set: "class" or "group"
  std::vector<Index> rows = {};
};

// Takes the plan's unseen class and group out of both parts. A class's test rows are foreign; of a group, which a split
// may hold whole in either part, all rows, and with it those of the same person (DatasetInfo::linked_groups). Throws
// InvalidArgument where there is no such row, or where nothing would be left to train or to judge by.
std::vector<SetAside> set_aside(const DatasetPlan& plan, const Dataset& dataset, Split& split);

// The first test rows of datasets known by name, unscaled. Each is read once, and little of it kept. Safe from several
// threads.
class ForeignDatasets {
 public:
  explicit ForeignDatasets(std::string data_folder) : data_folder_(std::move(data_folder)) {}
  // Seed: of the trial, for sets whose rows or split depend on it.
  std::shared_ptr<const Matrix> test_rows(const std::string& name, std::uint64_t seed);

 private:
  std::string data_folder_;
  std::mutex mutex_;
  std::map<std::pair<std::string, std::uint64_t>, std::shared_ptr<const Matrix>> read_;
};

// Adds the sets that the plan's evaluation names. Another dataset's rows are scaled as the trial's own.
void add_unseen(const CasePlan& plan, ForeignDatasets& others, std::uint64_t seed, TrialData& data);

}  // namespace fedstein
