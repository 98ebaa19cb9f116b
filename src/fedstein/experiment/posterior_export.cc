// SPDX-License-Identifier: Apache-2.0
#include "fedstein/experiment/posterior_export.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "fedstein/data/error.h"
#include "fedstein/experiment/data_shelf.h"
#include "fedstein/experiment/results.h"
#include "fedstein/experiment/trained.h"
#include "fedstein/posterior/posterior_file.h"

namespace fedstein {
namespace {

bool keeps_last(const RunStore& store, const TrialResult& trial) {
  if (trial.rounds.empty() || trial.status != JobStatus::kDone) return false;
  const std::vector<Index> kept = store.rounds_with_particles(trial.job);
  return std::find(kept.begin(), kept.end(), trial.rounds.back().round) != kept.end();
}

// The checksum of a case's own file when the run learned from it; 0: it was not kept.
std::uint64_t contents_of_case(const StoredRun& run, std::size_t i) {
  const nlohmann::json stored = nlohmann::json::parse(run.facts.configuration, nullptr, /*allow_exceptions=*/false);
  const nlohmann::json::json_pointer place("/cases/" + std::to_string(i) + "/dataset/contents");
  return stored.contains(place) && stored[place].is_number_unsigned() ? stored[place].get<std::uint64_t>() : 0;
}

// Particles with the scaling and the curvature of other rows would be a wrong model that nothing shows.
void check_rows_are_those_of(const StoredRun& run, std::size_t i, const DatasetPlan& dataset, DataShelf& shelf) {
  const std::uint64_t then = dataset.own_file ? contents_of_case(run, i) : 0;
  if (then == 0 || shelf.contents(dataset) == then) return;
  fail_file(dataset.name,
            "its rows" + std::string(dataset.test_file.empty() ? "" : " or those of " + dataset.test_file) +
                " are not those that run " + std::to_string(run.id) +
                " learned from; put the file back as it was then");
}

}  // namespace

std::vector<std::string> export_posteriors(const RunChoice& choice,
                                           const std::string& folder,
                                           const std::string& data_folder,
                                           const WriteOptions& options) {
  const RunResult result = load_results(choice.store, choice.run);
  DataShelf shelf(data_folder);
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < result.cases.size(); ++i) {
    const CasePlan& case_plan = result.plan.cases[i];
    CasePlan rows_plan = case_plan;
    rows_plan.evaluation.unseen.clear();  // other datasets need not be at hand
    if (!has_posterior(case_plan)) continue;
    check_rows_are_those_of(result.run, i, case_plan.dataset, shelf);
    for (std::size_t m = 0; m < result.cases[i].methods.size(); ++m) {
      for (const TrialResult& trial : result.cases[i].methods[m].trials) {
        if (!keeps_last(choice.store, trial)) continue;
        const auto data = shelf.trial(rows_plan, trial_seed(result.plan.seed, trial.trial));
        const TrainedJob job{
            &result.plan, &case_plan, &case_plan.algorithms[m], trial.trial, trial.rounds.back().round};
        const Particles particles = choice.store.particles(trial.job, trial.rounds.back().round);
        paths.push_back(folder + "/" + posterior_file_name(job));
        save_posterior(posterior_of(job, *data, particles), paths.back(), options, *result.plan.registry);
      }
    }
  }
  return paths;
}

}  // namespace fedstein
