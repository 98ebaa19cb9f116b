// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <functional>
#include <memory>

#include "fedstein/posterior/row_source.h"

namespace fedstein {

// Rows to predict for, a batch at a time, from a source that may not have an end: as many as there are without waiting,
// 512 at most. A row that is wrong is thrown as a DataError after the rows before it have been given out, or left out
// where somebody listens.
class RowStream {
 public:
  using OnBadRow = std::function<void(const std::string& sentence)>;

  // on_bad_row: set, it is told of a row that is left out.
  RowStream(std::unique_ptr<RowSource> source, Index features, OnBadRow on_bad_row = {});

  // False at the end.
  bool next();
  // Valid until the next call of next(); for each row its number in the source, from 1, bad ones counted too, where it
  // stands, and the columns with values that training has not seen.
  auto rows() const { return batch_.topRows(count_); }
  struct RowFacts {
    std::int64_t number = 0;
    std::string place = {};
    std::vector<std::string> unknown = {};
  };
  const std::vector<RowFacts>& facts() const { return facts_; }
  std::string remark() const { return source_->remark(); }

 private:
  void add_row();

  std::unique_ptr<RowSource> source_;
  OnBadRow on_bad_row_;
  Matrix batch_;
  Index count_ = 0;
  std::vector<RowFacts> facts_;
  std::int64_t read_ = 0;
  bool at_end_ = false;
  std::string last_complaint_;  // of the row before, if it was bad
  std::exception_ptr problem_;
};

}  // namespace fedstein
