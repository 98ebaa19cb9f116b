// SPDX-License-Identifier: Apache-2.0
#include "fedstein/data/leaf_rows.h"
#include "fedstein/base/counted.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>
#include <utility>

namespace fedstein {
namespace {

// A user costs some hundred bytes of memory for a few bytes of file; real federations have thousands.
constexpr std::size_t kMostUsers = std::size_t{1} << 20;
// Whole numbers up to here are exact in JSON's doubles.
constexpr double kLargestCount = 9007199254740992.0;

}  // namespace

void LeafCollector::once(bool& seen, const char* key) {
  if (std::exchange(seen, true))
    cursor_.fail("found the key '" + std::string(key) + "' a second time; expected it once");
}

void LeafCollector::add_user(const std::string& name) {
  if (users_.size() == kMostUsers) cursor_.fail("there are more users than " + std::to_string(kMostUsers));
  users_.push_back(name);
}

void LeafCollector::add_count(double count, const std::string& text) {
  if (!(count >= 0 && count <= kLargestCount && count == std::floor(count))) {
    cursor_.fail("num_samples: found " + in_quotes(text) + "; expected a number of rows");
  }
  if (counts_.size() == kMostUsers) cursor_.fail("there are more counts than " + std::to_string(kMostUsers));
  counts_.push_back(static_cast<Index>(count));
}

void LeafCollector::begin_user(const std::string& name) {
  if (blocks_.size() == kMostUsers) cursor_.fail("there are more users than " + std::to_string(kMostUsers));
  if (blocks_.contains(name)) cursor_.fail("found user " + in_quotes(name) + " a second time; expected it once");
  user_ = name;
  block_ = {.first = static_cast<Index>(labels_.size()), .rows = 0};
  has_x_ = false;
  has_y_ = false;
}

void LeafCollector::add_row(const std::vector<Real>& row) {
  const auto columns = static_cast<Index>(row.size());
  if (columns == 0) cursor_.fail("found a row without numbers; expected at least one");
  if (!features_) features_.emplace(columns);
  if (features_->columns() != columns) {
    cursor_.fail("found a row of " + counted(columns, "number") + "; expected " + std::to_string(features_->columns()) +
                 ", as in the first row");
  }
  std::copy(row.begin(), row.end(), features_->add());
  ++block_.rows;
}

void LeafCollector::end_user() {
  if (!has_x_ || !has_y_) {
    cursor_.fail("user " + in_quotes(user_) + " has no '" + (has_x_ ? "y" : "x") + "'; expected both 'x' and 'y'");
  }
  const Index labels = static_cast<Index>(labels_.size()) - block_.first;
  if (labels != block_.rows) {
    cursor_.fail("user " + in_quotes(user_) + " has " + counted(block_.rows, "row") + " in x and " +
                 counted(labels, "label") + " in y; expected as many");
  }
  blocks_.emplace(user_, block_);
}

void LeafCollector::check_complete() const {
  for (const auto& [seen, key] : {std::pair(has_users_, "users"),
                                  std::pair(has_counts_, "num_samples"),
                                  std::pair(has_user_data_, "user_data")}) {
    if (!seen) cursor_.fail("the key '" + std::string(key) + "' is missing; expected users, num_samples and user_data");
  }
  if (counts_.size() != users_.size()) {
    cursor_.fail("num_samples has " + std::to_string(counts_.size()) + " entries; expected one for each of the " +
                 counted(users_.size(), "user"));
  }
  std::unordered_set<std::string> known;
  for (std::size_t i = 0; i < users_.size(); ++i) {
    if (!known.insert(users_[i]).second)
      cursor_.fail("users holds " + in_quotes(users_[i]) + " twice; expected each name once");
    const auto block = blocks_.find(users_[i]);
    if (block == blocks_.end())
      cursor_.fail("user " + in_quotes(users_[i]) + " has no entry in user_data; expected one");
    if (block->second.rows != counts_[i]) {
      cursor_.fail("user " + in_quotes(users_[i]) + " has " + counted(block->second.rows, "row") + "; expected " +
                   std::to_string(counts_[i]) + ", as num_samples says");
    }
  }
  for (const auto& [name, block] : blocks_) {
    if (!known.contains(name))
      cursor_.fail("user_data holds user " + in_quotes(name) + "; expected only names from users");
  }
  if (!features_) cursor_.fail("there is no row; expected at least one");
}

LeafRows LeafCollector::finish() && {
  check_complete();
  const Matrix found = std::move(*features_).take();
  LeafRows result;
  result.x.resize(found.rows(), found.cols());
  result.y.resize(found.rows());
  result.user.reserve(static_cast<std::size_t>(found.rows()));
  Index row = 0;
  for (std::size_t i = 0; i < users_.size(); ++i) {
    const Block& block = blocks_.at(users_[i]);
    result.x.middleRows(row, block.rows) = found.middleRows(block.first, block.rows);
    result.y.segment(row, block.rows) = Eigen::Map<const Vector>(labels_.data() + block.first, block.rows);
    result.user.insert(result.user.end(), static_cast<std::size_t>(block.rows), static_cast<Index>(i));
    row += block.rows;
  }
  result.user_names = std::move(users_);
  return result;
}

}  // namespace fedstein
