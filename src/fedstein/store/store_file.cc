// SPDX-License-Identifier: Apache-2.0
#include "fedstein/store/store_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "fedstein/files/whole_file.h"
#include "fedstein/store/run_lock.h"

namespace fedstein {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kApplication = 0x4653544e;  // "FSTN", in the file's header at byte 68
constexpr std::int64_t kFormat = 1;                // user_version; a store of a later one is refused

// Numbers that SQLite cannot keep (NaN) are NULL. Lists are JSON.
constexpr const char* kTables = R"(
CREATE TABLE run (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, title TEXT NOT NULL, document TEXT NOT NULL,
  configuration TEXT NOT NULL, version TEXT NOT NULL, precision TEXT NOT NULL, seed INTEGER NOT NULL, host TEXT NOT NULL,
  command TEXT NOT NULL, started TEXT NOT NULL, finished TEXT NOT NULL) STRICT;
CREATE TABLE job (
  id INTEGER PRIMARY KEY AUTOINCREMENT, run INTEGER NOT NULL REFERENCES run, case_name TEXT NOT NULL,
  algorithm TEXT NOT NULL, trial INTEGER NOT NULL, rounds INTEGER NOT NULL, centralised INTEGER NOT NULL,
  status INTEGER NOT NULL, error TEXT NOT NULL, UNIQUE (run, case_name, algorithm, trial)) STRICT;
CREATE TABLE round (
  job INTEGER NOT NULL REFERENCES job, round INTEGER NOT NULL, seconds REAL, bytes_down INTEGER NOT NULL,
  bytes_up INTEGER NOT NULL, spread REAL, scheduled TEXT NOT NULL, folded TEXT NOT NULL, failures TEXT NOT NULL,
  PRIMARY KEY (job, round)) STRICT, WITHOUT ROWID;
CREATE TABLE figure (
  job INTEGER NOT NULL, round INTEGER NOT NULL, name TEXT NOT NULL, value REAL,
  PRIMARY KEY (job, round, name), FOREIGN KEY (job, round) REFERENCES round) STRICT, WITHOUT ROWID;
CREATE TABLE particles (
  job INTEGER NOT NULL REFERENCES job, round INTEGER NOT NULL, row_count INTEGER NOT NULL,
  column_count INTEGER NOT NULL, number_bytes INTEGER NOT NULL, numbers BLOB NOT NULL,
  PRIMARY KEY (job, round)) STRICT;
CREATE TABLE density (
  job INTEGER NOT NULL REFERENCES job, round INTEGER NOT NULL, row_count INTEGER NOT NULL,
  column_count INTEGER NOT NULL, number_bytes INTEGER NOT NULL, numbers BLOB NOT NULL,
  PRIMARY KEY (job, round)) STRICT;
CREATE TABLE reliability (
  job INTEGER NOT NULL REFERENCES job, round INTEGER NOT NULL, bin INTEGER NOT NULL, low REAL, high REAL,
  count INTEGER NOT NULL, correct INTEGER NOT NULL, confidence_sum REAL,
  PRIMARY KEY (job, round, bin)) STRICT, WITHOUT ROWID;
CREATE TABLE checkpoint (
  job INTEGER PRIMARY KEY REFERENCES job, round INTEGER NOT NULL, state BLOB NOT NULL) STRICT;
)";

// Younger than the others, and no later format: whoever does not know it reads all the rest as before. A store without
// it gets it when it is next written to.
constexpr const char* kDetailTable = R"(
CREATE TABLE IF NOT EXISTS detail (
  job INTEGER NOT NULL REFERENCES job, name TEXT NOT NULL, text TEXT NOT NULL,
  PRIMARY KEY (job, name)) STRICT, WITHOUT ROWID;
)";

std::int64_t pragma(Connection& connection, const char* sql) {
  Statement statement(connection, sql);
  statement.start();
  statement.next();
  return statement.integer(0);
}

// As the user whose rights count, which access() alone does not ask for.
bool is_allowed(const std::string& path, int what) {
  return faccessat(AT_FDCWD, path.c_str(), what, AT_EACCESS) == 0;
}

