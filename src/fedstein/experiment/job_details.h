// SPDX-License-Identifier: Apache-2.0
// What a job leaves beside its rounds' figures, for whoever draws its last belief.
#pragma once

#include <map>
#include <string>

#include "fedstein/experiment/job.h"
#include "fedstein/posterior/posterior.h"

namespace fedstein {

// Names of what RunStore::details may hold of a job; each is JSON.
inline constexpr const char* kRowsDetail = "rows";                  // how many rows, features, classes, agents
inline constexpr const char* kGuessDetail = "guess";                // figures of a prediction that looks at no feature
inline constexpr const char* kAbstentionDetail = "abstention";      // [share left out, accuracy of the rest]
inline constexpr const char* kCoverageDetail = "coverage";          // [level of an interval, share of targets in it]
inline constexpr const char* kPredictedDetail = "predicted";        // [predicted, low, high, observed], some test rows
inline constexpr const char* kSpreadDetail = "spread";              // of a network's particles, by layer
inline constexpr const char* kCoefficientsDetail = "coefficients";  // with intervals, in the units of the columns

// Test rows of a regression whose prediction and target are kept, of the first trial only. Enough for a cloud of
// points; a report that is mailed around holds no more of anybody's rows.
inline constexpr Index kMostPredictedRows = 200;
// Coefficients that are kept; of more, those that are furthest from 0 in deviations.
inline constexpr Index kMostCoefficients = 60;
// Models with more parameters have their coefficients left out: work grows with the third power, and nobody reads them.
inline constexpr Index kMostReadParameters = 1000;
// Of the intervals in `predicted`.
inline constexpr double kPredictedLevel = 0.9;

// Of the last belief. Nothing for a toy, which predicts no rows, and for particles that are not finite.
std::map<std::string, std::string> job_details(const Job& job, const TrialData& data, const Particles& particles);

// The coefficients of a model that people can read; empty for all others, and for those with too many.
std::string coefficients_detail(const Posterior& posterior, const Registry& registry);

// What somebody predicts who knows the training labels and no feature: the most frequent class, the classes'
// frequencies; the normal distribution with the targets' mean and deviation. `accuracy` or `rmse`, and `log_likelihood`
// except of counts.
std::map<std::string, double> guess_figures(LabelKind labels, const TrialData& data);

}  // namespace fedstein
