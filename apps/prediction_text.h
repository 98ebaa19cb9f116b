// SPDX-License-Identifier: Apache-2.0
// Predictions as lines: CSV with a header, or one JSON object a line.
#pragma once

#include <optional>
#include <string>

#include "fedstein/posterior/judgement.h"

namespace fedstein {

// Rows of more doubt than the threshold are flagged, so that somebody else can look at them.
struct Abstention {
  Doubt by = Doubt::kTotal;
  double above = 0;
};

class PredictionText {
 public:
  enum class Form { kCsv, kJson };
  // Borrows the posterior.
  PredictionText(const Posterior& posterior, Form form, const std::optional<Abstention>& abstention);

  // Before all lines; empty for JSON.
  std::string head() const;
  // The lines of some rows, numbered on from those before.
  std::string lines(const RowPredictions& predictions);

 private:
  std::string csv_line(const RowPredictions& predictions, Index row) const;
  std::string json_line(const RowPredictions& predictions, Index row) const;

  const Posterior& posterior_;
  Form form_;
  std::optional<Abstention> abstention_;
  DoubleVector doubt_;  // of the rows in hand
  std::int64_t rows_ = 0;
};

}  // namespace fedstein
