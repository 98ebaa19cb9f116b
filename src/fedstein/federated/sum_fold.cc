// SPDX-License-Identifier: Apache-2.0
#include "fedstein/federated/sum_fold.h"

#include <algorithm>
#include <functional>
#include <string>

#include "fedstein/numeric/check.h"

namespace fedstein {

std::vector<DoubleMatrix> sum_of(const SumFold& fold, const std::vector<Update>& updates) {
  check_argument(!updates.empty(), "sum_of", "no updates; at least 1 is needed");
  std::vector<DoubleMatrix> sum;
  for (const Matrix& part : updates.front().belief) sum.emplace_back(DoubleMatrix::Zero(part.rows(), part.cols()));
  for (const Update& update : updates) {
    const std::vector<double> weights = fold.weights(update.agent);
    check_argument(weights.size() == sum.size() && update.belief.size() == sum.size(),
                   "sum_of",
                   "the updates and their weights differ in the number of matrices");
    for (std::size_t i = 0; i < sum.size(); ++i) {
      check_argument(update.belief[i].rows() == sum[i].rows() && update.belief[i].cols() == sum[i].cols(),
                     "sum_of",
                     "the updates differ in the shapes of their matrices");
    }
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += weights[i] * update.belief[i].cast<double>();
  }
  return sum;
}

void check_sum(const std::vector<DoubleMatrix>& sum, const std::vector<Index>& agents, const Belief& expected) {
  check_argument(!agents.empty(), "fold_sum", "no agents; at least 1 is needed");
  check_argument(
      agents.front() >= 0 && std::adjacent_find(agents.begin(), agents.end(), std::greater_equal()) == agents.end(),
      "fold_sum",
      "the agents' numbers are not ascending, each once");
  check_argument(sum.size() == expected.size(), "fold_sum", [&] {
    return std::to_string(sum.size()) + " matrices, expected " + std::to_string(expected.size());
  });
  for (std::size_t i = 0; i < sum.size(); ++i) {
    check_argument(sum[i].rows() == expected[i].rows() && sum[i].cols() == expected[i].cols(), "fold_sum", [&] {
      return "matrix " + std::to_string(i) + " is " + std::to_string(sum[i].rows()) + " x " +
             std::to_string(sum[i].cols()) + ", expected " + shape_of(expected[i]);
    });
    if (!sum[i].allFinite()) throw Divergence("fold_sum: matrix " + std::to_string(i) + " of the sum is not finite");
  }
}

}  // namespace fedstein
