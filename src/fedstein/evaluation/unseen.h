// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "fedstein/federated/observer.h"
#include "fedstein/model/model.h"

namespace fedstein {

// Before the name of a set of foreign rows.
inline constexpr const char* kUnseenFigure = "unseen@";
inline constexpr const char* kUnseenTotalFigure = "unseen_total@";

// Whether the particles notice rows of a kind that they have not learned from: how well their uncertainty tells foreign
// rows (the positives) from known ones. For every set two areas under the ROC curve (kAurocConvention):
//
//   unseen@NAME        by the epistemic part: mutual information of a classifier, variance of a regression's means
//   unseen_total@NAME  by all of it: entropy of the averaged predictive, variance of the target
//
// Particles that agree everywhere, as a single one does, have an epistemic part of 0: ties, so 0.5. A figure is absent
// where a row's prediction is not a number. Borrows model and rows. A model that predicts nothing is refused.
class UnseenDetection : public Observer {
 public:
  UnseenDetection(const Model& model, const Batch& known);
  UnseenDetection(const Model&&, const Batch&) = delete;

  // Needs at least one row, of as many columns as the known ones.
  void add(const std::string& name, const Matrix& foreign);
  void add(const std::string& name, const Matrix&& foreign) = delete;

  Next on_round(RoundRecord& record, const Particles& particles) override;
  // The figures by themselves.
  std::map<std::string, double> figures(const Particles& particles) const;

 private:
  // One entry per row; not a number where the prediction is none.
  struct Doubt {
    DoubleVector epistemic;
    DoubleVector total;
  };
  Doubt doubt(const Particles& particles, const ConstMatrixRef& rows) const;
  Doubt doubt_about_classes(const Particles& particles, const ConstMatrixRef& rows) const;
  Doubt doubt_about_targets(const Particles& particles, const ConstMatrixRef& rows) const;

  const Predictive* model_;
  Batch known_;
  Index classes_ = 0;  // of a regression: 0
  std::vector<std::pair<std::string, const Matrix*>> foreign_;
};

}  // namespace fedstein
