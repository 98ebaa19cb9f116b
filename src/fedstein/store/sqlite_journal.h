// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "fedstein/exchange/journal.h"
#include "fedstein/store/run_facts.h"

namespace fedstein {

// A server's journal in one SQLite file (WAL, synchronous = FULL), mode 0600: each function is one transaction that is
// on disk when it returns. One process at a time, by a lock of the kernel's. Not for two threads at once.
//
// Every transaction seals what the tables then say (SHA-256, the closed rounds as a chain) and leaves a mark of how far
// the journal has come in a second file, JOURNAL-head. Opening checks all of it: a changed byte, a row that is missing,
// a write-ahead log that lost its end or an older copy of the file is refused, and the files stay as they were found.
// That is a guard against accidents. Whoever can write the files can also seal them anew: no key is involved. The mark
// is not waited for, as the transaction is; it is sent to the disk when a round closes. So a power cut may take the
// latest marks, and a log that lost just these transactions in the same accident goes unnoticed. The death of the
// process takes none.
class SqliteJournal : public Journal {
 public:
  // Makes the file where there is none; `document` is the configuration that the federation runs by. Throws StoreError
  // when the file is another program's, another process serves from it, it is damaged or has lost transactions, or it
  // was made for another document or precision: a journal goes on with what it was begun with.
  SqliteJournal(const std::string& path, const std::string& document);
  ~SqliteJournal() override;

  JournalContents load() const override;
  void enrol(const Enrolment& enrolment) override;
  void drop_enrolment(Index agent) override;
  void open_attempts(Index round, const std::map<Index, Token>& tokens) override;
  void hold(Index round, Index agent, const HeldReply& held) override;
  void close_round(const RoundClosing& closing) override;
  void record_forgotten(Index agent, Index round) override;

  // Every closed round, as it was recorded in the transaction that closed it.
  std::vector<RoundRecord> records() const;
  // Whose updates each closed round took in, for whoever replays the run.
  std::vector<std::vector<Index>> realised() const;

 private:
  class File;
  std::unique_ptr<File> file_;
};

}  // namespace fedstein
