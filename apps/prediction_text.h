// SPDX-License-Identifier: Apache-2.0
// Predictions as lines: CSV with a header, or one JSON object a line.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fedstein/posterior/judgement.h"
#include "fedstein/posterior/row_stream.h"

namespace fedstein {

// Rows of more doubt than the threshold are flagged, so that somebody else can look at them.
struct Abstention {
  Doubt by = Doubt::kTotal;
  double above = 0;
};

// What is said of some rows.
struct PredictedRows {
  const RowPredictions& predictions;
  const std::vector<RowStream::RowFacts>& facts;
  DoubleMatrix quantiles = {};                         // n x Q
  std::vector<std::vector<std::string>> unusual = {};  // of each row: the columns that are unlike training
};

class PredictionText {
 public:
  enum class Form { kCsv, kJson };
  struct Options {
    Form form = Form::kCsv;
    std::optional<Abstention> abstention = {};
    std::vector<double> quantiles = {};  // probabilities; empty: no such columns
    bool tells_unusual = true;
  };
  // Borrows the posterior.
  PredictionText(const Posterior& posterior, Options options) : posterior_(posterior), options_(std::move(options)) {}

  // Before all lines; empty for JSON.
  std::string head() const;
  std::string lines(const PredictedRows& rows);

 private:
  std::string csv_line(const PredictedRows& rows, Index row) const;
  std::string json_line(const PredictedRows& rows, Index row) const;
  // A row unlike training is for somebody else too: how sure the model is says nothing there.
  bool abstains(const PredictedRows& rows, Index row) const;

  const Posterior& posterior_;
  Options options_;
  DoubleVector doubt_;  // of the rows in hand
};

// "q05" of 0.05, "q2.5" of 0.025.
std::string quantile_name(double probability);

}  // namespace fedstein
