// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>

#include "fedstein/data/text_rows.h"

namespace fedstein {

// Rows to predict for, a batch at a time, from a source that may not have an end: as many as there are without waiting,
// 512 at most. A row that is wrong is thrown as a DataError after the rows before it have been given out.
class RowStream {
 public:
  RowStream(TextRows rows, Index features);

  // False at the end.
  bool next();
  // Valid until the next call of next().
  auto rows() const { return batch_.topRows(count_); }

 private:
  void check_width() const;

  TextRows rows_;
  Matrix batch_;
  Index count_ = 0;
  std::exception_ptr problem_;
};

}  // namespace fedstein
