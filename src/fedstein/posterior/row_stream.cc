// SPDX-License-Identifier: Apache-2.0
#include "fedstein/posterior/row_stream.h"

#include <utility>

#include "fedstein/data/error.h"

namespace fedstein {
namespace {

// More together would not be faster, and a stream that pauses is answered before.
constexpr Index kRowsAtATime = 512;

}  // namespace

RowStream::RowStream(std::unique_ptr<RowSource> source, Index features, OnBadRow on_bad_row)
    : source_(std::move(source)), on_bad_row_(std::move(on_bad_row)), batch_(kRowsAtATime, features) {}

bool RowStream::next() {
  if (problem_) std::rethrow_exception(problem_);
  count_ = 0;
  facts_.clear();
  // A row that was left out is no reason to stop: there may be no good one at hand yet.
  while (!at_end_ && count_ < batch_.rows() && (count_ == 0 || source_->has_row_at_hand())) {
    try {
      add_row();
    } catch (const DataError& error) {
      ++read_;
      // A source that is broken says the same again and again.
      const bool is_row = on_bad_row_ && last_complaint_ != error.what();
      if (is_row) {
        last_complaint_ = error.what();
        on_bad_row_(error.what());
        continue;
      }
      if (count_ == 0) throw;
      problem_ = std::current_exception();
      return true;
    }
  }
  return count_ > 0;
}

void RowStream::add_row() {
  if (!source_->next()) {
    at_end_ = true;
    return;
  }
  source_->read(batch_.row(count_).data());
  facts_.push_back({++read_, source_->place(), source_->unknown()});
  ++count_;
  last_complaint_.clear();
}

}  // namespace fedstein
