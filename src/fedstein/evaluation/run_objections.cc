// SPDX-License-Identifier: Apache-2.0
#include "fedstein/evaluation/run_objections.h"

#include <algorithm>
#include <cmath>

#include "fedstein/base/text.h"
#include "fedstein/evaluation/sureness.h"

namespace fedstein {
namespace {

constexpr double kFall = 0.05;             // of a log-likelihood, in nats: grows too sure
constexpr double kFarFall = 0.1;           // diverges
constexpr double kRowDeviation = 0.5;      // by how much one row's log-likelihood may change for nothing
constexpr double kLeastGain = 0.01;        // over a guess, in nats
constexpr double kLeastRowsOfAGuess = 20;  // by which a guess is known
constexpr double kLeastSpread = 1e-6;
constexpr double kLeastSpreadLeft = 1e-3;  // of the first round's

std::string shown(const JudgedFigure& judged, double value) {
  return short_text(judged.less_is_better ? -value : value);
}

// Whether accuracy or RMSE at the end is no worse than in the window where the judged figure was best. Empty: it is.
std::string what_held(const std::vector<RoundRecord>& records,
                      const JudgedFigure& judged,
                      std::size_t best,
                      std::size_t width) {
  const Curve accuracy = curve_of(records, judged.prefix + "accuracy");
  const Curve rmse = curve_of(records, judged.prefix + "rmse");
  if (accuracy.size() == judged.curve.size()) {
    const double gain = window_mean(accuracy, accuracy.size() - width, width) - window_mean(accuracy, best, width);
    if (gain >= -0.005) return "accuracy";
  }
  if (rmse.size() == judged.curve.size()) {
    const double now = window_mean(rmse, rmse.size() - width, width);
    if (now <= 1.01 * window_mean(rmse, best, width)) return "RMSE";
  }
  return {};
}

}  // namespace

std::string short_text(double value) {
  return digits_text(value, 3);
}

std::string rounds_text(Index count) {
  return std::to_string(count) + (count == 1 ? " round" : " rounds");
}

std::optional<RunVerdict> lost_at_the_end(const std::vector<RoundRecord>& records, const JudgeOptions& options) {
  const std::size_t count = std::max<std::size_t>(1, (records.size() + 4) / 5);
  std::size_t lost = 0;
  bool diverged = false;
  std::string reason;
  for (std::size_t i = records.size() - count; i < records.size(); ++i) {
    if (!records[i].folded.empty() || records[i].failures.empty()) continue;
    ++lost;
    const Failure& failure = records[i].failures.front();
    reason = failure.reason;
    diverged = diverged || failure.kind == Failure::Kind::kDiverged || failure.kind == Failure::Kind::kRefused;
  }
  if (2 * lost <= count) return std::nullopt;
  const std::string which =
      count == 1 ? "the last round" : std::to_string(lost) + " of the last " + rounds_text(static_cast<Index>(count));
  const std::string what = which + " took nobody's update in" + (reason.empty() ? "" : " (" + reason + ")");
  if (!diverged) return RunVerdict{.kind = RunVerdict::Kind::kNotJudged, .sentence = what};
  return RunVerdict{.kind = RunVerdict::Kind::kDiverging, .sentence = what + "; " + calmer(options)};
}

std::optional<RunVerdict> collapse_of(const std::vector<RoundRecord>& records, const JudgeOptions& options) {
  const auto spreads = [](const RoundRecord& record) { return record.spread > 0; };
  const bool several = options.particles > 1 || std::any_of(records.begin(), records.end(), spreads);
  const double first = records.front().spread;
  const double last = records.back().spread;
  const std::optional<double> diagnosed = last_of(records, "collapsed");
  std::string what;
  if (several && last < std::max(kLeastSpread, kLeastSpreadLeft * first)) {
    what = "the particles' spread is " + short_text(last) + ", after " + short_text(first) + " in round " +
           std::to_string(records.front().round);
  } else if (diagnosed && *diagnosed > 0) {
    what = "the particles spread less than a third as far as the posterior asks";
  } else {
    return std::nullopt;
  }
  return RunVerdict{.kind = RunVerdict::Kind::kCollapsed,
                    .sentence = what +
                                ", so that they say nothing about uncertainty; try fewer local_steps, a prior "
                                "that pulls less, or another method"};
}

std::optional<RunVerdict> fall_of(const std::vector<RoundRecord>& records,
                                  const JudgedFigure& judged,
                                  const Trend& trend,
                                  const JudgeOptions& options) {
  const std::size_t width = tail_size(judged.curve.size());
  const std::size_t best = best_window(judged.curve, width);
  const double reached = window_mean(judged.curve, best, width);
  const double lost = reached - trend.level;
  const bool recovers = trend.per_round > trend.uncertainty;
  const double chance = std::max(3 * trend.noise, kRowDeviation / std::sqrt(rows_of(records, judged.prefix)));
  if (recovers || lost <= std::max(kFall, chance)) return std::nullopt;
  const std::string what = judged.words + (judged.less_is_better ? " rose from " : " fell from ") +
                           shown(judged, reached) + " (around round " +
                           std::to_string(judged.curve[best + width / 2].round) + ") to " + shown(judged, trend.level);
  const std::string held = what_held(records, judged, best, width);
  const bool grows_sure = !held.empty() && !is_modest(records, judged.prefix);
  if (!grows_sure && lost <= kFarFall) return std::nullopt;
  if (!grows_sure) return RunVerdict{.kind = RunVerdict::Kind::kDiverging, .sentence = what + "; " + calmer(options)};
  return RunVerdict{.kind = RunVerdict::Kind::kOverconfident,
                    .sentence = what + " while its " + held +
                                " held or got better: it grows too sure; try fewer rounds (stop = \"plateau\" with "
                                "validation = 0.1), or more particles"};
}

std::optional<RunVerdict> no_better_than_guessing(const std::vector<RoundRecord>& records,
                                                  const JudgeOptions& options) {
  const std::optional<double> reached = last_of(records, "log_likelihood");
  const std::optional<double> guess = last_of(records, "baseline");
  if (!reached || !guess || rows_of(records, "") < kLeastRowsOfAGuess || *reached - *guess >= kLeastGain)
    return std::nullopt;
  const std::string known =
      last_of(records, "accuracy") ? "how frequent each class is" : "the targets' mean and variance";
  return RunVerdict{.kind = RunVerdict::Kind::kGuessing,
                    .sentence = "the log-likelihood on test rows is " + short_text(*reached) +
                                ", and that of knowing only " + known + " " + short_text(*guess) + "; try " +
                                (options.step.empty() ? "" : "a larger " + options.step + ", ") +
                                "more rounds, or columns that say more about the label"};
}

}  // namespace fedstein
