// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "fedstein/table/settle.h"

namespace fedstein {

// The way from a text to a schema, step by step; what has been found so far stays readable when a step throws.
class Understanding {
 public:
  Understanding(const TableText& table, const TableOptions& options) : table_(table), options_(options) {}

  // Throws DataError for a text that is no table, or whose columns are not those that were told.
  void study();
  // Settles the schema from what was studied; problems().empty() says whether it can be used.
  void settle();

  const TableSchema& schema() const { return schema_; }
  const Findings& findings() const { return findings_; }
  std::vector<ColumnSummary> summaries() const;
  Index dropped() const { return study_.dropped; }
  Index rows() const { return study_.rows + study_.dropped; }

 private:
  void settle_dialect();
  void settle_names();
  void settle_decimal();
  void match_given_columns();
  void match_given_places();
  void match_given_names();
  void settle_told_values();
  void settle_blank_column();
  void want_values();
  void settle_missing();
  void settle_features();
  void add_remarks();
  std::string other_kinds() const;
  SettleInput input(std::size_t column) const;

  const TableText& table_;
  const TableOptions& options_;
  StudyPlan plan_;
  TableStudy study_;
  std::vector<ColumnValues> values_;
  std::vector<Index> given_;  // of each column: its place in TableOptions::columns, or -1
  bool header_is_guess_ = false;
  bool last_is_blank_ = false;
  TableSchema schema_;
  Findings findings_;
};

}  // namespace fedstein
