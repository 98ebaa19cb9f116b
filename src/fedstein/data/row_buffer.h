// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <utility>

#include "fedstein/numeric/matrix.h"

namespace fedstein {

// A matrix that grows row by row. It at least doubles when full, so memory stays within twice what really arrived.
class RowBuffer {
 public:
  explicit RowBuffer(Index columns) : columns_(columns) {}

  // A new last row, not initialised.
  Real* add() {
    if (rows_ == values_.rows()) {
      const Index first = std::max(Index{1}, kFirstValues / columns_);
      values_.conservativeResize(std::max(first, 2 * rows_), columns_);
    }
    return values_.data() + rows_++ * columns_;
  }
  Index rows() const { return rows_; }
  Index columns() const { return columns_; }

  Matrix take() && {
    values_.conservativeResize(rows_, columns_);
    return std::move(values_);
  }

 private:
  static constexpr Index kFirstValues = 4096;

  Matrix values_;
  Index columns_;
  Index rows_ = 0;
};

}  // namespace fedstein
