// SPDX-License-Identifier: Apache-2.0
#include "fedstein/evaluation/sureness.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fedstein/evaluation/run_objections.h"

namespace fedstein {
namespace {

constexpr double kTooSure = 0.08;    // confidence above accuracy
constexpr double kTooLittle = 0.07;  // coverage below 0.95
constexpr double kTooMuch = 0.04;    // coverage above 0.95
constexpr double kFewestRows = 20;   // that say anything
constexpr double kDeviations = 2.5;  // that chance alone hardly exceeds

// Of a share, known from so many rows.
double deviation_of(double share, double rows) {
  return std::sqrt(std::max(0.0, share * (1 - share)) / rows);
}

std::string sure_and_right(double sure, double right, const std::string& rows) {
  return "on " + rows + " the predicted class has probability " + short_text(sure) + " in the mean and is right in " +
         short_text(100 * right) + " %";
}

// What of the predictions of the last evaluated round is surer than it is right; empty: nothing.
std::string too_sure(const std::vector<RoundRecord>& records, const std::string& prefix, const std::string& rows) {
  const std::optional<double> covered = last_of(records, prefix + "coverage");
  const std::optional<double> sure = last_of(records, prefix + "confidence");
  const std::optional<double> right = last_of(records, prefix + "accuracy");
  if (covered && 0.95 - *covered > std::max(kTooLittle, kDeviations * deviation_of(0.95, rows_of(records, prefix)))) {
    return "95 % intervals cover " + short_text(100 * *covered) + " % of the targets of " + rows;
  }
  if (!sure || !right || rows_of(records, prefix) < kFewestRows) return {};
  const double chance = kDeviations * deviation_of(*right, rows_of(records, prefix));
  if (*sure - *right <= std::max(kTooSure, chance)) return {};
  return sure_and_right(*sure, *right, rows);
}

// The other way round.
std::string too_unsure(const std::vector<RoundRecord>& records, const std::string& prefix, const std::string& rows) {
  const std::optional<double> covered = last_of(records, prefix + "coverage");
  const std::optional<double> sure = last_of(records, prefix + "confidence");
  const std::optional<double> right = last_of(records, prefix + "accuracy");
  if (covered && *covered - 0.95 > std::max(kTooMuch, kDeviations * deviation_of(0.95, rows_of(records, prefix)))) {
    return "95 % intervals cover " + short_text(100 * *covered) + " % of the targets of " + rows;
  }
  if (!sure || !right || rows_of(records, prefix) < kFewestRows) return {};
  const double chance = kDeviations * deviation_of(*right, rows_of(records, prefix));
  return *right - *sure > std::max(kTooSure, chance) ? sure_and_right(*sure, *right, rows) : "";
}

}  // namespace

double rows_of(const std::vector<RoundRecord>& records, const std::string& prefix) {
  return last_of(records, prefix + "rows").value_or(std::numeric_limits<double>::infinity());
}

bool is_modest(const std::vector<RoundRecord>& records, const std::string& prefix) {
  const std::optional<double> covered = last_of(records, prefix + "coverage");
  const std::optional<double> sure = last_of(records, prefix + "confidence");
  const std::optional<double> right = last_of(records, prefix + "accuracy");
  return (covered && *covered >= 0.95) || (sure && right && *sure < *right);
}

std::optional<RunVerdict> surer_than_right(const std::vector<RoundRecord>& records) {
  std::string what = too_sure(records, "validation_", "kept-back rows");
  if (what.empty()) what = too_sure(records, "", "test rows");
  if (what.empty()) return std::nullopt;
  return RunVerdict{.kind = RunVerdict::Kind::kOverconfident,
                    .sentence = what + "; try `fedstein calibrate` on rows held out, or a method with more particles"};
}

std::optional<RunVerdict> less_sure_than_right(const std::vector<RoundRecord>& records) {
  std::string what = too_unsure(records, "validation_", "kept-back rows");
  if (what.empty()) what = too_unsure(records, "", "test rows");
  if (what.empty()) return std::nullopt;
  return RunVerdict{.kind = RunVerdict::Kind::kUnderconfident,
                    .sentence = what + "; try `fedstein calibrate` on rows held out, or a prior that pulls less"};
}

}  // namespace fedstein
