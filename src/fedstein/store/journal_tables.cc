// SPDX-License-Identifier: Apache-2.0
#include "fedstein/store/journal_tables.h"

#include <algorithm>
#include <random>

namespace fedstein {
namespace {

constexpr std::int64_t kApplication = 0x46534a4c;  // "FSJL"
constexpr std::int64_t kFormat = 2;                // 1 had no seal

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
CREATE TABLE round (round INTEGER PRIMARY KEY, closed TEXT NOT NULL, record TEXT NOT NULL) STRICT;
CREATE TABLE took_part (
  round INTEGER NOT NULL REFERENCES round, agent INTEGER NOT NULL, folded INTEGER NOT NULL, failure TEXT NOT NULL,
  PRIMARY KEY (round, agent)) STRICT, WITHOUT ROWID;
CREATE TABLE forgotten (agent INTEGER NOT NULL, round INTEGER NOT NULL, at TEXT NOT NULL) STRICT;
CREATE TABLE seal (
  only INTEGER PRIMARY KEY CHECK (only = 1), sequence INTEGER NOT NULL, digest BLOB NOT NULL) STRICT;
)";

// An identity that no other federation has: 128 random bits.
std::string fresh_identity() {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::random_device source;
  std::string out;
  for (int digit = 0; digit < 32; ++digit) out += kDigits[source() % kDigits.size()];
  return out;
}

// The tables' own definitions: a letter changed in one of them may change what its rows mean.
Digest digest_of_definitions(Connection& connection) {
  Sealing sealing;
  Statement rows(connection, "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_master ORDER BY type, name");
  for (rows.start(); rows.next();) {
    for (int column = 0; column < 4; ++column) sealing.add(rows.text(column));
  }
  return sealing.digest();
}

void seal_federation(Connection& connection, JournalSeal& seal) {
  Statement row(connection,
                "SELECT run, document, precision, closed_round, last_token, server_state FROM federation ORDER BY 1");
  row.start();
  if (!row.next()) throw StoreError(connection.path() + ": is a journal without its first row");
  seal.begin(digest_of_definitions(connection), row.text(0), row.text(1), row.text(2));
  seal.set_state(row.integer(3), row.blob(5));
  seal.set_last_token(row.integer(4));
}

void seal_agents(Connection& connection, JournalSeal& seal) {
  Statement enrolments(connection, "SELECT agent, rows, features, statistics FROM enrolment");
  for (enrolments.start(); enrolments.next();) {
    seal.enrol({enrolments.integer(0), enrolments.integer(1), enrolments.integer(2), enrolments.text(3)});
  }
  Statement attempts(connection, "SELECT agent, token FROM attempt");
  for (attempts.start(); attempts.next();) seal.open_attempt(attempts.integer(0), attempts.integer(1));
  Statement replies(connection, "SELECT agent, token, reply FROM reply");
  for (replies.start(); replies.next();) seal.hold(replies.integer(0), replies.integer(1), replies.blob(2));
  Statement folded(connection, "SELECT agent, round, token, weight FROM folded");
  for (folded.start(); folded.next();) {
    seal.fold(folded.integer(0), {folded.integer(1), folded.integer(2), folded.number(3)});
  }
}

// Rounds and the parts in them are both read once, in order; parts of a round that is not there are found by their
// number.
void seal_history(Connection& connection, JournalSeal& seal) {
  Statement rounds(connection, "SELECT round, closed, record FROM round ORDER BY round");
  Statement parts(connection, "SELECT round, agent, folded, failure FROM took_part ORDER BY round, agent");
  parts.start();
  bool more = parts.next();
  for (rounds.start(); rounds.next();) {
    ClosedRound round{rounds.integer(0), rounds.text(1), rounds.text(2), {}};
    for (; more && parts.integer(0) == round.round; more = parts.next()) {
      round.parts[parts.integer(1)] = {parts.integer(2), parts.text(3)};
    }
    seal.close(round);
  }
  if (more) throw StoreError(connection.path() + ": is damaged: it has agents of a round that is not there");
  Statement forgotten(connection, "SELECT agent, round, at FROM forgotten ORDER BY rowid");
  for (forgotten.start(); forgotten.next();) {
    seal.forget(forgotten.integer(0), forgotten.integer(1), forgotten.text(2));
  }
}

}  // namespace

std::int64_t integer_of(Connection& connection, const char* sql) {
  Statement statement(connection, sql);
  statement.start();
  return statement.next() ? statement.integer(0) : 0;
}

void create_journal_tables(Connection& connection, const std::string& document) {
  connection.execute(kTables);
  connection.execute(("PRAGMA application_id = " + std::to_string(kApplication)).c_str());
  connection.execute(("PRAGMA user_version = " + std::to_string(kFormat)).c_str());
  Statement(connection, "INSERT INTO federation VALUES (1, ?1, ?2, ?3, 0, 0, x'')")
      .run(fresh_identity(), document, std::string(kRealName));
}

void check_journal_file(Connection& connection) {
  const std::string& path = connection.path();
  if (integer_of(connection, "PRAGMA application_id") != kApplication) {
    throw StoreError(path + ": is not a journal of fedstein");
  }
  if (const std::int64_t format = integer_of(connection, "PRAGMA user_version"); format != kFormat) {
    throw StoreError(path + ": was begun by " + (format < kFormat ? "an older" : "a newer") + " fedstein (format " +
                     std::to_string(format) + ", this one has " + std::to_string(kFormat) +
                     "); finish it with that one, or give a new state folder");
  }
  Statement check(connection, "PRAGMA integrity_check(1)");
  check.start();
  if (check.next() && check.text(0) != "ok") {
    std::string words = check.text(0);
    std::replace(words.begin(), words.end(), '\n', ' ');
    throw StoreError(path + ": is damaged (" + words + "); give a backup of the state folder, or a new one");
  }
}

JournalSeal seal_of_tables(Connection& connection) {
  JournalSeal seal;
  seal_federation(connection, seal);
  seal_agents(connection, seal);
  seal_history(connection, seal);
  return seal;
}

JournalHead::Mark stored_mark(Connection& connection) {
  Statement row(connection, "SELECT sequence, digest FROM seal");
  row.start();
  JournalHead::Mark out;
  if (!row.next() || row.blob(1).size() != out.digest.size()) {
    throw StoreError(connection.path() + ": is a journal without its seal");
  }
  out.sequence = row.integer(0);
  const std::string_view bytes = row.blob(1);
  std::copy(bytes.begin(), bytes.end(), out.digest.begin());
  return out;
}

void store_mark(Connection& connection, const JournalHead::Mark& mark) {
  const std::string bytes(mark.digest.begin(), mark.digest.end());
  Statement(connection, "INSERT OR REPLACE INTO seal VALUES (1, ?1, ?2)").run(mark.sequence, Blob{bytes});
}

}  // namespace fedstein