// What SQLite would answer with a riddle, or silently accept.
void refuse_strange_file(const std::string& path) {
  std::error_code problem;
  const fs::file_status status = fs::status(path, problem);
  if (status.type() == fs::file_type::not_found) {
    throw StoreError(path + ": no such file; a run store is expected here");
  }
  if (problem) throw StoreError(path + ": cannot be read: " + problem.message());
  if (fs::is_directory(status)) throw StoreError(path + ": is a folder; a run store is a file");
  if (!fs::is_regular_file(status)) throw StoreError(path + ": is no regular file; a run store is one");
  if (!is_allowed(path, R_OK)) throw StoreError(path + ": cannot be read: " + std::strerror(errno));
  if (fs::file_size(path, problem) == 0) throw StoreError(path + ": is empty; a run store never is");
}

void refuse_foreign(Connection& connection) {
  if (pragma(connection, "PRAGMA application_id") != kApplication) {
    throw StoreError(connection.path() + ": is not a run store: an SQLite file of another program");
  }
  const std::int64_t format = pragma(connection, "PRAGMA user_version");
  if (format != kFormat) {
    throw StoreError(connection.path() + ": is a run store of format " + std::to_string(format) +
                     "; this fedstein reads format " + std::to_string(kFormat) +
                     (format > kFormat ? ": use the newer fedstein that wrote it" : ""));
  }
  Statement all_tables_there(
      connection, "SELECT 1 FROM run, job, round, figure, particles, density, reliability, checkpoint LIMIT 0");
}

// Made under another name and renamed: a maker that is killed leaves no half a store behind.
void create(const std::string& path) {
  const std::string unfinished = path + "-new";
  std::error_code problem;
  for (const char* ending : {"", "-journal", "-wal", "-shm"}) fs::remove(unfinished + ending, problem);
  {
    Connection connection(unfinished, Connection::Access::kCreate);
    connection.execute("PRAGMA synchronous = FULL");
    Transaction transaction(connection, Transaction::Kind::kWrite);
    connection.execute(kTables);
    connection.execute(kDetailTable);
    connection.execute(("PRAGMA application_id = " + std::to_string(kApplication)).c_str());
    connection.execute(("PRAGMA user_version = " + std::to_string(kFormat)).c_str());
    transaction.commit();
    connection.execute("PRAGMA journal_mode = WAL");  // kept in the file
  }
  fs::rename(unfinished, path, problem);
  if (problem) throw StoreError(path + ": cannot be made: " + problem.message());
  try {
    sync_folder(fs::path(path).parent_path().string());
  } catch (const FileError& error) {
    throw StoreError(error.what());
  }
}

void create_unless_there(const std::string& path) {
  if (fs::exists(path)) return;
  const fs::path folder = fs::path(path).parent_path();
  if (!fs::is_directory(folder)) throw StoreError(path + ": cannot be made: there is no folder " + folder.string());
  const FileLock alone = FileLock::wait(path, 0);
  if (!fs::exists(path)) create(path);
}

// A store on a medium that cannot be written has no place for SQLite's side files. Where a writer is at work all the
// same, they are there.
bool is_unchanging(const std::string& path) {
  return !fs::exists(path + "-wal") && !is_allowed(fs::path(path).parent_path().string(), W_OK);
}

}  // namespace

std::string full_path(const std::string& path) {
  std::error_code problem;
  const fs::path full = fs::weakly_canonical(fs::absolute(path, problem), problem);
  return problem ? path : full.string();
}

std::unique_ptr<Connection> open_to_read(const std::string& given) {
  const std::string path = full_path(given);
  refuse_strange_file(path);
  auto out = std::make_unique<Connection>(
      path, is_unchanging(path) ? Connection::Access::kReadUnchanging : Connection::Access::kRead);
  refuse_foreign(*out);
  return out;
}

std::unique_ptr<Connection> open_to_write(const std::string& given) {
  const std::string path = full_path(given);
  create_unless_there(path);
  refuse_strange_file(path);
  auto out = std::make_unique<Connection>(path, Connection::Access::kWrite);
  refuse_foreign(*out);
  out->execute("PRAGMA synchronous = FULL");
  out->execute("PRAGMA foreign_keys = ON");
  out->execute(kDetailTable);
  return out;
}

}  // namespace fedstein
