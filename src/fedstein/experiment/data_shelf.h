// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "fedstein/experiment/unseen_data.h"

namespace fedstein {

// Datasets and trials that several jobs read at the same time, each held once and only as long as somebody needs it. So
// memory depends on how many trials run at a time, not on how many there are.
class DataShelf {
 public:
  explicit DataShelf(std::string data_folder);

  // The rows of a case's trial: found on the shelf or made. Safe from several threads; whoever comes second for the
  // same thing waits for the first.
  std::shared_ptr<const TrialData> trial(const CasePlan& plan, std::uint64_t seed);
  // Whether trial() would find it.
  bool holds(const CasePlan& plan, std::uint64_t seed);
  // Nobody will ask for another trial: what nobody uses goes now.
  void clear();

  // Reads the files of the user's own that a plan names, and prepares the first trial of every case that has one: what
  // is wrong with such a file is said before any work, not by every job. What was read stays here until release(), so
  // that no file is read twice.
  void read_own_files(const Plan& plan);
  // A checksum of the rows of a file of the user's own, with its test file. After read_own_files().
  std::uint64_t contents(const DatasetPlan& plan);
  // No trial that is left needs this dataset.
  void release(const DatasetPlan& plan);
  // Whether two plans mean the same rows, before they are split and scaled.
  static bool reads_the_same(const DatasetPlan& a, const DatasetPlan& b);

 private:
  template <typename Value>
  struct Slot {
    std::mutex making;
    std::weak_ptr<const Value> value;
  };
  template <typename Key, typename Value>
  using Shelf = std::map<Key, std::unique_ptr<Slot<Value>>>;

  // What decides which rows a dataset has, and which rows and model a trial has. Whole parts of the plan, so that a
  // field that is added to them is not forgotten here.
  struct DatasetKey {
    DatasetPlan plan = {};   // its split and scaling at their defaults: they come after the reading
    std::uint64_t seed = 0;  // 0 where all trials have the same rows

    auto operator<=>(const DatasetKey&) const = default;
  };
  struct TrialKey {
    DatasetPlan dataset = {};
    PartitionOptions partition = {};
    double feature_noise = 0;
    double kept_back = 0;
    std::vector<std::string> unseen = {};
    ModelPlan model;
    std::uint64_t seed = 0;

    auto operator<=>(const TrialKey&) const = default;
  };
  static DatasetKey key_of(const DatasetPlan& plan, std::uint64_t seed);
  static TrialKey key_of(const CasePlan& plan, std::uint64_t seed);

  std::shared_ptr<const Dataset> dataset(const DatasetPlan& plan, std::uint64_t seed);
  void take_read(const Plan& plan, const DatasetPlan& wanted);
  void keep(const DatasetPlan& plan, std::uint64_t seed);

  std::string data_folder_;
  ForeignDatasets foreign_;
  std::mutex mutex_;  // of all below
  Shelf<DatasetKey, Dataset> datasets_;
  Shelf<TrialKey, TrialData> trials_;
  // Kept until another is asked for, because the next trial will want it; the largest, which takes longest to read,
  // also while smaller ones are.
  std::shared_ptr<const Dataset> newest_;
  std::shared_ptr<const Dataset> largest_;
  // What read_own_files read, and the first trial that it made, until that is asked for.
  std::map<DatasetKey, std::shared_ptr<const Dataset>> kept_;
  std::shared_ptr<const TrialData> first_trial_;
};

}  // namespace fedstein
