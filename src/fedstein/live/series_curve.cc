// SPDX-License-Identifier: Apache-2.0
#include "fedstein/live/series_curve.h"

#include <cmath>
#include <iterator>
#include <limits>

namespace fedstein {

void Average::add(double value) {
  ++count_;
  const double before = value - mean_;
  mean_ += before / static_cast<double>(count_);
  squares_ += before * (value - mean_);
}

double Average::error() const {
  if (count_ < 2) return std::numeric_limits<double>::quiet_NaN();
  const auto n = static_cast<double>(count_);
  return std::sqrt(squares_ / (n - 1) / n);
}

namespace {

void add_figures(SeriesCurve::Row& row, const std::map<std::string, double>& figures) {
  for (const auto& [name, value] : figures) {
    if (row.figures.contains(name) || row.figures.size() < SeriesCurve::kMostFigures) row.figures[name].add(value);
  }
}

}  // namespace

SeriesCurve::SeriesCurve(std::size_t most) : most_(most) {}

void SeriesCurve::note(const RoundFigures& told, Index place, bool again) {
  const bool is_last = rows_.empty() || told.round >= rows_.rbegin()->first;
  if (again) {
    const auto found = rows_.find(told.round);
    if (found == rows_.end()) return;
    // Its place, and what it had cost, were right the first time.
    found->second.figures.clear();
    add_figures(found->second, told.figures);
    return;
  }
  // A round between two that are kept is drawn by nobody.
  if (!rows_.contains(told.round) && !is_last && place % stride_ != 0) return;
  if (is_last && !rows_.contains(told.round)) drop_the_old_last();
  Row& row = rows_[told.round];
  row.place = place;
  row.bytes.add(told.bytes);
  row.seconds.add(told.seconds);
  add_figures(row, told.figures);
  while (rows_.size() > most_ + 1) thin();
}

void SeriesCurve::amend(Index round, const std::map<std::string, double>& figures) {
  const auto found = rows_.find(round);
  if (found == rows_.end()) return;
  for (const auto& [name, value] : figures) found->second.figures.erase(name);
  add_figures(found->second, figures);
}

// The last round is always shown; it stays when it falls on the grid of those that are kept.
void SeriesCurve::drop_the_old_last() {
  if (rows_.empty()) return;
  const auto last = std::prev(rows_.end());
  if (last->second.place % stride_ != 0) rows_.erase(last);
}

void SeriesCurve::thin() {
  stride_ *= 2;
  const Index last = rows_.rbegin()->first;
  std::erase_if(rows_, [&](const auto& entry) { return entry.first != last && entry.second.place % stride_ != 0; });
}

}  // namespace fedstein
