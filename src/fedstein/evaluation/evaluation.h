// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fedstein/federated/observer.h"
#include "fedstein/metrics/classification_tally.h"
#include "fedstein/metrics/evaluation_sums.h"
#include "fedstein/model/model.h"

namespace fedstein {

struct EvaluationOptions {
  Index evaluate_every = 1;  // rounds 1 * this, 2 * this, ...
  Index last_round = 0;      // is evaluated in any case; 0: not known
  Index bins = kDefaultBins;
  // Of a regression: the deviation by which its targets were divided. Figures are of the targets as they were: the RMSE
  // is multiplied by it, and its logarithm taken off the log-likelihood, a density of the target.
  double target_deviation = 1;
  bool f1 = false;  // of a classifier with two classes: `f1`, the score of the second; absent where it is undefined
  // Of a classifier: for each share, `answered@SHARE`, the accuracy when the least confident rows are left out, this
  // share at most (kAbstentionConvention).
  std::vector<double> abstained = {};
  // How sure the predictions are: of a classifier `confidence`, the mean probability of the predicted class, to be held
  // against its accuracy; of a regression `coverage`, the share of targets within mean +- 1.96 predictive deviations,
  // which is to be 0.95, or of counts the share within the central 95 % interval of the predictive distribution, which
  // is to be at least that, for counts are whole numbers; and `rows`, how many there are to tell it by.
  bool sureness = false;
};

// Predictions for test rows, judged. A classifier's rounds get `accuracy`, `log_likelihood` (of the true label, mean
// over rows), `ece`, `mce` and `brier`, a regression's, of counts too, `rmse` and `log_likelihood`; the conventions are
// those of metrics/. Borrows model and rows. A model that predicts nothing is refused.
class Evaluation : public Observer {
 public:
  Evaluation(const Model& model, const Batch& test) : Evaluation(model, test, EvaluationOptions{}) {}
  Evaluation(const Model& model, const Batch& test, const EvaluationOptions& options);
  Evaluation(const Model&&, const Batch&) = delete;
  Evaluation(const Model&&, const Batch&, const EvaluationOptions&) = delete;

  Next on_round(RoundRecord& record, const Particles& particles) override;
  // The figures by themselves.
  std::map<std::string, double> figures(const Particles& particles) const;
  // What the figures are made of, for those who have only some of the rows. Not what looks at all rows at once: f1 and
  // abstention; nor the baseline, which would tell how frequent each label is.
  EvaluationSums sums(const Particles& particles) const;
  // The reliability diagram of a classifier; nothing for a regression.
  std::optional<ReliabilityBins> reliability(const Particles& particles) const;

 private:
  void add_asked(const Matrix& probabilities, std::map<std::string, double>& out) const;
  ClassificationTally tally(const Particles& particles) const;

  const Predictive* model_;
  Batch test_;
  EvaluationOptions options_;
  std::vector<Index> labels_;  // of a classifier: class indices; empty for a regression
};

}  // namespace fedstein
