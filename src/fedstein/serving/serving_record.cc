// SPDX-License-Identifier: Apache-2.0
#include "fedstein/serving/serving_record.h"

#include <set>
#include <utility>

#include "fedstein/experiment/execute.h"
#include "fedstein/serving/federated_calibration.h"

namespace fedstein {

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
  std::set<Index> stored;
  for (const RoundRecord& record : store_.rounds(job_)) stored.insert(record.round);
  for (const RoundRecord& record : journalled) {
    if (!stored.contains(record.round)) store_.write_round(job_, record);
  }
  store_.flush();
}

Next ServingRecord::on_round(RoundRecord& record, const Particles& /*particles*/) {
  store_.write_round(job_, record);
  remember(record);
  if (on_round_) on_round_(record);
  return Next::kContinue;
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

void ServingRecord::remember(const RoundRecord& record) {
  std::map<std::string, double> figures = record.figures;
  figures["spread"] = record.spread;
  figures["seconds"] = record.seconds;
  const std::lock_guard lock(mutex_);
  figures_ = std::move(figures);
}

void ServingRecord::finish(const Particles& particles) {
  if (!store_.runs().back().finished.empty()) return;  // a server that is started again after the end
  store_.write_particles(job_, federation_.algorithm().rounds, particles);
  store_.finish_job(job_);
  store_.finish_run(run_);
  store_.flush();
}

void ServingRecord::calibrate(const DeskStatus& status) {
  const Index rounds = federation_.algorithm().rounds;
  const auto calibration = federated_calibration(status);
  if (!calibration || calibration->version != rounds || !store_.reliability(job_).empty()) return;
  store_.write_reliability(job_, rounds, calibration->bins);
  // The agents judge the last belief after the last round: its figures come late, for `compare` and `report`.
  store_.flush();
  std::vector<RoundRecord> records = store_.rounds(job_);
  if (records.empty() || records.back().round != rounds) return;
  RoundRecord& last = records.back();
  last.figures["accuracy"] = calibration->accuracy;
  last.figures["ece"] = calibration->expected_error;
  last.figures["mce"] = calibration->maximum_error;
  store_.write_round(job_, last);
  store_.flush();
  remember(last);
}

std::map<std::string, double> ServingRecord::last_figures() const {
  const std::lock_guard lock(mutex_);
  return figures_;
}

}  // namespace fedstein
