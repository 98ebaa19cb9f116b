// SPDX-License-Identifier: Apache-2.0
#include "fedstein/evaluation/plateau.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "fedstein/numeric/check.h"

namespace fedstein {

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

bool Plateau::note(Index round, double value) {
  const double bar = best_ ? *best_ + options_.threshold * std::max(1.0, std::abs(*best_)) : 0;
  if (std::isfinite(value) && (!best_ || value > bar)) {
    best_ = value;
    best_round_ = round;
    since_ = 0;
    return false;
  }
  ++since_;
  return since_ >= options_.evaluations && round - best_round_ >= options_.rounds;
}

}  // namespace fedstein
