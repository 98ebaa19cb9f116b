// SPDX-License-Identifier: Apache-2.0
#include "fedstein/data/dataset.h"

#include <bit>
#include <cmath>
#include <numeric>

#include "fedstein/base/counted.h"
#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

void check_sizes(const Dataset& dataset) {
  const Index count = dataset.x.rows();
  check_argument(dataset.y.size() == count,
                 "validate",
                 dataset.name + " has " + counted(dataset.y.size(), "label") + " for " + counted(count, "row") +
                     "; there must be one a row");
  const Index groups = static_cast<Index>(dataset.group.size());
  check_argument(groups == 0 || groups == count,
                 "validate",
                 dataset.name + " has " + counted(groups, "group") + " for " + counted(count, "row") +
                     "; there must be one a row, or none");
}

void check_classes(const Dataset& dataset) {
  const Index classes = dataset.classes;
  const bool allowed = dataset.labels == LabelKind::kBinary       ? classes == 2
                       : dataset.labels == LabelKind::kMulticlass ? classes >= 2
                                                                  : classes == 0;
  const char* const wanted = dataset.labels == LabelKind::kBinary       ? "2"
                             : dataset.labels == LabelKind::kMulticlass ? "at least 2"
                                                                        : "0";
  check_argument(allowed,
                 "validate",
                 dataset.name + " has " + counted(classes, "class") + "; a " + label_kind_name(dataset.labels) +
                     " set has " + wanted);
}

bool label_allowed(const Dataset& dataset, Real label) {
  if (dataset.labels == LabelKind::kBinary) return label == Real{-1} || label == Real{1};
  if (dataset.labels == LabelKind::kMulticlass) {
    return label >= 0 && label < static_cast<Real>(dataset.classes) && label == std::floor(label);
  }
  if (dataset.labels == LabelKind::kCounts) return is_count(label);
  return std::isfinite(label);
}

}  // namespace

const char* label_kind_name(LabelKind labels) {
  switch (labels) {
    case LabelKind::kBinary:
      return "binary";
    case LabelKind::kMulticlass:
      return "multiclass";
    case LabelKind::kRegression:
      return "regression";
    case LabelKind::kCounts:
      return "counts";
    case LabelKind::kDensity:
      return "density";
  }
  return "unknown";
}

bool is_count(double label) {
  return label >= 0 && label <= kMostCount && label == std::floor(label);
}

void validate(const Dataset& dataset) {
  check_sizes(dataset);
  check_classes(dataset);
  for (Index row = 0; row < dataset.y.size(); ++row) {
    if (label_allowed(dataset, dataset.y(row))) continue;
    const std::string wanted =
        dataset.labels == LabelKind::kBinary       ? "-1 or 1"
        : dataset.labels == LabelKind::kMulticlass ? "a whole number from 0 to " + std::to_string(dataset.classes - 1)
        : dataset.labels == LabelKind::kCounts     ? "a whole number from 0 to " + to_text(kMostCount)
                                                   : "a finite number";
    check_argument(false,
                   "validate",
                   dataset.name + " has the label " + to_text(static_cast<double>(dataset.y(row))) + " in row " +
                       std::to_string(row + 1) + "; it must be " + wanted);
  }
  check_finite("validate", dataset.name.c_str(), dataset.x);
}

Index class_of(const Dataset& dataset, Index row) {
  if (dataset.labels == LabelKind::kBinary) return dataset.y(row) > 0 ? 1 : 0;
  check_argument(
      dataset.labels == LabelKind::kMulticlass,
      "class_of",
      dataset.name + " is a " + label_kind_name(dataset.labels) + " set; only binary and multiclass sets have classes");
  return static_cast<Index>(dataset.y(row));
}

std::vector<Index> class_counts(const Dataset& dataset, std::span<const Index> rows) {
  std::vector<Index> counts(static_cast<std::size_t>(dataset.classes));
  for (const Index row : rows) ++counts[static_cast<std::size_t>(class_of(dataset, row))];
  return counts;
}

std::vector<Index> class_counts(const Dataset& dataset) {
  return class_counts(dataset, all_rows(dataset.x.rows()));
}

Dataset rows(const Dataset& dataset, std::span<const Index> indices) {
  for (const Index row : indices) {
    if (row >= 0 && row < dataset.x.rows()) continue;
    check_argument(false,
                   "rows",
                   "row " + std::to_string(row) + " of " + dataset.name + " is asked for; it has rows 0 to " +
                       std::to_string(dataset.x.rows() - 1));
  }
  const Index count = static_cast<Index>(indices.size());
  Dataset out{dataset.name, dataset.labels, Matrix(count, dataset.x.cols()), Vector(count), dataset.classes, {}};
  if (!dataset.group.empty()) out.group.reserve(indices.size());
  Index next = 0;
  for (const Index row : indices) {
    out.x.row(next) = dataset.x.row(row);
    out.y(next) = dataset.y(row);
    if (!dataset.group.empty()) out.group.push_back(dataset.group[static_cast<std::size_t>(row)]);
    ++next;
  }
  return out;
}

std::vector<Index> all_rows(Index count) {
  std::vector<Index> indices(static_cast<std::size_t>(count));
  std::iota(indices.begin(), indices.end(), Index{0});
  return indices;
}

void check_rows(const char* function, std::span<const Index> indices, Index count) {
  std::vector<bool> seen(static_cast<std::size_t>(count));
  for (const Index row : indices) {
    // The sentence is only built for a row that fails: there may be half a million good ones.
    if (row < 0 || row >= count) {
      check_argument(false,
                     function,
                     "row " + std::to_string(row) + " is given; the set has rows 0 to " + std::to_string(count - 1));
    }
    const auto at = static_cast<std::size_t>(row);
    if (seen[at])
      check_argument(false, function, "row " + std::to_string(row) + " is given twice; each row may occur once");
    seen[at] = true;
  }
}

std::uint64_t checksum(const Dataset& dataset) {
  constexpr std::uint64_t kOffset = 0xcbf29ce484222325ULL;  // the 64-bit constants of FNV
  constexpr std::uint64_t kPrime = 0x100000001b3ULL;
  std::uint64_t hash = kOffset;
  const auto add = [&hash](Real value) {
    hash = (hash ^ std::bit_cast<std::uint32_t>(static_cast<float>(value))) * kPrime;
  };
  for (Index row = 0; row < dataset.x.rows(); ++row) {
    for (Index column = 0; column < dataset.x.cols(); ++column) add(dataset.x(row, column));
  }
  for (Index row = 0; row < dataset.y.size(); ++row) add(dataset.y(row));
  return hash;
}

}  // namespace fedstein
