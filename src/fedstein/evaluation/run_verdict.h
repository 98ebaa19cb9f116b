// SPDX-License-Identifier: Apache-2.0
// What became of a run, in words for somebody who has not seen its curves. A function of the rounds' records alone.
#pragma once

#include <string>
#include <vector>

#include "fedstein/federated/observer.h"

namespace fedstein {

// By what it is worth knowing: of several trials the greatest is told.
//
//   converged        over the last fifth of the evaluated rounds the figure moved by no more than 0.002, or its noise
//   not judged       fewer than five evaluated rounds, or agents did not answer
//   still improving  it rises
//   underconfident   it stands still, and predictions are less sure than they are right: confidence 0.08 below
//                    accuracy, 95 % intervals that cover more than 99 %
//   no better than   it stands still, and the log-likelihood on test rows exceeds the figure `baseline` by less than
//     guessing       0.01: what is predicted without looking at the features does as well
//   overconfident    it lies 0.05 below what it had reached, while accuracy or RMSE held or got better; or predictions
//                    are surer than they are right: confidence 0.08 above accuracy, 95 % intervals that cover less than
//                    88 %. More is asked of few rows: what chance hardly exceeds
//   collapsed        particles lie on one place: a thousandth of the first round's spread or 1e-6 is left; or the
//                    diagnostic `collapsed` says so
//   diverging        it lies 0.1 below what it had reached, or is not finite, or the last rounds were lost to numbers
//                    that were not
//
// The figure is validation_log_likelihood, else log_likelihood, else (toys) kl.
struct RunVerdict {
  enum class Kind {
    kConverged,
    kNotJudged,
    kImproving,
    kUnderconfident,
    kGuessing,
    kOverconfident,
    kCollapsed,
    kDiverging
  };

  Kind kind = Kind::kNotJudged;
  std::string figure = {};    // that was judged; empty: none was
  double per_round = 0;       // by how much it gets better a round, over the last fifth; negative: worse
  std::string sentence = {};  // "still improving: the log-likelihood on test rows rises by 0.003 a round ..."
};

// "still improving"
const char* name_of(RunVerdict::Kind kind);

struct JudgeOptions {
  Index particles = 0;  // of the belief; 0: not known, and several if they ever were apart
  Index rounds = 0;     // that were planned; 0: not known
  // For advice: the method's setting of its step size, empty: it has none; and whether features are standardised.
  std::string step = "learning_rate";
  bool is_standardised = false;
};

// What somebody should change whose numbers ran away: "try a smaller learning_rate, scaling = "standardise", ...".
std::string calmer(const JudgeOptions& options);

RunVerdict judge_run(const std::vector<RoundRecord>& records, const JudgeOptions& options = {});

}  // namespace fedstein
