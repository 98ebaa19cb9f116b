// SPDX-License-Identifier: Apache-2.0
#include "fedstein/posterior/row_stream.h"

#include <utility>

#include "fedstein/data/error.h"

namespace fedstein {
namespace {

// More together would not be faster, and a stream that pauses is answered before.
constexpr Index kRowsAtATime = 512;

}  // namespace

RowStream::RowStream(TextRows rows, Index features) : rows_(std::move(rows)), batch_(kRowsAtATime, features) {}

bool RowStream::next() {
  if (problem_) std::rethrow_exception(problem_);
  count_ = 0;
  try {
    do {
      if (!rows_.next()) break;
      check_width();
      rows_.read(batch_.row(count_).data());
      ++count_;
    } while (count_ < batch_.rows() && rows_.has_row_at_hand());
  } catch (const DataError&) {
    if (count_ == 0) throw;
    problem_ = std::current_exception();
  }
  return count_ > 0;
}

void RowStream::check_width() const {
  if (rows_.columns() == batch_.cols()) return;
  fail_line(rows_.name(),
            rows_.line(),
            "found " + std::to_string(rows_.columns()) + " columns; the model has " + std::to_string(batch_.cols()) +
                " features (--ignore leaves columns out)");
}

}  // namespace fedstein
