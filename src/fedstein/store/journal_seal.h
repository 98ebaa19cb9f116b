// SPDX-License-Identifier: Apache-2.0
// What a journal says, as one digest: whatever is changed behind its back gives another one.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "fedstein/exchange/journal.h"
#include "fedstein/files/sha256.h"

namespace fedstein {

using Digest = Sha256Digest;

// The digest of values one after the other. Each goes in with its length, so that no two lists give the same bytes.
class Sealing {
 public:
  Sealing& add(std::int64_t value);
  Sealing& add(double value);  // as SQLite gives it back: one zero, one NaN
  Sealing& add(std::string_view bytes);
  Sealing& add(const Digest& digest);
  Digest digest();  // the object is used up

 private:
  Sha256 sum_;
};

// One agent's part in a closed round.
struct TookPart {
  Index folded = 0;          // 1: its update
  std::string failure = {};  // why not
};

// A closed round as the tables keep it.
struct ClosedRound {
  Index round = 0;
  std::string closed = {};  // time
  std::string record = {};  // round_text.h
  std::map<Index, TookPart> parts = {};
};

// The rows of a table that change, each under its agent: their digests, and the sum (exclusive or) of these, so that a
// change costs the digest of one row, however many there are.
class SealedRows {
 public:
  void set(Index agent, Sealing& row);
  void erase(Index agent);
  void clear();
  const Digest& sum() const { return sum_; }

 private:
  void add(const Digest& row);
  std::map<Index, Digest> rows_ = {};
  Digest sum_ = {};
};

// Sums for the tables that change, two chains for those that are only ever added to. Changed along with the tables, so
// that a transaction costs the digests of its own rows and never those of others or of the rounds before; formed anew
// from the tables when a journal is opened.
class JournalSeal {
 public:
  void begin(const Digest& tables, const std::string& run, const std::string& document, const std::string& precision);
  void set_state(Index closed_round, std::string_view server_state);
  void set_last_token(Token token) { last_token_ = token; }
  Token last_token() const { return last_token_; }
  void enrol(const Enrolment& enrolment);
  void drop_enrolment(Index agent) { enrolments_.erase(agent); }
  void open_attempt(Index agent, Token token);
  void hold(Index agent, Token token, std::string_view reply);
  void fold(Index agent, const FoldedUpload& upload);
  void forget(Index agent, Index round, const std::string& at);
  // The bytes of a closed round that are sealed: all of them are listed here.
  void close(const ClosedRound& round);
  void clear_open_round();

  // Of everything, after this many transactions.
  Digest digest(std::int64_t sequence) const;

 private:
  Digest beginning_ = {};
  Index closed_round_ = 0;
  Token last_token_ = 0;
  Digest server_state_ = {};
  SealedRows enrolments_;
  SealedRows attempts_;
  SealedRows replies_;
  SealedRows folded_;
  Digest rounds_ = {};     // of the last round and, through it, of all before
  Digest forgotten_ = {};  // likewise
};

}  // namespace fedstein
