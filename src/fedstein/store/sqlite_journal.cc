// SPDX-License-Identifier: Apache-2.0
#include "fedstein/store/sqlite_journal.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <random>

#include "fedstein/exchange/reply_bytes.h"
#include "fedstein/store/run_lock.h"
#include "fedstein/store/sqlite.h"

namespace fedstein {
namespace {

constexpr std::int64_t kApplication = 0x46534a4c;  // "FSJL"
constexpr std::int64_t kFormat = 1;

// `attempt` and `reply` hold the open round only; `round` and `took_part` the whole history.
constexpr const char* kTables = R"(
CREATE TABLE federation (
  only INTEGER PRIMARY KEY CHECK (only = 1), run TEXT NOT NULL, document TEXT NOT NULL, precision TEXT NOT NULL,
  closed_round INTEGER NOT NULL, last_token INTEGER NOT NULL, server_state BLOB NOT NULL) STRICT;
CREATE TABLE enrolment (
  agent INTEGER PRIMARY KEY, rows INTEGER NOT NULL, features INTEGER NOT NULL, statistics BLOB NOT NULL) STRICT;
CREATE TABLE attempt (agent INTEGER PRIMARY KEY, token INTEGER NOT NULL) STRICT;
CREATE TABLE reply (agent INTEGER PRIMARY KEY, token INTEGER NOT NULL, reply BLOB NOT NULL) STRICT;
CREATE TABLE folded (
  agent INTEGER PRIMARY KEY, round INTEGER NOT NULL, token INTEGER NOT NULL, weight REAL NOT NULL) STRICT;
CREATE TABLE round (round INTEGER PRIMARY KEY, closed TEXT NOT NULL) STRICT;
CREATE TABLE took_part (
  round INTEGER NOT NULL REFERENCES round, agent INTEGER NOT NULL, folded INTEGER NOT NULL, failure TEXT NOT NULL,
  PRIMARY KEY (round, agent)) STRICT, WITHOUT ROWID;
CREATE TABLE forgotten (agent INTEGER NOT NULL, round INTEGER NOT NULL, at TEXT NOT NULL) STRICT;
)";

// An identity that no other federation has: 128 random bits.
std::string fresh_identity() {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::random_device source;
  std::string out;
  for (int digit = 0; digit < 32; ++digit) out += kDigits[source() % kDigits.size()];
  return out;
}

// SQLite would make the file readable by everyone; its side files take the mode of the first.
void make_private(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (descriptor < 0) throw StoreError(path + ": cannot be opened: " + std::strerror(errno));
  close(descriptor);
}

}  // namespace

class SqliteJournal::File {
 public:
  explicit File(const std::string& path)
      : lock(FileLock::try_once(path, 0)), connection((make_private(path), path), Connection::Access::kCreate) {
    if (!lock.holds()) throw StoreError(path + ": another process serves from this journal");
    connection.execute("PRAGMA journal_mode = WAL");
    connection.execute("PRAGMA synchronous = FULL");
    connection.execute("PRAGMA foreign_keys = ON");
  }
  std::int64_t value(const char* sql) {
    Statement statement(connection, sql);
    statement.start();
    return statement.next() ? statement.integer(0) : 0;
  }
  void create(const std::string& document) {
    Transaction transaction(connection, Transaction::Kind::kWrite);
    connection.execute(kTables);
    connection.execute(("PRAGMA application_id = " + std::to_string(kApplication)).c_str());
    connection.execute(("PRAGMA user_version = " + std::to_string(kFormat)).c_str());
    Statement(connection, "INSERT INTO federation VALUES (1, ?1, ?2, ?3, 0, 0, x'')")
        .run(fresh_identity(), document, std::string(kRealName));
    transaction.commit();
  }
  void expect(const std::string& document) {
    const std::string& path = connection.path();
    if (value("PRAGMA application_id") != kApplication || value("PRAGMA user_version") != kFormat) {
      throw StoreError(path + ": is not a journal of this fedstein");
    }
    Statement statement(connection, "SELECT document, precision FROM federation");
    statement.start();
    if (!statement.next()) throw StoreError(path + ": is a journal without its first row");
    if (statement.text(1) != kRealName) {
      throw StoreError(path + ": was begun in " + statement.text(1) + "; this fedstein works in " + kRealName);
    }
    if (statement.text(0) != document) {
      throw StoreError(path + ": was begun with another configuration; give that one, or a new state folder");
    }
  }

  FileLock lock;
  Connection connection;
};

SqliteJournal::SqliteJournal(const std::string& path, const std::string& document)
    : file_(std::make_unique<File>(path)) {
  if (file_->value("SELECT count(*) FROM sqlite_master") == 0) file_->create(document);
  file_->expect(document);
}

