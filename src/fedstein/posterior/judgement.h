// SPDX-License-Identifier: Apache-2.0
// How good a posterior's predictions for labelled rows are, and what leaving the doubtful ones to somebody else buys.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fedstein/metrics/calibration.h"
#include "fedstein/metrics/classification.h"
#include "fedstein/posterior/predictor.h"

namespace fedstein {

// By what rows are put in order of doubt. kError: 1 - the largest probability, for classes only.
enum class Doubt { kTotal, kAleatoric, kEpistemic, kError };

inline constexpr const char* kDoubtNames[] = {"total", "aleatoric", "epistemic", "error"};

Doubt doubt_named(std::string_view name);

// One entry per row; more is more doubtful. Throws InvalidArgument for kError of a regression.
DoubleVector doubt_of(const RowPredictions& predictions, Doubt by);

struct JudgementOptions {
  Index bins = kDefaultBins;
  Doubt by = Doubt::kTotal;
  std::vector<double> abstained = {0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5};  // shares, each from 0 to below 1
};

struct AnsweredPoint {
  double asked = 0;      // the share of rows that may be left out
  double abstained = 0;  // the share that a threshold leaves out without exceeding it
  double threshold = 0;  // rows of more doubt than this are left out
  double figure = 0;     // of the rows answered: accuracy, or root mean squared error
};

struct JudgedClass {
  std::string name = {};
  std::int64_t rows = 0;
  ClassScore score = {};
};

struct IntervalPoint {
  double level = 0;  // of the central predictive interval
  double coverage = 0;
};

struct Judgement {
  Index rows = 0;
  std::vector<std::pair<std::string, double>> figures = {};  // in the order in which people ask for them
  std::vector<JudgedClass> classes = {};                     // of a classifier
  std::optional<ReliabilityBins> reliability = {};           // of a classifier
  std::vector<IntervalPoint> intervals = {};                 // of a regression with a Gaussian loss, or of counts
  std::vector<AnsweredPoint> answered = {};
  double risk_area = 0;  // under the risk-coverage curve
};

// x raw, y as data writes it. Throws InvalidArgument for rows that do not fit the model.
Judgement judge(const Predictor& predictor, const Dataset& rows, const JudgementOptions& options = {});

}  // namespace fedstein
