// SPDX-License-Identifier: Apache-2.0
#include "fedstein/serving/serving_record.h"

#include <algorithm>
#include <set>
#include <utility>

#include "fedstein/experiment/execute.h"

namespace fedstein {
namespace {

double figure_in(const RoundRecord& record, const char* name) {
  const auto found = record.figures.find(name);
  return found == record.figures.end() ? 0 : found->second;
}

// The first round of which agents may have said more than the store has: not all of them are in it, or it is one of
// the last two, whose evaluations were still coming.
Index first_incomplete(const std::vector<RoundRecord>& stored, Index every, Index agents) {
  const Index last = stored.empty() ? 0 : stored.back().round;
  for (const RoundRecord& record : stored) {
    if (record.round < FederatedEvaluation::oldest(last)) continue;
    const bool is_missing = record.round % every == 0 && figure_in(record, "agents") < static_cast<double>(agents);
    if (is_missing || record.round >= last - 1) return record.round;
  }
  return 1;
}

// Names have no character that JSON would have to escape (is_plain_name).
std::string json_list(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "\"" : ", \"") + name + "\"";
  return "[" + out + "]";
}

}  // namespace

ServingRecord::ServingRecord(const FederationPlan& federation,
                             const std::string& folder,
                             const std::vector<RoundRecord>& journalled,
                             std::function<void(const RoundRecord& record)> on_round)
    : federation_(federation),
      on_round_(std::move(on_round)),
      store_(folder + "/" + kStoreName, RunStore::Mode::kWrite) {
  // A run that has begun and come to no round yet is this one, too.
  const std::vector<StoredRun> runs = store_.runs();
  const bool has_run = !runs.empty() && !store_.jobs(runs.back().id).empty();
  const bool is_fresh =
      has_run && runs.back().finished.empty() && store_.rounds(store_.jobs(runs.back().id).front().id).empty();
  if (has_run && (is_fresh || !journalled.empty())) {
    run_ = runs.back().id;
  } else {
    run_ = begin_run(federation.plan, store_, "fedstein serve " + federation.plan.name + ".toml");
  }
  job_ = store_.jobs(run_).front().id;
  store_.write_detail(job_, kAgentNamesDetail, json_list(federation.server.agents));
  const std::vector<RoundRecord> before = store_.rounds(job_);
  std::set<Index> stored;
  for (const RoundRecord& record : before) {
    stored.insert(record.round);
    rows_[record.round] = figure_in(record, "rows");
    remember(record);
  }
  evaluations_from_ = first_incomplete(before, federation.setting().evaluation.every, federation.agents);
  for (const RoundRecord& record : journalled) {
    if (!stored.contains(record.round)) store_.write_round(job_, record);
  }
  store_.flush();
  written_ = journalled.empty() ? 0 : journalled.back().round;
}

Next ServingRecord::on_round(RoundRecord& record, const Particles& /*particles*/) {
  {
    const std::lock_guard lock(mutex_);
    add_evaluation(record);
    store_.write_round(job_, record);
    written_ = record.round;
    remember(record);
  }
  if (on_round_) on_round_(record);
  return Next::kContinue;
}

void ServingRecord::remember(const RoundRecord& record) {
  for (const auto& [name, value] : record.figures) figures_[name] = value;
  figures_["spread"] = record.spread;
  figures_["seconds"] = record.seconds;
}

// An agent may be quicker than the round loop.
void ServingRecord::add_evaluation(RoundRecord& record) {
  const auto found = early_.find(record.round);
  if (found == early_.end()) return;
  for (const auto& [name, value] : found->second.figures()) record.figures[name] = value;
  early_.erase(found);
}

void ServingRecord::evaluated(const EvaluatedRound& round) {
  const std::lock_guard lock(mutex_);
  const auto rows = static_cast<double>(round.sums.rows);
  // As many are the same agents again: their sums, in another order, would only round differently.
  if (rows <= rows_[round.round]) return;
  const std::map<std::string, double> figures = round.figures();
  if (round.round > written_) {
    early_[round.round] = round;
  } else {
    store_.write_figures(job_, round.round, figures);
  }
  if (round.round == federation_.algorithm().rounds && !round.sums.bins.empty()) {
    store_.write_reliability(job_, round.round, round.sums.bins);
  }
  rows_[round.round] = rows;
  if (round.round < last_evaluated_) return;
  last_evaluated_ = round.round;
  for (const auto& [name, value] : figures) figures_[name] = value;
}

ServedRun ServingRecord::summary() const {
  ServedRun out;
  for (const RoundRecord& record : store_.rounds(job_)) {
    ++out.rounds;
    if (!record.folded.empty()) continue;
    ++out.lost_rounds;
    out.loss = record.failures.empty() ? "" : record.failures.front().reason;
  }
  return out;
}

void ServingRecord::finish(const Particles& particles) {
  if (!store_.runs().back().finished.empty()) return;  // a server that is started again after the end
  store_.write_particles(job_, federation_.algorithm().rounds, particles);
  store_.finish_job(job_);
  store_.finish_run(run_);
  store_.flush();
}

std::map<std::string, double> ServingRecord::last_figures() const {
  const std::lock_guard lock(mutex_);
  return figures_;
}

}  // namespace fedstein
