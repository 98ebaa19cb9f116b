// SPDX-License-Identifier: Apache-2.0
#include "fedstein/serving/column_sums.h"

#include <algorithm>
#include <cmath>

#include "fedstein/base/upper_median.h"
#include "fedstein/data/error.h"
#include "fedstein/federated/state.h"
#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

constexpr const char* kOwner = "column sums";
// A column's deviation below this part of its mean is rounding: the column is constant.
constexpr double kConstantDeviation = 1e-9;
// Beyond it nothing can be scaled in single precision.
constexpr double kMostSize = 1e30;
// How many times as large as the others' an agent's column may be. Generous: agents differ.
constexpr double kMostTimesTheOthers = 1e6;

// Only the columns that travel.
struct Sums {
  Index rows = 0;
  DoubleVector mean = {};
  DoubleVector squares = {};
};

std::string bytes_of(const Sums& sums) {
  StateWriter writer(kOwner);
  writer.integer(sums.rows);
  writer.integer(sums.mean.size());
  for (Index i = 0; i < sums.mean.size(); ++i) {
    writer.number(sums.mean(i));
    writer.number(sums.squares(i));
  }
  return std::move(writer).finish();
}

Sums sums_from(const std::string& bytes, Index columns) {
  StateReader reader(bytes, kOwner);
  Sums out{.rows = reader.integer()};
  if (const Index found = reader.integer(); found != columns) {
    throw BadState("column sums: " + std::to_string(found) + " columns; expected " + std::to_string(columns));
  }
  out.mean.resize(columns);
  out.squares.resize(columns);
  for (Index i = 0; i < columns; ++i) {
    out.mean(i) = reader.number();
    out.squares(i) = reader.number();
  }
  reader.finish();
  return out;
}

double deviation(const Sums& sums, Index column) {
  return std::sqrt(sums.squares(column) / static_cast<double>(std::max<Index>(1, sums.rows - 1)));
}

ColumnStatistics statistics_of(const Sums& sums, Index columns) {
  ColumnStatistics out;
  out.count = sums.rows;
  for (DoubleVector* part : {&out.mean, &out.squares, &out.low, &out.high}) *part = DoubleVector::Zero(columns);
  for (Index i = 0; i < sums.mean.size(); ++i) {
    out.mean(i) = sums.mean(i);
    out.squares(i) = sums.squares(i);
    const double spread = deviation(sums, i);
    const bool constant = spread <= kConstantDeviation * std::abs(sums.mean(i));
    out.low(i) = sums.mean(i) - (constant ? 0 : spread);
    out.high(i) = sums.mean(i) + (constant ? 0 : spread);
  }
  return out;
}

// With three agents or more the middle one tells what is usual.
void check_alike(const std::vector<Sums>& agents, const std::vector<std::string>& names) {
  if (agents.size() < 3) return;
  for (Index column = 0; column < agents.front().mean.size(); ++column) {
    std::vector<double> means;
    std::vector<double> spreads;
    for (const Sums& one : agents) {
      means.push_back(one.mean(column));
      spreads.push_back(deviation(one, column));
    }
    const double centre = upper_median(means);
    const double most = kMostTimesTheOthers * std::max({1.0, std::abs(centre), upper_median(spreads)});
    for (std::size_t k = 0; k < agents.size(); ++k) {
      if (std::abs(means[k] - centre) <= most && spreads[k] <= most) continue;
      throw DataError("agent '" + names.at(k) + "': column " + std::to_string(column) +
                      " (from 0) of the features has mean " + to_text(means[k]) + " and deviation " +
                      to_text(spreads[k]) + ", where the middle of all agents has " + to_text(centre) + " and " +
                      to_text(upper_median(spreads)) +
                      "; it would scale everybody's rows away. Start the server once with --drop-enrolment " +
                      names.at(k) + ", or fix the scaling in the configuration");
    }
  }
}

}  // namespace

SummedColumns summed_columns(Index features, LabelKind labels) {
  return {features, labels == LabelKind::kRegression};
}

