// SPDX-License-Identifier: Apache-2.0
#include "fedstein/live/live_run.h"

#include <algorithm>
#include <map>
#include <utility>

#include "fedstein/live/series_parts.h"

namespace fedstein {
namespace {

// All curves together: a page that shows forty methods keeps as much as one that shows one.
constexpr std::size_t kMostRows = 12000;
constexpr std::size_t kMostRowsOfOne = 400;
constexpr std::size_t kFewestRowsOfOne = 24;

std::size_t rows_of_one(std::size_t series) {
  return std::clamp(kMostRows / std::max<std::size_t>(series, 1), kFewestRowsOfOne, kMostRowsOfOne);
}

// What every round has alike draws no curve.
void leave_out_constants(std::map<std::string, double>& figures) {
  for (const char* constant : {"agents", "collapsed", "baseline", "rows", "validation_rows"}) figures.erase(constant);
}

std::size_t series_count(const Plan& plan) {
  std::size_t out = 0;
  for (const CasePlan& one : plan.cases) out += one.algorithms.size();
  return out;
}

}  // namespace

LiveRun::LiveRun(LiveKind kind, const Plan& plan, const RunStore& store, RunId run, LiveStart start)
    : kind_(kind), plan_(plan) {
  for (StoredRun& one : store.runs()) {
    if (one.id == run) stored_ = std::move(one);
  }
  const std::size_t most = rows_of_one(series_count(plan_));
  std::map<std::pair<std::string, std::string>, std::size_t> places;
  for (std::size_t at = 0; at < plan_.cases.size(); ++at) {
    for (const AlgorithmPlan& algorithm : plan_.cases[at].algorithms) {
      places[{plan_.cases[at].name, algorithm.label}] = series_.size();
      series_.push_back({.case_index = at, .algorithm = &algorithm, .curve = SeriesCurve(most)});
    }
  }
  for (const StoredJob& job : store.jobs(run)) {
    const auto place = places.find({job.facts.case_name, job.facts.algorithm});
    if (place == places.end()) continue;
    jobs_.push_back({.id = job.id,
                     .series = place->second,
                     .trial = job.facts.trial,
                     .rounds = job.facts.rounds,
                     .status = job.status,
                     .error = job.error});
    series_[place->second].jobs.push_back(jobs_.size() - 1);
  }
  for (LiveJob& job : jobs_) {
    Index most_round = job.rounds;
    if (kind == LiveKind::kRun && start == LiveStart::kCheckpoint && job.status == JobStatus::kWaiting) {
      const auto checkpoint = store.last_checkpoint(job.id);
      most_round = checkpoint ? checkpoint->round : 0;
    }
    if (most_round == 0) continue;
    for (const RoundRecord& record : store.rounds(job.id)) {
      if (record.round <= most_round) note(job, record);
    }
    job.before = job.round;
    rounds_before_ += job.status == JobStatus::kWaiting ? job.round : job.rounds;
    for (const StoredReliability& one : store.reliability(job.id)) {
      note_bins(series_[job.series], one.round, one.bins);
    }
  }
}

LiveRun::LiveJob* LiveRun::find_job(JobId id) {
  const auto found = std::find_if(jobs_.begin(), jobs_.end(), [&](const LiveJob& job) { return job.id == id; });
  return found == jobs_.end() ? nullptr : &*found;
}

void LiveRun::note(LiveJob& job, const RoundRecord& record) {
  SeriesCurve& curve = series_[job.series].curve;
  const bool again = record.round <= job.round;
  // Of several trials nobody could say which part of the mean is to be replaced; they are never told again.
  if (again && (plan_.trials > 1 || !curve.knows(record.round))) return;
  if (!again) {
    job.round = record.round;
    job.bytes_up += static_cast<double>(record.bytes_up);
    job.bytes_down += static_cast<double>(record.bytes_down);
    job.seconds += record.seconds;
    if (record.folded.empty()) {
      ++job.lost;
      job.loss = record.failures.empty() ? "" : record.failures.front().reason;
    }
  }
  // Between two evaluations there is nothing to draw but what every round of a federation has.
  if (record.figures.empty() && kind_ == LiveKind::kRun) return;
  RoundFigures told{
      .round = record.round, .bytes = job.bytes_up + job.bytes_down, .seconds = job.seconds, .figures = record.figures};
  leave_out_constants(told.figures);
  if (record.spread > 0) told.figures["spread"] = record.spread;
  if (kind_ == LiveKind::kFederation) told.figures["seconds"] = record.seconds;
  curve.note(told, job.evaluated, again);
  if (!again) ++job.evaluated;
}

void LiveRun::note_bins(LiveSeries& series, Index round, const std::vector<ReliabilityBin>& bins) {
  if (round < series.bins_round) return;
  if (round > series.bins_round || series.bins.size() != bins.size() || plan_.trials == 1) {
    series.bins_round = round;
    series.bins = bins;
    return;
  }
  for (std::size_t i = 0; i < bins.size(); ++i) series.bins[i] += bins[i];
}

void LiveRun::wrote_round(JobId id, const RoundRecord& record) {
  const std::lock_guard lock(mutex_);
  LiveJob* job = find_job(id);
  if (job == nullptr) return;
  if (!std::exchange(job->runs, true)) job->begun = Clock::now();
  note(*job, record);
}

void LiveRun::wrote_figures(JobId id, Index round, const std::map<std::string, double>& figures) {
  const std::lock_guard lock(mutex_);
  const LiveJob* job = find_job(id);
  if (job == nullptr || plan_.trials > 1) return;
  note_late(series_[job->series], round, figures);
}

// Agents evaluate one after another, and figures of the first few of them jump. A round that has fewer than the one
// before it is drawn when the next one begins to be evaluated: somebody is away.
void LiveRun::note_late(LiveSeries& series, Index round, const std::map<std::string, double>& figures) {
  if (series.half.round != 0 && series.half.round != round) draw_half(series);
  series.half = {round, figures};
  const auto agents = figures.find("agents");
  if (agents == figures.end() || agents->second >= series.evaluated_by) draw_half(series);
}

void LiveRun::draw_half(LiveSeries& series) {
  if (series.half.round == 0) return;
  const auto agents = series.half.figures.find("agents");
  if (agents != series.half.figures.end()) series.evaluated_by = agents->second;
  leave_out_constants(series.half.figures);
  series.curve.amend(series.half.round, series.half.figures);
  series.half = {};
}

void LiveRun::wrote_reliability(JobId id, Index round, const std::vector<ReliabilityBin>& bins) {
  const std::lock_guard lock(mutex_);
  if (const LiveJob* job = find_job(id)) note_bins(series_[job->series], round, bins);
}

void LiveRun::finished_job(JobId id, const std::string& error) {
  const std::lock_guard lock(mutex_);
  LiveJob* job = find_job(id);
  if (job == nullptr) return;
  job->status = error.empty() ? JobStatus::kDone : JobStatus::kFailed;
  job->error = error;
}

void LiveRun::end(const std::string& state) {
  const std::lock_guard lock(mutex_);
  for (LiveSeries& one : series_) draw_half(one);
  state_ = state;
}

double LiveRun::seconds_left(const LiveJob& job, Clock::time_point now) const {
  // The first round of this process told when it began: rounds after it are what was timed.
  const Index timed = job.round - job.before - 1;
  if (!job.runs || timed < 1 || job.status != JobStatus::kWaiting) return -1;
  const double seconds = std::chrono::duration<double>(now - job.begun).count();
  return seconds / static_cast<double>(timed) * static_cast<double>(job.rounds - job.round);
}

LiveRun::Totals LiveRun::totals_now() const {
  Totals out{.state = state_, .jobs = static_cast<Index>(jobs_.size())};
  for (const LiveJob& job : jobs_) {
    out.rounds += job.rounds;
    out.bytes_up += job.bytes_up;
    out.bytes_down += job.bytes_down;
    out.rounds_done += job.status == JobStatus::kWaiting ? job.round : job.rounds;
    if (job.status != JobStatus::kWaiting) ++out.jobs_done;
    if (job.status == JobStatus::kFailed) ++out.jobs_failed;
  }
  const auto now = Clock::now();
  if (jobs_.size() == 1) {
    out.seconds_left = seconds_left(jobs_.front(), now);
  } else if (const Index done = out.rounds_done - rounds_before_; done > 0) {
    const double seconds = std::chrono::duration<double>(now - begun_).count();
    out.seconds_left = seconds / static_cast<double>(done) * static_cast<double>(out.rounds - out.rounds_done);
  }
  return out;
}

LiveRun::Totals LiveRun::totals() const {
  const std::lock_guard lock(mutex_);
  return totals_now();
}

void LiveRun::show(Board::Parts& parts) const {
  const std::lock_guard lock(mutex_);
  show_run(parts);
  for (std::size_t i = 0; i < series_.size(); ++i) {
    const LiveSeries& one = series_[i];
    SeriesFacts facts{.index = i,
                      .case_index = one.case_index,
                      .label = one.algorithm->label,
                      .method = one.algorithm->method->name,
                      .centralised = one.algorithm->method->centralised};
    for (const std::size_t job : one.jobs) facts.trials += jobs_[job].evaluated > 0 ? 1 : 0;
    show_series(parts, facts, one.curve);
    show_reliability(parts, facts, one.bins_round, one.bins);
    show_jobs(parts, i);
  }
}

}  // namespace fedstein
