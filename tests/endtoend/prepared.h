// SPDX-License-Identifier: Apache-2.0
// A dataset made ready for an experiment: split, scaled, and laid out so that every agent's rows lie together.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "fedstein/data/generators.h"
#include "fedstein/data/load.h"
#include "fedstein/data/partition.h"
#include "fedstein/data/registry.h"
#include "fedstein/metrics/classification.h"
#include "fedstein/model/model.h"

namespace fedstein {

class Prepared {
 public:
  Prepared(const Dataset& dataset, const Split& split, const PartitionOptions& partitioning)
      : classes_(dataset.classes), test_(rows(dataset, split.test)) {
    const Shards shards = partition(dataset, split.train, partitioning);
    std::vector<Index> order;
    for (const auto& shard : shards) {
      sizes_.push_back(static_cast<Index>(shard.size()));
      order.insert(order.end(), shard.begin(), shard.end());
    }
    train_ = rows(dataset, order);
  }

  Batch all() const { return {train_.x, train_.y}; }
  std::vector<Batch> shards() const {
    std::vector<Batch> out;
    Index begin = 0;
    for (const Index size : sizes_) {
      out.push_back(all().middle_rows(begin, size));
      begin += size;
    }
    return out;
  }
  const Dataset& test() const { return test_; }
  Index features() const { return train_.x.cols(); }
  Index agents() const { return static_cast<Index>(sizes_.size()); }

  double accuracy_of(const Model& model, const Particles& particles) const {
    const std::vector<Index> labels = classes_ == 2 ? binary_class_indices(test_.y) : class_indices(test_.y, classes_);
    return accuracy(model.predictive()->predict(particles, test_.x).probabilities, labels);
  }
  double log_likelihood_of(const Model& model, const Particles& particles) const {
    return model.predictive()->log_predictive(particles, {test_.x, test_.y}).mean();
  }

 private:
  Index classes_;
  Dataset test_;
  Dataset train_;
  std::vector<Index> sizes_;
};

// The folder of real data, or nothing: the test then says that it is skipped, or takes generated data.
inline std::optional<std::string> data_folder() {
  const char* folder = std::getenv("FEDSTEIN_DATA");
  if (folder == nullptr || *folder == '\0') return std::nullopt;
  return folder;
}

#define FEDSTEIN_NEEDS_DATA() \
  if (!data_folder()) GTEST_SKIP() << "FEDSTEIN_DATA is not set: this test needs the real files"

// A named set with its usual split and scaling.
inline Prepared prepare(const std::string& name, std::uint64_t seed, const PartitionOptions& partitioning = {}) {
  const DatasetInfo& info = find_dataset(name);
  Dataset dataset = load_dataset(name, data_folder().value_or(""), seed);
  const Split split = default_split(info, dataset, seed);
  apply_scaling(default_scaling(info, dataset, split), dataset);
  return Prepared(dataset, split, partitioning);
}

// Twonorm: the real file, or the generator where there is none.
inline Prepared prepare_twonorm(std::uint64_t seed, const PartitionOptions& partitioning = {}) {
  if (data_folder()) return prepare("twonorm", seed, partitioning);
  const Dataset dataset = make_twonorm({.rows = 7400, .seed = seed, .standardise = true});
  return Prepared(dataset, default_split(find_dataset("twonorm"), dataset, seed), partitioning);
}

}  // namespace fedstein
