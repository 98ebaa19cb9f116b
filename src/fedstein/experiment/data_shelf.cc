// SPDX-License-Identifier: Apache-2.0
#include "fedstein/experiment/data_shelf.h"

#include "fedstein/data/registry.h"

namespace fedstein {
namespace {

// The slot of this key, made where there is none, and the lock under which its value may be made.
template <typename Shelf>
auto& slot_of(Shelf& shelf, const typename Shelf::key_type& key, std::mutex& mutex) {
  const std::lock_guard lock(mutex);
  auto& slot = shelf[key];
  if (!slot) slot = std::make_unique<typename Shelf::mapped_type::element_type>();
  return *slot;
}

template <typename Slot, typename Make>
auto taken(Slot& slot, const Make& make) {
  const std::lock_guard lock(slot.making);
  auto value = slot.value.lock();
  if (!value) {
    value = make();
    slot.value = value;
  }
  return value;
}

// As far as it is known before the set is read.
bool is_smaller(const DatasetPlan& plan, const Dataset& dataset) {
  if (plan.own_file) return false;
  const DatasetInfo& info = find_dataset(plan.name);
  return info.rows * info.features < dataset.x.size();
}

// The test file, as a dataset of its own.
DatasetPlan test_plan(DatasetPlan plan) {
  plan.name.swap(plan.test_file);
  plan.test_file.clear();
  return plan;
}

// The rows, and whose they are.
std::uint64_t contents_of(const Dataset& dataset) {
  constexpr std::uint64_t kFnvPrime = 1099511628211U;
  std::uint64_t out = checksum(dataset);
  for (const Index group : dataset.group) out = (out ^ static_cast<std::uint64_t>(group)) * kFnvPrime;
  return out;
}

}  // namespace

DataShelf::DatasetKey DataShelf::key_of(const DatasetPlan& plan, std::uint64_t seed) {
  const DatasetPlan untouched;
  DatasetKey key{plan, differs_by_trial(plan) ? seed : 0};
  key.plan.standard_split = untouched.standard_split;
  key.plan.test_fraction = untouched.test_fraction;
  key.plan.standard_scaling = untouched.standard_scaling;
  key.plan.scaling = untouched.scaling;
  key.plan.unseen_class = untouched.unseen_class;
  key.plan.unseen_group = untouched.unseen_group;
  key.plan.test_file = untouched.test_file;
  key.plan.contents = untouched.contents;
  return key;
}

DataShelf::TrialKey DataShelf::key_of(const CasePlan& plan, std::uint64_t seed) {
  DatasetPlan dataset = plan.dataset;
  dataset.contents = DatasetPlan{}.contents;
  return {std::move(dataset),
          plan.partition,
          plan.feature_noise,
          plan.validation.share,
          plan.evaluation.unseen,
          plan.model,
          seed};
}

DataShelf::DataShelf(std::string data_folder) : data_folder_(std::move(data_folder)), foreign_(data_folder_) {}

std::shared_ptr<const Dataset> DataShelf::dataset(const DatasetPlan& plan, std::uint64_t seed) {
  auto value = taken(slot_of(datasets_, key_of(plan, seed), mutex_), [&] {
    {
      const std::lock_guard lock(mutex_);
      newest_.reset();  // room first: two large sets need not be held at once
      if (largest_ && !is_smaller(plan, *largest_)) largest_.reset();
    }
    return std::make_shared<const Dataset>(load_planned(plan, data_folder_, seed));
  });
  const std::lock_guard lock(mutex_);
  newest_ = value;
  if (!largest_ || value->x.size() > largest_->x.size()) largest_ = value;
  return value;
}

bool DataShelf::holds(const CasePlan& plan, std::uint64_t seed) {
  auto& slot = slot_of(trials_, key_of(plan, seed), mutex_);
  const std::unique_lock lock(slot.making, std::try_to_lock);
  return lock.owns_lock() && !slot.value.expired();
}

void DataShelf::clear() {
  std::shared_ptr<const Dataset> newest;
  std::shared_ptr<const Dataset> largest;
  const std::lock_guard lock(mutex_);
  newest.swap(newest_);
  largest.swap(largest_);
  kept_.clear();
}

bool DataShelf::reads_the_same(const DatasetPlan& a, const DatasetPlan& b) {
  return key_of(a, 0) == key_of(b, 0);
}

// A table that was read to find out what its columns mean.
void DataShelf::take_read(const Plan& plan, const DatasetPlan& wanted) {
  if (!wanted.table) return;
  auto rows = plan.read_tables->take(wanted.name, *wanted.table);
  if (!rows) return;
  auto& slot = slot_of(datasets_, key_of(wanted, 0), mutex_);
  const std::lock_guard making(slot.making);
  slot.value = rows;
  const std::lock_guard lock(mutex_);
  kept_.insert_or_assign(key_of(wanted, 0), std::move(rows));
}

void DataShelf::keep(const DatasetPlan& plan, std::uint64_t seed) {
  auto read = dataset(plan, seed);
  const std::lock_guard lock(mutex_);
  kept_.insert_or_assign(key_of(plan, 0), std::move(read));
}

std::uint64_t DataShelf::contents(const DatasetPlan& plan) {
  const std::uint64_t own = contents_of(*dataset(plan, 0));
  return plan.test_file.empty() ? own : own ^ (contents_of(*dataset(test_plan(plan), 0)) << 1U);
}

void DataShelf::read_own_files(const Plan& plan) {
  const std::uint64_t seed = trial_seed(plan.seed, 1);
  std::shared_ptr<const TrialData> first;
  for (const CasePlan& case_plan : plan.cases) {
    if (!case_plan.dataset.own_file) continue;
    take_read(plan, case_plan.dataset);
    keep(case_plan.dataset, seed);
    if (!case_plan.dataset.test_file.empty()) keep(test_plan(case_plan.dataset), seed);
    auto made = trial(case_plan, seed);
    made->model->check_data(made->all());
    made->model->check_data(made->validation());
    made->model->check_data(made->test());
    if (&case_plan == &plan.cases.front()) first = std::move(made);  // a run's first jobs ask for it
  }
  const std::lock_guard lock(mutex_);
  first_trial_ = std::move(first);
}

void DataShelf::release(const DatasetPlan& plan) {
  std::vector<std::shared_ptr<const Dataset>> last;  // given back without the lock
  const std::lock_guard lock(mutex_);
  std::vector<DatasetPlan> files = {plan};
  if (!plan.test_file.empty()) files.push_back(test_plan(plan));
  for (const DatasetPlan& file : files) {
    const auto found = kept_.find(key_of(file, 0));
    if (found == kept_.end()) continue;
    last.push_back(std::move(found->second));
    kept_.erase(found);
  }
}

std::shared_ptr<const TrialData> DataShelf::trial(const CasePlan& plan, std::uint64_t seed) {
  auto trial = taken(slot_of(trials_, key_of(plan, seed), mutex_), [&] {
    if (is_toy(plan.model)) return std::make_shared<const TrialData>(prepare_toy(plan));
    const auto learned = dataset(plan.dataset, seed);
    const auto test = plan.dataset.test_file.empty() ? nullptr : dataset(test_plan(plan.dataset), seed);
    TrialData made = prepare_trial(plan, *learned, seed, test.get());
    add_unseen(plan, foreign_, seed, made);
    return std::make_shared<const TrialData>(std::move(made));
  });
  std::shared_ptr<const TrialData> first;  // its asker has it now, or asks for another one: it need not wait here
  const std::lock_guard lock(mutex_);
  first.swap(first_trial_);
  return trial;
}

}  // namespace fedstein
