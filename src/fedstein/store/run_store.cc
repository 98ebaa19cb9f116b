// SPDX-License-Identifier: Apache-2.0
#include "fedstein/store/run_store.h"

#include <utility>

#include "fedstein/store/database.h"
#include "fedstein/store/row_reader.h"

namespace fedstein {

RunStore::RunStore(const std::string& path, Mode mode) : database_(std::make_unique<Database>(path, mode)) {}
RunStore::~RunStore() = default;
RunStore::RunStore(RunStore&&) noexcept = default;

RunId RunStore::begin(const RunFacts& facts, const std::vector<JobFacts>& jobs) {
  return database_->begin(facts, jobs);
}

void RunStore::write_round(JobId job, const RoundRecord& record) {
  database_->write_soon(job, sizeof(RoundRecord), [=](RowWriter& writer) { writer.round(job, record); });
  if (watcher_) watcher_->wrote_round(job, record);
}

void RunStore::write_figures(JobId job, Index round, const std::map<std::string, double>& figures) {
  database_->write_soon(job, sizeof(RoundRecord), [=](RowWriter& writer) { writer.figures(job, round, figures); });
  if (watcher_) watcher_->wrote_figures(job, round, figures);
}

void RunStore::write_particles(JobId job, Index round, const Particles& particles) {
  database_->write_soon(job, static_cast<std::size_t>(particles.size()) * sizeof(Real), [=](RowWriter& writer) {
    writer.particles(job, round, particles);
  });
}

void RunStore::write_density(JobId job, Index round, const Matrix& values) {
  database_->write_soon(job, static_cast<std::size_t>(values.size()) * sizeof(Real), [=](RowWriter& writer) {
    writer.density(job, round, values);
  });
}

void RunStore::write_reliability(JobId job, Index round, const std::vector<ReliabilityBin>& bins) {
  database_->write_soon(
      job, bins.size() * sizeof(ReliabilityBin), [=](RowWriter& writer) { writer.reliability(job, round, bins); });
  if (watcher_) watcher_->wrote_reliability(job, round, bins);
}

void RunStore::write_detail(JobId job, const std::string& name, const std::string& text) {
  database_->write_soon(job, text.size(), [=](RowWriter& writer) { writer.detail(job, name, text); });
}

void RunStore::checkpoint(JobId job, Index round, const std::string& state) {
  database_->write_now(job, [&](RowWriter& writer) { writer.checkpoint(job, round, state); });
}

void RunStore::finish_job(JobId job, const std::string& error) {
  const JobStatus status = error.empty() ? JobStatus::kDone : JobStatus::kFailed;
  database_->write_now(job, [&](RowWriter& writer) { writer.job_status(job, status, error); });
  if (watcher_) watcher_->finished_job(job, error);
}

void RunStore::finish_run(RunId run) {
  database_->finish_run(run);
}

void RunStore::flush() {
  database_->flush();
}

void RunStore::watch(std::shared_ptr<StoreWatcher> watcher) {
  watcher_ = std::move(watcher);
}

std::vector<StoredRun> RunStore::runs() const {
  return database_->read([](Connection& connection) { return read_runs(connection); });
}

std::vector<StoredJob> RunStore::jobs(RunId run) const {
  return database_->read([&](Connection& connection) {
    database_->require_run(run);
    return read_jobs(connection, run);
  });
}

std::optional<Checkpoint> RunStore::last_checkpoint(JobId job) const {
  return database_->read_job(job, [&](Connection& connection) { return read_checkpoint(connection, job); });
}

std::vector<RoundRecord> RunStore::rounds(JobId job, Index after) const {
  return database_->read_job(job, [&](Connection& connection) { return read_rounds(connection, job, after); });
}

std::vector<Index> RunStore::rounds_with_particles(JobId job) const {
  return database_->read_job(job, [&](Connection& connection) { return read_rounds_with_particles(connection, job); });
}

Particles RunStore::particles(JobId job, Index round) const {
  return database_->read_job(job, [&](Connection& connection) {
    std::optional<Particles> found = read_particles(connection, job, round);
    if (!found) {
      throw StoreError(connection.path() + ": job " + std::to_string(job) + " has no particles of round " +
                       std::to_string(round));
    }
    return *std::move(found);
  });
}

std::optional<Matrix> RunStore::density(JobId job, Index round) const {
  return database_->read_job(job, [&](Connection& connection) { return read_density(connection, job, round); });
}

std::vector<StoredReliability> RunStore::reliability(JobId job) const {
  return database_->read_job(job, [&](Connection& connection) { return read_reliability(connection, job); });
}

std::map<std::string, std::string> RunStore::details(JobId job) const {
  return database_->read_job(job, [&](Connection& connection) { return read_details(connection, job); });
}

void RunStore::check() const {
  database_->read([](Connection& connection) { read_everything(connection); });
}

}  // namespace fedstein
