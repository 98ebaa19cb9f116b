// SPDX-License-Identifier: Apache-2.0
#include "fedstein/serving/served_posterior.h"

#include "fedstein/experiment/trained.h"
#include "fedstein/numeric/check.h"
#include "fedstein/posterior/posterior_file.h"
#include "fedstein/serving/column_sums.h"

namespace fedstein {
namespace {

// What the agents did to their rows: by the sums they sent, or, where they were simulated, by the dataset itself.
Scaling agreed_scaling(const ServedRows& served) {
  const CasePlan& setting = served.federation->setting();
  const DatasetPlan& dataset = setting.dataset;
  if (dataset.own_file && is_fixed(dataset.scaling)) return fixed_scaling(dataset, served.shape.features);
  if (dataset.own_file && !served.statistics.empty()) {
    const SummedColumns columns = summed_columns(served.shape.features, dataset.file.labels);
    return make_scaling(dataset.scaling, dataset.file.labels, column_sums_from(served.statistics, columns));
  }
  const std::uint64_t seed = served.federation->seed;
  return prepare_trial(setting, load_planned(dataset, served.data_folder, seed), seed).scaling;
}

}  // namespace

std::string save_served_posterior(const ServedRows& served, const Particles& particles) {
  const FederationPlan& federation = *served.federation;
  if (!has_posterior(federation.setting())) return "no posterior file: a gaussian mixture predicts nothing from rows";
  const TrainedJob job{&federation.plan, &federation.setting(), &federation.algorithm(), 1};
  const std::string path = federation.server.state + "/" + kPosteriorFolder + "/" + posterior_file_name(job);
  try {
    TrainingRows rows{.features = served.shape.features,
                      .classes = served.shape.classes,
                      .agents = static_cast<Index>(served.rows.size()),
                      .rows = 0,
                      .scaling = agreed_scaling(served)};
    for (const Index of_agent : served.rows) rows.rows += of_agent;
    WriteOptions output = posterior_output();
    output.mode = FileMode::kPrivate;
    save_posterior(posterior_of(job, rows, particles), path, output, *federation.plan.registry);
  } catch (const std::exception& problem) {
    return std::string("no posterior file: ") + problem.what();
  }
  return "posterior: " + path;
}

}  // namespace fedstein
