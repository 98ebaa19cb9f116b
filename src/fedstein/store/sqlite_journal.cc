// SPDX-License-Identifier: Apache-2.0
#include "fedstein/store/sqlite_journal.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "fedstein/federated/message_bytes.h"
#include "fedstein/store/journal_tables.h"
#include "fedstein/store/round_text.h"
#include "fedstein/store/run_lock.h"

namespace fedstein {
namespace {

// SQLite would make the file readable by everyone; its side files take the mode of the first.
void make_private(const std::string& path) {
  const int descriptor =
      ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, S_IRUSR | S_IWUSR);
  if (descriptor < 0) throw StoreError(path + ": cannot be opened: " + std::strerror(errno));
  close(descriptor);
}

}  // namespace

class SqliteJournal::File {
 public:
  explicit File(const std::string& path)
      : lock(FileLock::try_once(path, 0)),
        connection((make_private(path), path), Connection::Access::kCreate),
        head_(path) {
    if (!lock.holds()) throw StoreError(path + ": another process serves from this journal");
    connection.keep_log_at_close(true);  // until it is known to be whole
    connection.execute("PRAGMA synchronous = FULL");
    connection.execute("PRAGMA foreign_keys = ON");
  }
  void open(const std::string& document) {
    if (integer_of(connection, "SELECT count(*) FROM sqlite_master") == 0) create(document);
    check_journal_file(connection);
    check_seal();
    expect(document);
    connection.execute("PRAGMA journal_mode = WAL");
    connection.keep_log_at_close(false);
  }
  // One durable transaction: `change` writes rows, and the same into the seal it is given.
  template <typename Change>
  void write(const Change& change) {
    catch_up();
    if (!seal_holds_) seal_ = seal_of_tables(connection);
    seal_holds_ = false;  // until the rows are on disk as well
    Transaction transaction(connection, Transaction::Kind::kWrite);
    change(seal_);
    const std::int64_t sequence = mark_.sequence + 1;
    const JournalHead::Mark mark{sequence, seal_.digest(sequence)};
    store_mark(connection, mark);
    transaction.commit();
    seal_holds_ = true;
    mark_ = mark;
    try {
      catch_up();
    } catch (const StoreError&) {
      // The transaction is on disk, as promised. The next one tries again, and is refused while the head is behind.
    }
  }
  void send_head_to_disk() { head_.send_to_disk(); }
  std::string now() {
    Statement statement(connection, "SELECT strftime('%Y-%m-%dT%H:%M:%fZ', 'now')");
    statement.start();
    statement.next();
    return statement.text(0);
  }

  FileLock lock;
  Connection connection;

