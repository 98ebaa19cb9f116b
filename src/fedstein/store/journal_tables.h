// SPDX-License-Identifier: Apache-2.0
// The tables of a server's journal, and their seal as they stand in the file.
#pragma once

#include "fedstein/store/journal_head.h"
#include "fedstein/store/journal_seal.h"
#include "fedstein/store/sqlite.h"

namespace fedstein {

// A new federation's tables with their first row, in the transaction that the caller has begun; all but their seal.
void create_journal_tables(Connection& connection, const std::string& document);

// Throws StoreError unless this is a journal, of this format, whose structure SQLite finds in order.
void check_journal_file(Connection& connection);

// The seal of what the tables say now, row by row.
JournalSeal seal_of_tables(Connection& connection);

// The seal's row: after how many transactions, and the digest then.
JournalHead::Mark stored_mark(Connection& connection);
void store_mark(Connection& connection, const JournalHead::Mark& mark);

std::int64_t integer_of(Connection& connection, const char* sql);  // first column of the first row; 0 without a row

}  // namespace fedstein
