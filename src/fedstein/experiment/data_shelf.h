// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "fedstein/experiment/trial_data.h"

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

 private:
  template <typename Value>
  struct Slot {
    std::mutex making;
    std::weak_ptr<const Value> value;
  };
  template <typename Value>
  using Shelf = std::map<std::string, std::unique_ptr<Slot<Value>>>;

  std::shared_ptr<const Dataset> dataset(const DatasetPlan& plan, std::uint64_t seed);

  std::string data_folder_;
  std::mutex mutex_;  // of all below
  Shelf<Dataset> datasets_;
  Shelf<TrialData> trials_;
  // Kept until another is asked for, because the next trial will want it; the largest, which takes longest to read,
  // also while smaller ones are.
  std::shared_ptr<const Dataset> newest_;
  std::shared_ptr<const Dataset> largest_;
};

}  // namespace fedstein
