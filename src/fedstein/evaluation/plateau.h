// SPDX-License-Identifier: Apache-2.0
// When a run stands still. A rule of the values seen so far alone, so that a run that is resumed ends where an
// undisturbed one does.
#pragma once

#include <optional>
#include <vector>

#include "fedstein/base/index.h"

namespace fedstein {

struct PlateauOptions {
  // A value counts as better when it exceeds the last one that counted by this share of it, and of 1 where that is
  // less: a log-likelihood may be 0. Small steps add up, because what did not count does not raise the bar.
  double threshold = 1e-3;
  // So many values in a row without a better one, the second half of them no better in the mean than the first (what
  // comes back from a fall does not stand still) ...
  Index evaluations = 20;
  Index rounds = 0;  // ... that span at least so many rounds: agents in turn need some to be heard
};

// Watches a figure of which more is better.
class Plateau {
 public:
  explicit Plateau(const PlateauOptions& options = {});

  // Values of ascending rounds; one that is not finite is never better. True: it stands still.
  bool note(Index round, double value);

  // The last value that counted, and its round; nothing before the first.
  std::optional<double> best() const { return best_; }
  Index best_round() const { return best_round_; }

 private:
  bool rises() const;
  bool rises_over(Index count) const;
  double bar(double value) const;  // what is better than it

  PlateauOptions options_;
  std::optional<double> best_;
  Index best_round_ = 0;
  std::vector<double> since_;  // the values after it
};

}  // namespace fedstein
