// SPDX-License-Identifier: Apache-2.0
#include "fedstein/store/row_reader.h"

#include <bit>

#include "fedstein/store/particle_blob.h"
#include "fedstein/store/round_text.h"

namespace fedstein {
namespace {

bool has_row(Connection& connection, const char* sql, std::int64_t id) {
  Statement statement(connection, sql);
  statement.start(id);
  return statement.next();
}

JobStatus status_from(std::int64_t value) {
  switch (value) {
    case static_cast<int>(JobStatus::kWaiting):
      return JobStatus::kWaiting;
    case static_cast<int>(JobStatus::kDone):
      return JobStatus::kDone;
    case static_cast<int>(JobStatus::kFailed):
      return JobStatus::kFailed;
    default:
      throw StoreError("the store is damaged: a job's status is " + std::to_string(value) + "; allowed: 0, 1, 2");
  }
}

}  // namespace

bool has_run(Connection& connection, RunId run) {
  return has_row(connection, "SELECT 1 FROM run WHERE id = ?1", run);
}

bool has_job(Connection& connection, JobId job) {
  return has_row(connection, "SELECT 1 FROM job WHERE id = ?1", job);
}

std::vector<StoredRun> read_runs(Connection& connection) {
  Statement statement(connection,
                      "SELECT id, name, title, document, configuration, version, precision, seed, host, command,"
                      " started, finished FROM run ORDER BY id");
  std::vector<StoredRun> out;
  statement.start();
  while (statement.next()) {
    out.push_back({.id = statement.integer(0),
                   .facts = {.name = statement.text(1),
                             .title = statement.text(2),
                             .document = statement.text(3),
                             .configuration = statement.text(4),
                             .version = statement.text(5),
                             .precision = statement.text(6),
                             .seed = std::bit_cast<std::uint64_t>(statement.integer(7)),
                             .host = statement.text(8),
                             .command = statement.text(9)},
                   .started = statement.text(10),
                   .finished = statement.text(11)});
  }
  return out;
}

std::vector<StoredJob> read_jobs(Connection& connection, RunId run) {
  Statement statement(connection,
                      "SELECT id, case_name, algorithm, trial, rounds, centralised, status, error FROM job"
                      " WHERE run = ?1 ORDER BY id");
  std::vector<StoredJob> out;
  statement.start(run);
  while (statement.next()) {
    out.push_back({.id = statement.integer(0),
                   .facts = {.case_name = statement.text(1),
                             .algorithm = statement.text(2),
                             .trial = statement.integer(3),
                             .rounds = statement.integer(4),
                             .centralised = statement.integer(5) != 0},
                   .status = status_from(statement.integer(6)),
                   .error = statement.text(7)});
  }
  return out;
}

std::optional<Checkpoint> read_checkpoint(Connection& connection, JobId job) {
  Statement statement(connection, "SELECT round, state FROM checkpoint WHERE job = ?1");
  statement.start(job);
  if (!statement.next()) return std::nullopt;
  return Checkpoint{.round = statement.integer(0), .state = statement.text(1)};
}

std::vector<RoundRecord> read_rounds(Connection& connection, JobId job, Index after) {
  const Transaction one_view(connection, Transaction::Kind::kRead);
  Statement rounds(connection,
                   "SELECT round, scheduled, folded, failures, seconds, bytes_down, bytes_up, spread FROM round"
                   " WHERE job = ?1 AND round > ?2 ORDER BY round");
  std::vector<RoundRecord> out;
  rounds.start(job, after);
  while (rounds.next()) {
    out.push_back({.round = rounds.integer(0),
                   .scheduled = agents_from_text(rounds.text(1)),
                   .folded = agents_from_text(rounds.text(2)),
                   .failures = failures_from_text(rounds.text(3)),
                   .seconds = rounds.number(4),
                   .bytes_down = rounds.integer(5),
                   .bytes_up = rounds.integer(6),
                   .spread = rounds.number(7)});
  }
  Statement figures(connection, "SELECT round, name, value FROM figure WHERE job = ?1 AND round > ?2 ORDER BY round");
  auto record = out.begin();
  figures.start(job, after);
  while (figures.next()) {
    while (record != out.end() && record->round < figures.integer(0)) ++record;
    if (record == out.end() || record->round != figures.integer(0)) {
      throw StoreError(connection.path() + ": is damaged: a figure without its round");
    }
    record->figures.emplace(figures.text(1), figures.number(2));
  }
  return out;
}

std::vector<Index> read_rounds_with_particles(Connection& connection, JobId job) {
  Statement statement(connection, "SELECT round FROM particles WHERE job = ?1 ORDER BY round");
  std::vector<Index> out;
  statement.start(job);
  while (statement.next()) out.push_back(statement.integer(0));
  return out;
}

namespace {

std::optional<Matrix> read_matrix(Connection& connection, const std::string& table, JobId job, Index round) {
  const std::string sql =
      "SELECT row_count, column_count, number_bytes, numbers FROM " + table + " WHERE job = ?1 AND round = ?2";
  Statement statement(connection, sql.c_str());
  statement.start(job, round);
  if (!statement.next()) return std::nullopt;
  return particles_from(
      statement.blob(3),
      {.rows = statement.integer(0), .columns = statement.integer(1), .number_bytes = statement.integer(2)});
}

}  // namespace

std::optional<Particles> read_particles(Connection& connection, JobId job, Index round) {
  return read_matrix(connection, "particles", job, round);
}

std::optional<Matrix> read_density(Connection& connection, JobId job, Index round) {
  return read_matrix(connection, "density", job, round);
}

std::vector<StoredReliability> read_reliability(Connection& connection, JobId job) {
  Statement statement(connection,
                      "SELECT round, count, correct, confidence_sum FROM reliability WHERE job = ?1"
                      " ORDER BY round, bin");
  std::vector<StoredReliability> out;
  statement.start(job);
  while (statement.next()) {
    const Index round = statement.integer(0);
    if (out.empty() || out.back().round != round) out.push_back({.round = round});
    out.back().bins.push_back(
        {.count = statement.integer(1), .correct = statement.integer(2), .confidence_sum = statement.number(3)});
  }
  return out;
}

std::map<std::string, std::string> read_details(Connection& connection, JobId job) {
  std::map<std::string, std::string> out;
  // Stores that were only read since there are details have no table of them.
  Statement known(connection, "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'detail'");
  known.start();
  if (!known.next()) return out;
  Statement statement(connection, "SELECT name, text FROM detail WHERE job = ?1");
  statement.start(job);
  while (statement.next()) out.emplace(statement.text(0), statement.text(1));
  return out;
}

void read_everything(Connection& connection) {
  Statement pages(connection, "PRAGMA integrity_check(1)");
  pages.start();
  while (pages.next()) {
    const std::string found = pages.text(0);
    if (found != "ok") throw StoreError(connection.path() + ": is damaged: " + found);
  }
  Statement references(connection, "PRAGMA foreign_key_check");
  references.start();
  if (references.next()) {
    throw StoreError(connection.path() + ": is damaged: a row of table " + references.text(0) +
                     " points to a row that is not there");
  }
}

}  // namespace fedstein
