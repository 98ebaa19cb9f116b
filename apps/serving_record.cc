// SPDX-License-Identifier: Apache-2.0
#include "serving_record.h"

#include "fedstein/experiment/execute.h"
#include "run_choice.h"

namespace fedstein {

ServingRecord::ServingRecord(const FederationPlan& federation, const std::string& folder, Index closed_round)
    : federation_(federation), store_(folder + "/" + kStoreName, RunStore::Mode::kWrite) {
  const std::vector<StoredRun> runs = store_.runs();
  if (closed_round > 0 && !runs.empty()) {
    run_ = runs.back().id;
  } else {
    run_ = begin_run(federation.plan, store_, "fedstein serve " + federation.plan.name + ".toml");
  }
  job_ = store_.jobs(run_).front().id;
}

Next ServingRecord::on_round(RoundRecord& record, const Particles& /*particles*/) {
  std::map<std::string, double> figures = record.figures;
  figures["spread"] = record.spread;
  figures["seconds"] = record.seconds;
  store_.write_round(job_, record);
  const std::lock_guard lock(mutex_);
  figures_ = std::move(figures);
  return Next::kContinue;
}

void ServingRecord::finish(const Particles& particles) {
  store_.write_particles(job_, federation_.algorithm().rounds, particles);
  store_.finish_job(job_);
  store_.finish_run(run_);
  store_.flush();
}

void ServingRecord::calibrate(const DeskStatus& status) {
  std::vector<StoredBin> sum;
  for (const AgentStatus& agent : status.agents) {
    const auto& bins = agent.calibration.bins;
    if (bins.empty() || agent.calibration.version != federation_.algorithm().rounds) continue;
    if (sum.empty()) sum.resize(bins.size());
    if (sum.size() != bins.size()) continue;
    for (std::size_t i = 0; i < bins.size(); ++i) {
      sum[i].low = static_cast<double>(i) / static_cast<double>(bins.size());
      sum[i].high = static_cast<double>(i + 1) / static_cast<double>(bins.size());
      sum[i].count += bins[i].count;
      sum[i].correct += bins[i].correct;
      sum[i].confidence_sum += bins[i].confidence_sum;
    }
  }
  if (sum.empty()) return;
  store_.write_reliability(job_, federation_.algorithm().rounds, sum);
  store_.flush();
}

std::map<std::string, double> ServingRecord::last_figures() const {
  const std::lock_guard lock(mutex_);
  return figures_;
}

}  // namespace fedstein
