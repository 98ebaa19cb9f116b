// SPDX-License-Identifier: Apache-2.0
#include "fedstein/store/sqlite.h"

#include <array>
#include <limits>

namespace fedstein {
namespace {

// Another process holds the write lock for one flush of its rounds, which is milliseconds; a minute is a process that
// hangs.
constexpr int kBusySeconds = 60;

bool stands_for_itself(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' || c == '.' ||
         c == '-' || c == '_';
}

// SQLite takes options only in the form of a URI.
std::string uri_of(const std::string& path) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out = "file:";
  for (const char c : path) {
    if (stands_for_itself(c)) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += {'%', kDigits[byte >> 4U], kDigits[byte & 15U]};
  }
  return out + "?immutable=1";
}

int flags_of(Connection::Access access) {
  switch (access) {
    case Connection::Access::kRead:
      return SQLITE_OPEN_READONLY;
    case Connection::Access::kReadUnchanging:
      return SQLITE_OPEN_READONLY | SQLITE_OPEN_URI;
    case Connection::Access::kWrite:
      return SQLITE_OPEN_READWRITE;
    case Connection::Access::kCreate:
      break;
  }
  return SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
}

std::string sentence(int code, const std::string& detail) {
  switch (code & 0xff) {  // the low byte of SQLite's extended codes is the kind
    case SQLITE_NOTADB:
      return "is not a run store: it is no SQLite file";
    case SQLITE_CORRUPT:
      return "is damaged (" + detail + "); what can still be read, the sqlite3 program can recover";
    case SQLITE_BUSY:
      return "another process kept it locked for " + std::to_string(kBusySeconds) + " seconds";
    case SQLITE_FULL:
      return "cannot be written: the disk is full";
    case SQLITE_CANTOPEN:
      return "cannot be opened: " + detail;
    case SQLITE_READONLY:
      return "cannot be written: " + detail;
    default:
      return "SQLite says: " + detail;
  }
}

}  // namespace

Connection::Connection(const std::string& path, Access access) : path_(path) {
  const std::string name = access == Access::kReadUnchanging ? uri_of(path) : path;
  const int code = sqlite3_open_v2(name.c_str(), &handle_, flags_of(access) | SQLITE_OPEN_NOMUTEX, nullptr);
  if (code != SQLITE_OK) {
    const std::string detail = handle_ == nullptr ? "out of memory" : sqlite3_errmsg(handle_);
    sqlite3_close_v2(handle_);
    throw StoreError(path_ + ": " + sentence(code, detail));
  }
  sqlite3_extended_result_codes(handle_, 1);
  sqlite3_busy_timeout(handle_, kBusySeconds * 1000);
}

Connection::~Connection() {
  sqlite3_close_v2(handle_);
}

void Connection::execute(const char* sql) {
  const int code = sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(code);
}

void Connection::keep_log_at_close(bool keep) {
  const int code = sqlite3_db_config(handle_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keep ? 1 : 0, nullptr);
  if (code != SQLITE_OK) fail(code);
}

void Connection::fail(int code) const {
  throw StoreError(path_ + ": " + sentence(code, sqlite3_errmsg(handle_)));
}

Statement::Statement(Connection& connection, const char* sql) : connection_(connection) {
  check(sqlite3_prepare_v2(connection.handle_, sql, -1, &handle_, nullptr));
}

Statement::~Statement() {
  sqlite3_finalize(handle_);
}

void Statement::rewind() {
  sqlite3_reset(handle_);
  sqlite3_clear_bindings(handle_);
}

bool Statement::next() {
  const int code = sqlite3_step(handle_);
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) connection_.fail(code);
  sqlite3_reset(handle_);  // a statement at its end would keep its view of the file, and the write lock with it
  return false;
}

// The bytes are copied: what is bound may be gone before the row is written. An empty view may have no address, which
// SQLite would take for NULL.
void Statement::bind(int place, std::string_view text) {
  check(
      sqlite3_bind_text64(handle_, place, text.empty() ? "" : text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
}

void Statement::bind(int place, Blob blob) {
  if (blob.bytes.empty()) {
    check(sqlite3_bind_zeroblob(handle_, place, 0));
  } else {
    check(sqlite3_bind_blob64(handle_, place, blob.bytes.data(), blob.bytes.size(), SQLITE_TRANSIENT));
  }
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(handle_, column);
}

double Statement::number(int column) const {
  if (sqlite3_column_type(handle_, column) == SQLITE_NULL) return std::numeric_limits<double>::quiet_NaN();
  return sqlite3_column_double(handle_, column);
}

std::string Statement::text(int column) const {
  return std::string(blob(column));
}

std::string_view Statement::blob(int column) const {
  const void* data = sqlite3_column_blob(handle_, column);
  const int bytes = sqlite3_column_bytes(handle_, column);
  return data == nullptr ? std::string_view() : std::string_view(static_cast<const char*>(data), bytes);
}

// A writer takes the write lock at once: a reader that turns writer half-way could find that it may not.
Transaction::Transaction(Connection& connection, Kind kind) : connection_(connection) {
  connection.execute(kind == Kind::kWrite ? "BEGIN IMMEDIATE" : "BEGIN");
}

Transaction::~Transaction() {
  if (!open_) return;
  try {
    connection_.execute("ROLLBACK");
  } catch (const StoreError&) {
    // SQLite has rolled back by itself, which is what made the statement before fail.
    open_ = false;
  }
}

void Transaction::commit() {
  connection_.execute("COMMIT");
  open_ = false;
}

}  // namespace fedstein