bool is_fixed(ScalingRule rule) {
  return rule != ScalingRule::kStandardise && rule != ScalingRule::kUnitInterval;
}

Scaling fixed_scaling(const DatasetPlan& plan, Index features) {
  if (plan.scaling == ScalingRule::kFixed) return make_scaling(plan.file.scaling, features, "the federation");
  ColumnStatistics nothing;
  nothing.mean = DoubleVector::Zero(features + 1);
  return make_scaling(plan.scaling, plan.file.labels, nothing);
}

std::string objection_to_sums_for(ScalingRule rule) {
  if (rule != ScalingRule::kUnitInterval) return {};
  return "is unit-interval, which needs the least and the greatest value of every column: values of single rows, that "
         "do not leave an agent; allowed in a networked federation of own files: none, standardise, pixel, fixed";
}

std::string column_sums_bytes(const ColumnStatistics& statistics, const SummedColumns& columns) {
  check_argument(statistics.count >= kLeastRowsForSums, "agent", [&] {
    return "the file has " + std::to_string(statistics.count) +
           " rows; sums of their columns would nearly show them, so " + std::to_string(kLeastRowsForSums) +
           " are needed, or a scaling that is fixed in the server's configuration";
  });
  return bytes_of({statistics.count, statistics.mean.head(columns.count()), statistics.squares.head(columns.count())});
}

ColumnStatistics column_sums_from(const std::string& bytes, const SummedColumns& columns) {
  return statistics_of(sums_from(bytes, columns.count()), columns.features + 1);
}

std::string sums_objection(const AgentFacts& facts,
                           const SummedColumns& columns,
                           const std::map<Index, Enrolment>& enrolled) {
  const bool others_have_none =
      std::all_of(enrolled.begin(), enrolled.end(), [](const auto& one) { return one.second.statistics.empty(); });
  if (!enrolled.empty() && facts.statistics.empty() != others_have_none) {
    return facts.statistics.empty() ? "it sends no sums of its columns, as the others do; start it with --data FILE"
                                    : "it sends sums of its columns, and the others do not; start it with --simulate";
  }
  if (facts.statistics.empty()) return {};
  try {
    const Sums sums = sums_from(facts.statistics, columns.count());
    if (sums.rows != facts.rows) {
      return "its sums are of " + std::to_string(sums.rows) + " rows, but it has " + std::to_string(facts.rows);
    }
    if (sums.rows < kLeastRowsForSums) {
      return "it has " + std::to_string(sums.rows) + " rows; at least " + std::to_string(kLeastRowsForSums) +
             " are needed for sums that show none of them";
    }
    if (!sums.mean.allFinite() || !sums.squares.allFinite()) return "its sums hold a value that is not finite";
    if (sums.squares.size() > 0 && sums.squares.minCoeff() < 0) return "its sums of squares hold a negative value";
    for (Index i = 0; i < sums.mean.size(); ++i) {
      if (std::abs(sums.mean(i)) <= kMostSize && deviation(sums, i) <= kMostSize) continue;
      return "column " + std::to_string(i) + " (from 0) of its sums has mean " + to_text(sums.mean(i)) +
             " and deviation " + to_text(deviation(sums, i)) + "; up to " + to_text(kMostSize) + " is allowed";
    }
  } catch (const BadState& error) {
    return std::string("its sums cannot be read: ") + error.what();
  }
  return {};
}

std::string total_of_sums(const std::vector<std::string>& of_each_agent,
                          const SummedColumns& columns,
                          const std::vector<std::string>& names) {
  if (of_each_agent.empty() || of_each_agent.front().empty()) return {};
  std::vector<Sums> agents;
  for (const std::string& bytes : of_each_agent) agents.push_back(sums_from(bytes, columns.count()));
  check_alike(agents, names);
  ColumnStatistics all = statistics_of(agents.front(), columns.count());
  for (std::size_t k = 1; k < agents.size(); ++k) all = merge(all, statistics_of(agents[k], columns.count()));
  return bytes_of({all.count, all.mean, all.squares});
}

}  // namespace fedstein
