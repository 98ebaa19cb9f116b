// SPDX-License-Identifier: Apache-2.0
#include "fedstein/experiment/posterior_export.h"

#include <algorithm>

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
