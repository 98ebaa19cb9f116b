// SPDX-License-Identifier: Apache-2.0
// From what a job has learned to a posterior that others can use.
#pragma once

#include <string>

#include "fedstein/experiment/trial_data.h"
#include "fedstein/posterior/posterior.h"

namespace fedstein {

// Where a run's folder keeps its posterior files.
inline constexpr const char* kPosteriorFolder = "posteriors";

// Which job of which experiment.
struct TrainedJob {
  const Plan* plan = nullptr;
  const CasePlan* case_plan = nullptr;
  const AlgorithmPlan* algorithm = nullptr;
  Index trial = 1;
  Index rounds = 0;  // that were done; 0: all that were planned
};

// How wide the posterior of a job is, of its training rows: see Posterior::covariance. Empty for models whose
// parameters nobody reads (Model::coefficients), where the curvature is not that of a hill, and for rows times squared
// parameters beyond 1e11.
DoubleMatrix covariance_of(const TrainedJob& job, const TrialData& data, const Particles& particles);

// A toy's particles predict nothing: it has no posterior file.
bool has_posterior(const CasePlan& case_plan);

Posterior posterior_of(const TrainedJob& job, const TrialData& data, const Particles& particles);
// The same where the rows are elsewhere, and only their shape, number and scaling are known.
struct TrainingRows {
  Index features = 0;
  Index classes = 0;
  Index agents = 0;
  Index rows = 0;
  Scaling scaling = {};
  Ranges ranges = {};            // absent where the rows are elsewhere
  DoubleMatrix covariance = {};  // likewise
};
Posterior posterior_of(const TrainedJob& job, const TrainingRows& rows, const Particles& particles);

// "CASE-ALGORITHM-1.fedstein": unique among the jobs of a plan and fit for any file system. A plan of one case leaves
// the case out.
std::string posterior_file_name(const TrainedJob& job);

}  // namespace fedstein
