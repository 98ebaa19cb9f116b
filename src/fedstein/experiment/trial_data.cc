// SPDX-License-Identifier: Apache-2.0
#include "fedstein/experiment/trial_data.h"

#include <algorithm>

#include "fedstein/data/feature_noise.h"
#include "fedstein/data/registry.h"
#include "fedstein/experiment/unseen_data.h"
#include "fedstein/model/gaussian_mixture.h"
#include "fedstein/numeric/check.h"
#include "fedstein/registry/model_type.h"

namespace fedstein {
namespace {

// Seeds of neighbouring runs must not meet: run 1's second trial is not run 2's first.
constexpr std::uint64_t kTrialsApart = 1'000'003;

Split split_of(const DatasetPlan& plan, const Dataset& dataset, std::uint64_t seed) {
  if (plan.standard_split && !plan.own_file) return default_split(find_dataset(plan.name), dataset, seed);
  if (!plan.test_file.empty()) return {.train = all_rows(dataset.x.rows()), .test = {}};
  return random_split(dataset.x.rows(), plan.test_fraction, seed);
}

Scaling scaling_of(const DatasetPlan& plan, const Dataset& dataset, const Split& split) {
  if (plan.standard_scaling && !plan.own_file) return default_scaling(find_dataset(plan.name), dataset, split);
  if (plan.scaling == ScalingRule::kFixed) return make_scaling(plan.file.scaling, dataset.x.cols(), plan.name);
  return fit_scaling(plan.scaling, dataset, split.train);
}

// Some rows of the dataset, scaled, without a second copy of the whole.
void take(const Dataset& dataset, const std::vector<Index>& rows, const Scaling& scaling, Matrix& x, Vector& y) {
  x = dataset.x(rows, Eigen::all);
  y = dataset.y(rows);
  apply_scaling(scaling, x);
  if (dataset.labels == LabelKind::kRegression) {
    y = ((y.cast<double>().array() - scaling.target_shift) / scaling.target_spread).cast<Real>();
  }
}

Matrix first_rows(const Dataset& dataset, std::vector<Index> rows, const Scaling& scaling) {
  rows.resize(std::min(rows.size(), static_cast<std::size_t>(kMostUnseenRows)));
  Matrix x;
  Vector unused;
  take(dataset, rows, scaling, x, unused);
  return x;
}

}  // namespace

std::vector<Batch> TrialData::shards() const {
  std::vector<Batch> out;
  Index begin = 0;
  for (const Index size : sizes) {
    out.push_back(all().middle_rows(begin, size));
    begin += size;
  }
  return out;
}

std::uint64_t trial_seed(std::uint64_t seed, Index trial) {
  return seed * kTrialsApart + static_cast<std::uint64_t>(trial);
}

bool differs_by_trial(const DatasetPlan& plan) {
  return !plan.own_file && find_dataset(plan.name).files.empty();
}

Dataset load_planned(const DatasetPlan& plan, const std::string& data_folder, std::uint64_t seed) {
  if (plan.table) return read_table(plan.name, *plan.table);
  if (plan.own_file) return load_dataset_file(plan.name, plan.file);
  return load_dataset(plan.name, data_folder, seed);
}

bool is_toy(const ModelPlan& model) {
  return model.labels == LabelKind::kDensity;
}

TrialData prepare_trial(const CasePlan& plan, const Dataset& dataset, std::uint64_t seed, const Dataset* test) {
  Split split = split_of(plan.dataset, dataset, seed);
  const std::vector<SetAside> foreign = set_aside(plan.dataset, dataset, split);
  PartitionOptions partitioning = plan.partition;
  partitioning.seed = seed;
  TrialData data;
  std::vector<Index> order;
  std::vector<Index> kept_back;
  std::vector<Index> kept_sizes;  // of each agent
  Index agent = 0;
  for (const auto& shard : partition(dataset, split.train, partitioning)) {
    const Split own = keep_back(static_cast<Index>(shard.size()), plan.validation.share, seed, agent++);
    for (const Index row : own.train) order.push_back(shard[static_cast<std::size_t>(row)]);
    for (const Index row : own.test) kept_back.push_back(shard[static_cast<std::size_t>(row)]);
    data.sizes.push_back(static_cast<Index>(own.train.size()));
    kept_sizes.push_back(static_cast<Index>(own.test.size()));
  }
  // What is kept back tells nothing, not even how features are scaled.
  const Scaling scaling = scaling_of(plan.dataset, dataset, kept_back.empty() ? split : Split{order, split.test});
  take(dataset, order, scaling, data.x, data.y);
  check_argument(plan.validation.share == 0 || !kept_back.empty(), "federation.validation", [&] {
    return "is " + to_text(plan.validation.share) + ", and no agent of " + plan.dataset.name +
           " has rows enough to keep one back; leave it out, or use fewer agents";
  });
  take(dataset, kept_back, scaling, data.validation_x, data.validation_y);
  const Dataset& judged = test != nullptr ? *test : dataset;
  const std::vector<Index> judged_rows = test != nullptr ? all_rows(test->x.rows()) : split.test;
  take(judged, judged_rows, scaling, data.test_x, data.test_y);
  if (!judged.group.empty()) {
    for (const Index row : judged_rows) data.test_groups.push_back(judged.group[static_cast<std::size_t>(row)]);
  }
  for (const SetAside& each : foreign) data.unseen.push_back({each.name, first_rows(dataset, each.rows, scaling)});
  // After the scaling, which is fitted to clean rows. What an agent keeps back it sees through the same instruments.
  add_feature_noise(plan.feature_noise, seed, NoisyRows::kLearned, data.sizes, data.x);
  add_feature_noise(plan.feature_noise, seed, NoisyRows::kKeptBack, kept_sizes, data.validation_x);
  data.target_deviation = scaling.target_spread;
  data.scaling = scaling;
  data.ranges = ranges_of(dataset, order);
  data.classes = dataset.classes;
  data.model = make_model(plan.model, dataset.x.cols(), dataset.classes);
  return data;
}

TrialData prepare_toy(const CasePlan& plan) {
  TrialData data;
  data.model = make_model(plan.model, 0, 0);
  const ModelType& type = model_type_of(plan.model);
  check_argument(type.is_toy(), "prepare_toy", [&] { return "'" + plan.model.type + "' is not a mixture"; });
  data.x = factor_rows(type.factors);
  data.y = Vector::Zero(data.x.rows());
  data.sizes.assign(static_cast<std::size_t>(data.x.rows()), 1);
  return data;
}

}  // namespace fedstein
