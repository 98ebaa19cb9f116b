// SPDX-License-Identifier: Apache-2.0
// The rows of one trial, ready for use: split, scaled, and laid out so that every agent's rows lie together.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fedstein/config/plan.h"
#include "fedstein/data/unseen_rows.h"

namespace fedstein {

// Immutable once made; the methods of a trial share it, so that all see the same split and the same agents.
struct TrialData {
  Matrix x = {};  // training rows, agent after agent
  Vector y = {};
  std::vector<Index> sizes = {};  // rows of each agent
  Matrix validation_x = {};       // what agents kept back, agent after agent; nobody learns from it
  Vector validation_y = {};
  Matrix test_x = {};  // empty for a toy: there is nothing to predict
  Vector test_y = {};
  double target_deviation = 1;  // by which regression targets were divided
  Scaling scaling = {};         // what was done to the rows
  Index classes = 0;            // 0 for a regression
  std::unique_ptr<Model> model = {};
  // Rows of other kinds, to see whether they are noticed.
  std::vector<UnseenSet> unseen = {};

  Batch all() const { return {x, y}; }
  Batch validation() const { return {validation_x, validation_y}; }
  Batch test() const { return {test_x, test_y}; }
  std::vector<Batch> shards() const;
};

// Different for every trial of every seed.
std::uint64_t trial_seed(std::uint64_t seed, Index trial);

// The dataset of a plan as it is on disk, or as its generator makes it for this seed.
Dataset load_planned(const DatasetPlan& plan, const std::string& data_folder, std::uint64_t seed);

// Whether the set is another one in every trial (generated without a file), so that it cannot be loaded once for all.
bool differs_by_trial(const DatasetPlan& plan);

// Splits, scales and divides a copy of the dataset; of foreign rows it has those that were taken out of it, and
// add_unseen (unseen_data.h) the others. A toy takes its model's own factors instead, one per agent.
// `test`: the rows of the plan's test file, where it names one; all rows of the dataset are then learned from.
TrialData prepare_trial(const CasePlan& plan,
                        const Dataset& dataset,
                        std::uint64_t seed,
                        const Dataset* test = nullptr);
TrialData prepare_toy(const CasePlan& plan);
// Whether the model brings its data with it, one row per factor.
bool is_toy(const ModelPlan& model);

}  // namespace fedstein
