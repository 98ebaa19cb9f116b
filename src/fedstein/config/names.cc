// SPDX-License-Identifier: Apache-2.0
#include "fedstein/config/names.h"

#include <array>
#include <utility>

#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

constexpr std::array<std::pair<FileFormat, std::string_view>, 5> kFormats = {{{FileFormat::kText, "text"},
                                                                              {FileFormat::kLibsvm, "libsvm"},
                                                                              {FileFormat::kIdx, "idx"},
                                                                              {FileFormat::kMatlab, "matlab"},
                                                                              {FileFormat::kLeaf, "leaf"}}};
constexpr std::array<std::pair<ScalingRule, std::string_view>, 5> kScalings = {
    {{ScalingRule::kNone, "none"},
     {ScalingRule::kUnitInterval, "unit-interval"},
     {ScalingRule::kStandardise, "standardise"},
     {ScalingRule::kPixel, "pixel"},
     {ScalingRule::kFixed, "fixed"}}};
constexpr std::array<std::pair<LabelKind, std::string_view>, 4> kLabels = {{{LabelKind::kBinary, "binary"},
                                                                            {LabelKind::kMulticlass, "multiclass"},
                                                                            {LabelKind::kRegression, "regression"},
                                                                            {LabelKind::kCounts, "counts"}}};

template <typename Table>
auto named(const Table& table, std::string_view name) {
  for (const auto& [value, known] : table) {
    if (known == name) return value;
  }
  refuse("config", "there is no '" + std::string(name) + "'");
}

template <typename Table, typename Value>
std::string name_of(const Table& table, Value wanted) {
  for (const auto& [value, name] : table) {
    if (value == wanted) return std::string(name);
  }
  refuse("config", "a value without a name");
}

}  // namespace

FileFormat format_named(std::string_view name) {
  return named(kFormats, name);
}

ScalingRule scaling_named(std::string_view name) {
  return named(kScalings, name);
}

LabelKind label_kind_named(std::string_view name) {
  return named(kLabels, name);
}

std::string format_name(FileFormat format) {
  return name_of(kFormats, format);
}

std::string scaling_name(ScalingRule rule) {
  return name_of(kScalings, rule);
}

}  // namespace fedstein