 private:
  void create(const std::string& document) {
    const std::optional<JournalHead::Mark> promised = head_.read();
    if (promised && promised->sequence > 0) refuse_older(0, promised->sequence);
    if (!promised) head_.create();
    connection.execute("PRAGMA journal_mode = WAL");
    write([&](JournalSeal& seal) {
      create_journal_tables(connection, document);
      seal = seal_of_tables(connection);
    });
  }
  void check_seal() {
    const std::string& path = connection.path();
    mark_ = stored_mark(connection);
    seal_ = seal_of_tables(connection);
    if (seal_.digest(mark_.sequence) != mark_.digest) {
      throw StoreError(path + ": is damaged: it does not say what was written into it; give a backup of the state " +
                       "folder, or a new one");
    }
    const std::optional<JournalHead::Mark> promised = head_.read();
    if (!promised) {
      throw StoreError(head_.path() + ": is missing; without it nobody knows whether " + path +
                       " lacks transactions; give both back from one backup, or a new state folder");
    }
    if (promised->sequence > mark_.sequence) refuse_older(mark_.sequence, promised->sequence);
    if (promised->sequence == mark_.sequence && promised->digest != mark_.digest) {
      throw StoreError(path + ": is not the journal that " + head_.path() +
                       " belongs to; give both back from one backup, or a new state folder");
    }
    marked_ = promised->sequence;
    if (marked_ == mark_.sequence) return;
    catch_up();
    head_.sync();
  }
  [[noreturn]] void refuse_older(std::int64_t found, std::int64_t promised) {
    throw StoreError(connection.path() + ": is older than what was promised to agents: it ends after transaction " +
                     std::to_string(found) + ", " + head_.path() + " says " + std::to_string(promised) +
                     "; its write-ahead log is damaged or missing, or an older copy was put in its place; give a " +
                     "backup of the whole state folder, or a new one");
  }
  void catch_up() {
    if (marked_ == mark_.sequence) return;
    head_.write(mark_);
    marked_ = mark_.sequence;
  }
  void expect(const std::string& document) {
    const std::string& path = connection.path();
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

  JournalHead head_;
  JournalSeal seal_;
  bool seal_holds_ = true;   // false after a transaction that failed
  JournalHead::Mark mark_;   // of the tables
  std::int64_t marked_ = 0;  // the head's
};

SqliteJournal::SqliteJournal(const std::string& path, const std::string& document)
    : file_(std::make_unique<File>(path)) {
  file_->open(document);
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
  file_->write([&](JournalSeal& seal) {
    Statement(file_->connection, "INSERT OR REPLACE INTO enrolment VALUES (?1, ?2, ?3, ?4)")
        .run(enrolment.agent, enrolment.rows, enrolment.features, Blob{enrolment.statistics});
    seal.enrol(enrolment);
  });
}

void SqliteJournal::drop_enrolment(Index agent) {
  file_->write([&](JournalSeal& seal) {
    Statement(file_->connection, "DELETE FROM enrolment WHERE agent = ?1").run(agent);
    seal.drop_enrolment(agent);
  });
}

void SqliteJournal::open_attempts(Index /*round*/, const std::map<Index, Token>& tokens) {
  file_->write([&](JournalSeal& seal) {
    Statement attempt(file_->connection, "INSERT OR REPLACE INTO attempt VALUES (?1, ?2)");
    for (const auto& [agent, token] : tokens) {
      attempt.run(agent, token);
      seal.open_attempt(agent, token);
      seal.set_last_token(std::max(seal.last_token(), token));
    }
    Statement(file_->connection, "UPDATE federation SET last_token = ?1").run(seal.last_token());
  });
}

void SqliteJournal::hold(Index /*round*/, Index agent, const HeldReply& held) {
  const std::string bytes = bytes_of(held.reply);
  file_->write([&](JournalSeal& seal) {
    Statement(file_->connection, "INSERT INTO reply VALUES (?1, ?2, ?3)").run(agent, held.token, Blob{bytes});
    seal.hold(agent, held.token, bytes);
  });
}

void SqliteJournal::close_round(const RoundClosing& closing) {
  Connection& connection = file_->connection;
  ClosedRound round{closing.round, file_->now(), record_to_text(closing.record), {}};
  for (const Failure& failure : closing.failures) {
    round.parts[failure.agent] = {0, std::string(name_of(failure.kind)) + ": " + failure.reason};
  }
  for (const auto& [agent, upload] : closing.folded) round.parts[agent] = {1, {}};
  file_->write([&](JournalSeal& seal) {
    Statement(connection, "INSERT INTO round VALUES (?1, ?2, ?3)").run(round.round, round.closed, round.record);
    Statement part_row(connection, "INSERT INTO took_part VALUES (?1, ?2, ?3, ?4)");
    for (const auto& [agent, part] : round.parts) part_row.run(round.round, agent, part.folded, part.failure);
    seal.close(round);
    Statement folded(connection, "INSERT OR REPLACE INTO folded VALUES (?1, ?2, ?3, ?4)");
    for (const auto& [agent, upload] : closing.folded) {
      folded.run(agent, upload.round, upload.token, upload.weight);
      seal.fold(agent, upload);
    }
    Statement(connection, "UPDATE federation SET closed_round = ?1, server_state = ?2")
        .run(closing.round, Blob{closing.server_state});
    seal.set_state(closing.round, closing.server_state);
    Statement(connection, "DELETE FROM attempt").run();
    Statement(connection, "DELETE FROM reply").run();
    seal.clear_open_round();
  });
  file_->send_head_to_disk();
}

void SqliteJournal::record_forgotten(Index agent, Index round) {
  const std::string at = file_->now();
  file_->write([&](JournalSeal& seal) {
    Statement(file_->connection, "INSERT INTO forgotten VALUES (?1, ?2, ?3)").run(agent, round, at);
    seal.forget(agent, round, at);
  });
}

std::vector<RoundRecord> SqliteJournal::records() const {
  std::vector<RoundRecord> out;
  Statement rows(file_->connection, "SELECT record FROM round ORDER BY round");
  for (rows.start(); rows.next();) out.push_back(record_from_text(rows.text(0)));
  return out;
}

std::vector<std::vector<Index>> SqliteJournal::realised() const {
  std::vector<std::vector<Index>> out(
      static_cast<std::size_t>(integer_of(file_->connection, "SELECT count(*) FROM round")));
  Statement rows(file_->connection, "SELECT round, agent FROM took_part WHERE folded = 1 ORDER BY round, agent");
  for (rows.start(); rows.next();) out.at(static_cast<std::size_t>(rows.integer(0) - 1)).push_back(rows.integer(1));
  return out;
}

}  // namespace fedstein
