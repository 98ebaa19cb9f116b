// SPDX-License-Identifier: Apache-2.0
// Data for a test from file to figure, made ready by the code that experiments use.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "fedstein/data/generators.h"
#include "fedstein/experiment/trial_data.h"
#include "fedstein/metrics/classification.h"
#include "fedstein/registry/registry.h"

namespace fedstein {

// The rows of a trial, as an experiment prepares them, with what is asked of them here.
class Prepared {
 public:
  Prepared(const DatasetPlan& how, const PartitionOptions& partitioning, const Dataset& dataset, std::uint64_t seed) {
    const ModelType& type = *Registry::standard().usual_model_type(dataset.labels);
    const CasePlan plan{.dataset = how,
                        .partition = partitioning,
                        .model = {.type = type.name, .labels = dataset.labels, .settings = Settings(type.settings)}};
    trial_ = prepare_trial(plan, dataset, seed);
  }

  Batch all() const { return trial_.all(); }
  std::vector<Batch> shards() const { return trial_.shards(); }
  Batch test() const { return trial_.test(); }
  const Scaling& scaling() const { return trial_.scaling; }
  Index features() const { return trial_.x.cols(); }
  Index agents() const { return static_cast<Index>(trial_.sizes.size()); }

  double accuracy_of(const Model& model, const Particles& particles) const {
    const std::vector<Index> labels =
        trial_.classes == 2 ? binary_class_indices(trial_.test_y) : class_indices(trial_.test_y, trial_.classes);
    return accuracy(model.predictive()->predict(particles, trial_.test_x).probabilities, labels);
  }
  double log_likelihood_of(const Model& model, const Particles& particles) const {
    return model.predictive()->log_predictive(particles, trial_.test()).mean();
  }

 private:
  TrialData trial_;
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
  const DatasetPlan how{.name = name};
  return {how, partitioning, load_planned(how, data_folder().value_or(""), seed), seed};
}

// Twonorm: the real file, or the generator where there is none.
inline Prepared prepare_twonorm(std::uint64_t seed, const PartitionOptions& partitioning = {}) {
  if (data_folder()) return prepare("twonorm", seed, partitioning);
  const DatasetPlan how{.name = "twonorm", .standard_scaling = false};
  return {how, partitioning, make_twonorm({.rows = 7400, .seed = seed, .standardise = true}), seed};
}

}  // namespace fedstein
