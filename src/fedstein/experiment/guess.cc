// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>

#include "fedstein/experiment/job_details.h"
#include "fedstein/metrics/classification.h"

namespace fedstein {
namespace {

std::vector<Index> class_labels(const Vector& y, Index classes) {
  const bool has_sign = classes == 2 && (y.array() == -1).any();
  return has_sign ? binary_class_indices(y) : class_indices(y, classes);
}

// One row more of each class: a class that nobody has learned from is improbable, not impossible.
std::map<std::string, double> of_classes(const TrialData& data) {
  const Index classes = std::max<Index>(2, data.classes);
  // Told by both: a part without a label -1 would be read as 0 and 1.
  Vector all(data.y.size() + data.test_y.size());
  all << data.y, data.test_y;
  const std::vector<Index> found = class_labels(all, classes);
  const auto learned = static_cast<std::size_t>(data.y.size());
  std::vector<double> count(static_cast<std::size_t>(classes), 1);
  for (std::size_t i = 0; i < learned; ++i) ++count[static_cast<std::size_t>(found[i])];
  const auto most = static_cast<Index>(std::max_element(count.begin(), count.end()) - count.begin());
  const double rows = static_cast<double>(data.y.size() + classes);
  double right = 0;
  double log_likelihood = 0;
  for (std::size_t i = learned; i < found.size(); ++i) {
    right += found[i] == most ? 1 : 0;
    log_likelihood += std::log(count[static_cast<std::size_t>(found[i])] / rows);
  }
  const auto judged = static_cast<double>(data.test_y.size());
  return {{"accuracy", right / judged}, {"log_likelihood", log_likelihood / judged}};
}

std::map<std::string, double> of_targets(LabelKind labels, const TrialData& data) {
  const DoubleVector learned = data.y.cast<double>();
  const double mean = learned.mean();
  const double squares = (data.test_y.cast<double>().array() - mean).square().mean();
  std::map<std::string, double> out = {{"rmse", data.target_deviation * std::sqrt(squares)}};
  const double variance = (learned.array() - mean).square().mean();
  if (labels == LabelKind::kCounts || !(variance > 0)) return out;
  out["log_likelihood"] =
      -0.5 * (std::log(2 * std::numbers::pi * variance) + squares / variance) - std::log(data.target_deviation);
  return out;
}

}  // namespace

std::map<std::string, double> guess_figures(LabelKind labels, const TrialData& data) {
  if (data.test_y.size() == 0 || data.y.size() == 0) return {};
  const bool has_classes = labels == LabelKind::kBinary || labels == LabelKind::kMulticlass;
  return has_classes ? of_classes(data) : of_targets(labels, data);
}

}  // namespace fedstein
