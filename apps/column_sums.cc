// SPDX-License-Identifier: Apache-2.0
#include "column_sums.h"

#include "fedstein/federated/state.h"

namespace fedstein {
namespace {

constexpr const char* kOwner = "column statistics";

ColumnStatistics statistics_from(const std::string& bytes, Index columns) {
  StateReader reader(bytes, kOwner);
  ColumnStatistics out;
  out.count = reader.integer();
  if (const Index found = reader.integer(); found != columns) {
    throw BadState("column statistics: " + std::to_string(found) + " columns; expected " + std::to_string(columns));
  }
  for (DoubleVector* part : {&out.mean, &out.squares, &out.low, &out.high}) part->resize(columns);
  for (Index i = 0; i < columns; ++i) {
    for (DoubleVector* part : {&out.mean, &out.squares, &out.low, &out.high}) (*part)(i) = reader.number();
  }
  reader.finish();
  return out;
}

}  // namespace

bool is_fixed(ScalingRule rule) {
  return rule == ScalingRule::kNone || rule == ScalingRule::kPixel;
}

std::string column_sums_bytes(const ColumnStatistics& statistics) {
  StateWriter writer(kOwner);
  writer.integer(statistics.count);
  writer.integer(statistics.mean.size());
  for (Index i = 0; i < statistics.mean.size(); ++i) {
    for (const DoubleVector* part : {&statistics.mean, &statistics.squares, &statistics.low, &statistics.high}) {
      writer.number((*part)(i));
    }
  }
  return std::move(writer).finish();
}

ColumnStatistics merged_column_sums(const std::vector<std::string>& of_each_agent, Index columns) {
  ColumnStatistics all = statistics_from(of_each_agent.at(0), columns);
  for (std::size_t k = 1; k < of_each_agent.size(); ++k) all = merge(all, statistics_from(of_each_agent[k], columns));
  return all;
}

}  // namespace fedstein
