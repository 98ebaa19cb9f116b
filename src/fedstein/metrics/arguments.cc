// SPDX-License-Identifier: Apache-2.0
#include "fedstein/metrics/arguments.h"
#include "fedstein/base/counted.h"

#include <cmath>

namespace fedstein {

std::string value_in_row(const char* argument, double value, Index row) {
  return std::string(argument) + " holds " + to_text(value) + " in row " + std::to_string(row);
}

void check_probabilities(const char* function, const char* argument, const ConstMatrixRef& probabilities) {
  check_not_empty(function, argument, probabilities);
  check_finite(function, argument, probabilities);
  for (Index row = 0; row < probabilities.rows(); ++row) {
    double sum = 0;
    for (Index column = 0; column < probabilities.cols(); ++column) {
      const auto value = static_cast<double>(probabilities(row, column));
      if (value < 0 || value > 1 + kRowSumTolerance) {
        check_argument(false,
                       function,
                       value_in_row(argument, value, row) + ", column " + std::to_string(column) +
                           "; a probability lies between 0 and 1");
      }
      sum += value;
    }
    if (std::abs(sum - 1) > kRowSumTolerance) {
      check_argument(false,
                     function,
                     "row " + std::to_string(row) + " of " + argument + " sums to " + to_text(sum) +
                         "; it must sum to 1 within " + to_text(kRowSumTolerance));
    }
  }
}

void check_labels(const char* function, std::span<const Index> labels, Index rows, Index classes) {
  check_rows(function, "labels", static_cast<Index>(labels.size()), rows);
  for (std::size_t row = 0; row < labels.size(); ++row) {
    if (labels[row] >= 0 && labels[row] < classes) continue;
    check_argument(false,
                   function,
                   "labels holds " + std::to_string(labels[row]) + " in row " + std::to_string(row) +
                       "; it must be a class index from 0 to " + std::to_string(classes - 1));
  }
}

void check_bin_count(const char* function, Index bins) {
  check_argument(bins >= 1 && bins <= kMostBins,
                 function,
                 "bins is " + std::to_string(bins) + "; it must be from 1 to " + std::to_string(kMostBins));
}

void check_rows(const char* function, const char* argument, Index found, Index rows) {
  if (found == rows) return;
  check_argument(false,
                 function,
                 std::string(argument) + " has " + counted(found, "row") + "; it must have " + std::to_string(rows));
}

void check_no_nan(const char* function, const char* argument, const Eigen::Ref<const DoubleVector>& values) {
  check_argument(values.size() > 0, function, std::string(argument) + " is empty; it needs at least one row");
  for (Index row = 0; row < values.size(); ++row) {
    if (!std::isnan(values(row))) continue;
    check_argument(false, function, value_in_row(argument, values(row), row) + "; every value must be a number");
  }
}

}  // namespace fedstein
