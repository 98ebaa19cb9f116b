// SPDX-License-Identifier: Apache-2.0
#include "fedstein/evaluation/plateau.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

constexpr double kLowest = -1e300;  // stands for a value that is not finite; sums of it are

}  // namespace

Plateau::Plateau(const PlateauOptions& options) : options_(options) {
  check_argument(options.threshold >= 0 && std::isfinite(options.threshold), "Plateau", [&] {
    return "threshold is " + to_text(options.threshold) + "; it must be at least 0";
  });
  check_argument(options.evaluations >= 1, "Plateau", [&] {
    return "evaluations is " + std::to_string(options.evaluations) + "; it must be at least 1";
  });
  check_argument(options.rounds >= 0, "Plateau", [&] {
    return "rounds is " + std::to_string(options.rounds) + "; it must be at least 0";
  });
}

double Plateau::bar(double value) const {
  return value + options_.threshold * std::max(1.0, std::abs(value));
}

bool Plateau::note(Index round, double value) {
  if (std::isfinite(value) && (!best_ || value > bar(*best_))) {
    best_ = value;
    best_round_ = round;
    since_.clear();
    return false;
  }
  since_.push_back(std::isfinite(value) ? value : kLowest);
  return static_cast<Index>(since_.size()) >= options_.evaluations && round - best_round_ >= options_.rounds &&
         !rises();
}

// Whether the later half, or the last quarter, lies above what came before it: a way back up may be short as yet.
bool Plateau::rises() const {
  return rises_over(options_.evaluations / 2) || rises_over(options_.evaluations / 4);
}

bool Plateau::rises_over(Index count) const {
  if (count == 0) return false;
  const double later = std::accumulate(since_.end() - count, since_.end(), 0.0);
  const double earlier = std::accumulate(since_.end() - 2 * count, since_.end() - count, 0.0);
  return later / static_cast<double>(count) > bar(earlier / static_cast<double>(count));
}

}  // namespace fedstein
