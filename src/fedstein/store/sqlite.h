// SPDX-License-Identifier: Apache-2.0
// The little of SQLite that the store speaks, as values that close themselves and throw StoreError.
#pragma once

#include <sqlite3.h>

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

#include "fedstein/store/run_facts.h"

namespace fedstein {

// One connection; not for two threads at once.
class Connection {
 public:
  enum class Access {
    kRead,
    kReadUnchanging,  // nobody writes and nobody can: no locks, no side files
    kWrite,           // the file must be there
    kCreate,
  };
  Connection(const std::string& path, Access access);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection();

  void execute(const char* sql);
  // Whether the write-ahead log is left as it is when this connection closes, instead of being worked into the file.
  void keep_log_at_close(bool keep);
  std::int64_t last_row() const { return sqlite3_last_insert_rowid(handle_); }
  const std::string& path() const { return path_; }
  // One sentence about the latest error, with the file's name in front.
  [[noreturn]] void fail(int code) const;

 private:
  friend class Statement;
  std::string path_;
  sqlite3* handle_ = nullptr;
};

struct Blob {
  std::string_view bytes = {};
};

// One prepared statement. Parameters are ?1, ?2, ... in the order given.
class Statement {
 public:
  Statement(Connection& connection, const char* sql);
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  ~Statement();

  // Runs a statement that gives no rows; ready for the next run at once.
  template <typename... Values>
  void run(const Values&... values) {
    start(values...);
    while (next()) {
    }
  }
  // Then next() for every row; false at the end.
  template <typename... Values>
  void start(const Values&... values) {
    rewind();
    int place = 0;
    (bind(++place, values), ...);
  }
  bool next();

  // Of the current row, columns from 0.
  std::int64_t integer(int column) const;
  double number(int column) const;  // NULL is NaN: SQLite keeps no other NaN
  std::string text(int column) const;
  std::string_view blob(int column) const;  // until next()

 private:
  void rewind();
  template <std::integral Integer>
  void bind(int place, Integer value) {
    check(sqlite3_bind_int64(handle_, place, static_cast<sqlite3_int64>(value)));
  }
  void bind(int place, double value) { check(sqlite3_bind_double(handle_, place, value)); }
  void bind(int place, std::string_view text);
  void bind(int place, Blob blob);
  void check(int code) const {
    if (code != SQLITE_OK) connection_.fail(code);
  }

  Connection& connection_;
  sqlite3_stmt* handle_ = nullptr;
};

// BEGIN and COMMIT; rolled back unless commit() is reached. kRead: one unchanging view of several tables.
class Transaction {
 public:
  enum class Kind { kRead, kWrite };
  Transaction(Connection& connection, Kind kind);
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction();
  void commit();

 private:
  Connection& connection_;
  bool open_ = true;
};

}  // namespace fedstein
