// SPDX-License-Identifier: Apache-2.0
#include "fedstein/store/row_writer.h"

#include <bit>

#include "fedstein/store/particle_blob.h"
#include "fedstein/store/round_text.h"

namespace fedstein {

RunId insert_run(Connection& connection, const RunFacts& facts, const std::vector<JobFacts>& jobs) {
  Statement run(connection,
                "INSERT INTO run (name, title, document, configuration, version, precision, seed, host, command,"
                " started, finished)"
                " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), '')");
  run.run(facts.name,
          facts.title,
          facts.document,
          facts.configuration,
          facts.version,
          facts.precision,
          std::bit_cast<std::int64_t>(facts.seed),  // SQLite's integers have a sign
          facts.host,
          facts.command);
  const RunId out = connection.last_row();
  Statement job(connection,
                "INSERT INTO job (run, case_name, algorithm, trial, rounds, centralised, status, error)"
                " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, '')");
  for (const JobFacts& each : jobs) {
    job.run(out,
            each.case_name,
            each.algorithm,
            each.trial,
            each.rounds,
            each.centralised,
            static_cast<int>(JobStatus::kWaiting));
  }
  return out;
}

RowWriter::RowWriter(Connection& connection)
    : clear_figures_(connection, "DELETE FROM figure WHERE job = ?1 AND round = ?2"),
      round_(connection,
             "INSERT INTO round (job, round, seconds, bytes_down, bytes_up, spread, scheduled, folded, failures)"
             " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)"
             " ON CONFLICT DO UPDATE SET seconds = ?3, bytes_down = ?4, bytes_up = ?5, spread = ?6, scheduled = ?7,"
             " folded = ?8, failures = ?9"),
      figure_(connection, "INSERT OR REPLACE INTO figure (job, round, name, value) VALUES (?1, ?2, ?3, ?4)"),
      particles_(connection,
                 "INSERT OR REPLACE INTO particles (job, round, row_count, column_count, number_bytes, numbers)"
                 " VALUES (?1, ?2, ?3, ?4, ?5, ?6)"),
      density_(connection,
               "INSERT OR REPLACE INTO density (job, round, row_count, column_count, number_bytes, numbers)"
               " VALUES (?1, ?2, ?3, ?4, ?5, ?6)"),
      clear_bins_(connection, "DELETE FROM reliability WHERE job = ?1 AND round = ?2"),
      bin_(connection,
           "INSERT INTO reliability (job, round, bin, low, high, count, correct, confidence_sum)"
           " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"),
      detail_(connection, "INSERT OR REPLACE INTO detail (job, name, text) VALUES (?1, ?2, ?3)"),
      checkpoint_(connection, "INSERT OR REPLACE INTO checkpoint (job, round, state) VALUES (?1, ?2, ?3)"),
      drop_checkpoint_(connection, "DELETE FROM checkpoint WHERE job = ?1"),
      job_status_(connection, "UPDATE job SET status = ?2, error = ?3 WHERE id = ?1"),
      run_finished_(connection, "UPDATE run SET finished = strftime('%Y-%m-%dT%H:%M:%SZ', 'now') WHERE id = ?1") {}

void RowWriter::round(JobId job, const RoundRecord& record) {
  clear_figures_.run(job, record.round);
  round_.run(job,
             record.round,
             record.seconds,
             record.bytes_down,
             record.bytes_up,
             record.spread,
             agents_to_text(record.scheduled),
             agents_to_text(record.folded),
             failures_to_text(record.failures));
  figures(job, record.round, record.figures);
}

void RowWriter::figures(JobId job, Index round, const std::map<std::string, double>& figures) {
  for (const auto& [name, value] : figures) figure_.run(job, round, name, value);
}

void RowWriter::particles(JobId job, Index round, const Particles& particles) {
  particles_.run(job, round, particles.rows(), particles.cols(), sizeof(Real), Blob{bytes_of(particles)});
}

void RowWriter::density(JobId job, Index round, const Matrix& values) {
  density_.run(job, round, values.rows(), values.cols(), sizeof(Real), Blob{bytes_of(values)});
}

void RowWriter::reliability(JobId job, Index round, const std::vector<ReliabilityBin>& bins) {
  clear_bins_.run(job, round);
  const auto count = static_cast<Index>(bins.size());
  for (Index i = 0; i < count; ++i) {
    const ReliabilityBin& bin = bins[static_cast<std::size_t>(i)];
    bin_.run(job,
             round,
             i,
             reliability_edge(i, count),
             reliability_edge(i + 1, count),
             bin.count,
             bin.correct,
             bin.confidence_sum);
  }
}

void RowWriter::detail(JobId job, const std::string& name, const std::string& text) {
  detail_.run(job, name, text);
}

void RowWriter::checkpoint(JobId job, Index round, const std::string& state) {
  checkpoint_.run(job, round, Blob{state});
}

void RowWriter::job_status(JobId job, JobStatus status, const std::string& error) {
  drop_checkpoint_.run(job);  // a job that has ended is never gone on with; states can be large
  job_status_.run(job, static_cast<int>(status), error);
}

void RowWriter::run_finished(RunId run) {
  run_finished_.run(run);
}

}  // namespace fedstein