SqliteJournal::~SqliteJournal() = default;

JournalContents SqliteJournal::load() const {
  JournalContents out;
  Connection& connection = file_->connection;
  Statement federation(connection, "SELECT run, closed_round, last_token, server_state FROM federation");
  federation.start();
  federation.next();
  out.run = federation.text(0);
  out.closed_round = federation.integer(1);
  out.last_token = federation.integer(2);
  out.server_state = std::string(federation.blob(3));

  Statement enrolments(connection, "SELECT agent, rows, features, statistics FROM enrolment");
  for (enrolments.start(); enrolments.next();) {
    const Index agent = enrolments.integer(0);
    out.enrolments[agent] = {agent, enrolments.integer(1), enrolments.integer(2), std::string(enrolments.blob(3))};
  }
  Statement attempts(connection, "SELECT agent, token FROM attempt");
  for (attempts.start(); attempts.next();) out.attempts[attempts.integer(0)] = attempts.integer(1);
  Statement replies(connection, "SELECT agent, token, reply FROM reply");
  for (replies.start(); replies.next();) {
    out.replies[replies.integer(0)] = {replies.integer(1), reply_from(replies.blob(2))};
  }
  Statement folded(connection, "SELECT agent, round, token, weight FROM folded");
  for (folded.start(); folded.next();) {
    out.folded[folded.integer(0)] = {folded.integer(1), folded.integer(2), folded.number(3)};
  }
  return out;
}

void SqliteJournal::enrol(const Enrolment& enrolment) {
  Statement(file_->connection, "INSERT OR REPLACE INTO enrolment VALUES (?1, ?2, ?3, ?4)")
      .run(enrolment.agent, enrolment.rows, enrolment.features, Blob{enrolment.statistics});
}

void SqliteJournal::drop_enrolment(Index agent) {
  Statement(file_->connection, "DELETE FROM enrolment WHERE agent = ?1").run(agent);
}

void SqliteJournal::open_attempts(Index /*round*/, const std::map<Index, Token>& tokens) {
  Transaction transaction(file_->connection, Transaction::Kind::kWrite);
  Statement last(file_->connection, "UPDATE federation SET last_token = max(last_token, ?1)");
  Statement attempt(file_->connection, "INSERT OR REPLACE INTO attempt VALUES (?1, ?2)");
  for (const auto& [agent, token] : tokens) {
    last.run(token);
    attempt.run(agent, token);
  }
  transaction.commit();
}

void SqliteJournal::hold(Index /*round*/, Index agent, const HeldReply& held) {
  const std::string bytes = bytes_of(held.reply);
  Statement(file_->connection, "INSERT INTO reply VALUES (?1, ?2, ?3)").run(agent, held.token, Blob{bytes});
}

void SqliteJournal::close_round(const RoundClosing& closing) {
  Connection& connection = file_->connection;
  Transaction transaction(connection, Transaction::Kind::kWrite);
  Statement(connection, "INSERT INTO round VALUES (?1, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))").run(closing.round);
  Statement part(connection, "INSERT OR REPLACE INTO took_part VALUES (?1, ?2, ?3, ?4)");
  for (const Failure& failure : closing.failures) {
    part.run(closing.round, failure.agent, 0, std::string(name_of(failure.kind)) + ": " + failure.reason);
  }
  Statement folded(connection, "INSERT OR REPLACE INTO folded VALUES (?1, ?2, ?3, ?4)");
  for (const auto& [agent, upload] : closing.folded) {
    part.run(closing.round, agent, 1, std::string());
    folded.run(agent, upload.round, upload.token, upload.weight);
  }
  Statement(connection, "UPDATE federation SET closed_round = ?1, server_state = ?2")
      .run(closing.round, Blob{closing.server_state});
  Statement(connection, "DELETE FROM attempt").run();
  Statement(connection, "DELETE FROM reply").run();
  transaction.commit();
}

void SqliteJournal::record_forgotten(Index agent, Index round) {
  Statement(file_->connection, "INSERT INTO forgotten VALUES (?1, ?2, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))")
      .run(agent, round);
}

std::vector<std::vector<Index>> SqliteJournal::realised() const {
  std::vector<std::vector<Index>> out(static_cast<std::size_t>(file_->value("SELECT count(*) FROM round")));
  Statement rows(file_->connection, "SELECT round, agent FROM took_part WHERE folded = 1 ORDER BY round, agent");
  for (rows.start(); rows.next();) out.at(static_cast<std::size_t>(rows.integer(0) - 1)).push_back(rows.integer(1));
  return out;
}

}  // namespace fedstein
