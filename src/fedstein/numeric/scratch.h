// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "fedstein/numeric/matrix.h"

namespace fedstein {

// A rows x columns matrix for the length of a block, from a stack of memory that each thread keeps: inner loops get
// their temporaries without allocating, once the stack has grown to what they need.
//
// Scratch values of one thread must end in the opposite order of their start, as locals do. That holds even when the
// scheduler runs another task on this thread in the middle of a wait: that task's blocks end before the wait does.
// The contents are not initialised.
class Scratch {
 public:
  Scratch(Index rows, Index columns);
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  Eigen::Map<Matrix, Eigen::Aligned64>& operator*() { return matrix_; }
  Eigen::Map<Matrix, Eigen::Aligned64>* operator->() { return &matrix_; }
  const Eigen::Map<Matrix, Eigen::Aligned64>& operator*() const { return matrix_; }
  const Eigen::Map<Matrix, Eigen::Aligned64>* operator->() const { return &matrix_; }

 private:
  std::size_t bytes_;
  Eigen::Map<Matrix, Eigen::Aligned64> matrix_;
};

}  // namespace fedstein
