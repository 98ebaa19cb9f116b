// SPDX-License-Identifier: Apache-2.0
#include "fedstein/evaluation/run_verdict.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "fedstein/evaluation/run_objections.h"
#include "fedstein/evaluation/sureness.h"

namespace fedstein {
namespace {

using Kind = RunVerdict::Kind;

constexpr std::size_t kLeastPoints = 5;
constexpr double kNonsense = -5;   // of a class: e^-5, where a guess among ten has e^-2.3
constexpr double kAtRest = 0.002;  // over the last fifth

std::optional<JudgedFigure> judged_in(const std::vector<RoundRecord>& records) {
  const std::array<JudgedFigure, 3> candidates = {
      JudgedFigure{"validation_log_likelihood", "the log-likelihood on kept-back rows", "validation_", false, {}},
      JudgedFigure{"log_likelihood", "the log-likelihood on test rows", "", false, {}},
      JudgedFigure{"kl", "the KL divergence from the posterior", "", true, {}}};
  for (JudgedFigure candidate : candidates) {
    candidate.curve = curve_of(records, candidate.figure, candidate.less_is_better ? -1 : 1);
    if (!candidate.curve.empty()) return candidate;
  }
  return std::nullopt;
}

// ended: by its plateau, or because somebody stopped it, before its rounds were over.
RunVerdict movement(const JudgedFigure& judged, const Trend& trend, bool ended) {
  const double moved = trend.per_round * static_cast<double>(trend.rounds);
  const std::string span = " over the last " + rounds_text(trend.rounds + 1);
  if (moved > kAtRest && trend.per_round > trend.uncertainty) {
    return {.kind = Kind::kImproving,
            .sentence = judged.words + (judged.less_is_better ? " falls by " : " rises by ") +
                        short_text(trend.per_round) + " a round" + span + (ended ? "" : "; more rounds would help")};
  }
  const auto differs = [&](const CurvePoint& point) { return point.value != judged.curve.front().value; };
  if (std::none_of(judged.curve.begin(), judged.curve.end(), differs)) {
    return {.kind = Kind::kNotJudged,
            .sentence = judged.words + " is the same in all rounds to the last digit: nothing was learned"};
  }
  std::string how = " moved by no more than 0.002";
  if (std::abs(moved) > kAtRest) how = " has no trend beyond its noise";
  if (moved < -kAtRest && trend.per_round < -trend.uncertainty) how = " got worse, but too little to call it a fall,";
  return {.kind = Kind::kConverged, .sentence = judged.words + how + span};
}

RunVerdict verdict_on(const std::vector<RoundRecord>& records, const JudgeOptions& options) {
  if (records.empty()) return {.kind = Kind::kNotJudged, .sentence = "no round was done"};
  const std::optional<JudgedFigure> judged = judged_in(records);
  if (judged && !std::isfinite(judged->curve.back().value)) {
    return {.kind = Kind::kDiverging,
            .figure = judged->figure,
            .sentence = judged->words + " is not finite any more; " + calmer(options)};
  }
  if (auto lost = lost_at_the_end(records, options)) return *lost;
  if (auto collapsed = collapse_of(records, options)) return *collapsed;
  if (!judged) return {.kind = Kind::kNotJudged, .sentence = "no round was evaluated"};
  // An early round may have been as wrong as it liked.
  JudgedFigure finite = *judged;
  std::erase_if(finite.curve, [](const CurvePoint& point) { return !std::isfinite(point.value); });
  RunVerdict out;
  if (finite.curve.size() < kLeastPoints) {
    out = surer_than_right(records).value_or(RunVerdict{
        .kind = Kind::kNotJudged,
        .sentence = "at least 5 evaluated rounds are needed, and there " +
                    std::string(finite.curve.size() == 1 ? "is 1" : "are " + std::to_string(finite.curve.size()))});
  } else {
    const Trend trend = trend_of(finite.curve, tail_size(finite.curve.size()));
    if (auto fallen = fall_of(records, finite, trend, options)) {
      out = *fallen;
    } else if (last_of(records, "accuracy") && finite.curve.back().value < kNonsense) {
      out = {.kind = Kind::kDiverging, .sentence = finite.words + " is far below that of a guess; " + calmer(options)};
    } else if (auto sure = surer_than_right(records)) {
      out = *sure;
    } else {
      out = movement(finite, trend, records.back().round < options.rounds);
      if (out.kind == Kind::kConverged) {
        if (auto guess = no_better_than_guessing(records, options)) {
          out = *guess;
        } else if (auto unsure = less_sure_than_right(records)) {
          out = *unsure;
        }
      }
    }
    out.per_round = trend.per_round;
  }
  out.figure = finite.figure;
  return out;
}

}  // namespace

const char* name_of(Kind kind) {
  switch (kind) {
    case Kind::kConverged:
      return "converged";
    case Kind::kNotJudged:
      return "not judged";
    case Kind::kImproving:
      return "still improving";
    case Kind::kUnderconfident:
      return "underconfident";
    case Kind::kGuessing:
      return "no better than guessing";
    case Kind::kOverconfident:
      return "overconfident";
    case Kind::kCollapsed:
      return "collapsed";
    case Kind::kDiverging:
      return "diverging";
  }
  return "";
}

std::string calmer(const JudgeOptions& options) {
  return "try " + (options.step.empty() ? std::string() : "a smaller " + options.step + ", ") +
         (options.is_standardised ? "" : "scaling = \"standardise\", ") +
         (options.step.empty() && options.is_standardised ? "another method" : "or another method");
}

RunVerdict judge_run(const std::vector<RoundRecord>& records, const JudgeOptions& options) {
  RunVerdict out = verdict_on(records, options);
  out.sentence = std::string(name_of(out.kind)) + ": " + out.sentence;
  if (!records.empty() && records.back().round < options.rounds) {
    out.sentence += "; " + std::to_string(records.back().round) + " of " + rounds_text(options.rounds) + " were done";
  }
  const Curve undone = curve_of(records, "undone");
  const auto count =
      std::count_if(undone.begin(), undone.end(), [](const CurvePoint& point) { return point.value > 0; });
  if (3 * count > static_cast<std::ptrdiff_t>(undone.size())) {
    out.sentence += "; its step control took back " + std::to_string(count) + " of " +
                    rounds_text(static_cast<Index>(undone.size()));
  }
  return out;
}

}  // namespace fedstein
