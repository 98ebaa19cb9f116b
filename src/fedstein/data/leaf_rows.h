// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "fedstein/data/byte_cursor.h"
#include "fedstein/data/leaf.h"
#include "fedstein/data/row_buffer.h"

namespace fedstein {

// Collects the parts of a LEAF file in whatever order they come and joins them in the order of `users`.
class LeafCollector {
 public:
  // `cursor` is where the parser stands, for messages; it must outlive this.
  explicit LeafCollector(const ByteCursor& cursor) : cursor_(cursor) {}

  void begin_users() { once(has_users_, "users"); }
  void add_user(const std::string& name);
  void begin_counts() { once(has_counts_, "num_samples"); }
  void add_count(double count, const std::string& text);
  void begin_user_data() { once(has_user_data_, "user_data"); }

  void begin_user(const std::string& name);
  void begin_features() { once(has_x_, "x"); }
  void add_row(const std::vector<Real>& row);
  void begin_labels() { once(has_y_, "y"); }
  void add_label(Real label) { labels_.push_back(label); }
  void end_user();

  LeafRows finish() &&;

 private:
  struct Block {
    Index first = 0;
    Index rows = 0;
  };

  void once(bool& seen, const char* key);
  void check_complete() const;

  const ByteCursor& cursor_;
  bool has_users_ = false;
  bool has_counts_ = false;
  bool has_user_data_ = false;
  std::vector<std::string> users_;
  std::vector<Index> counts_;
  std::unordered_map<std::string, Block> blocks_;  // by user
  std::optional<RowBuffer> features_;              // in the order of the file
  std::vector<Real> labels_;

  std::string user_;  // the one being read
  Block block_;
  bool has_x_ = false;
  bool has_y_ = false;
};

}  // namespace fedstein
