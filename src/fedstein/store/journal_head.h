// SPDX-License-Identifier: Apache-2.0
// How far a journal had come, in a small file of its own. A write-ahead log that is damaged, or an older copy that is
// put back, gives a database that is whole and lacks the latest transactions: only something outside it can know.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "fedstein/store/journal_seal.h"

namespace fedstein {

// JOURNAL-head, mode 0600: two marks, written in turn into places of their own, so that one cut in the middle of its
// writing leaves the other. Text, each with its own digest.
class JournalHead {
 public:
  explicit JournalHead(const std::string& journal);
  JournalHead(const JournalHead&) = delete;
  JournalHead& operator=(const JournalHead&) = delete;
  ~JournalHead();

  struct Mark {
    std::int64_t sequence = 0;  // transactions so far; 0: the journal is about to be made
    Digest digest = {};         // of the journal after them
  };
  // The later of the two; nothing where there is no file. Throws StoreError when none of them can be believed.
  std::optional<Mark> read() const;
  // Makes the file where there is none, on disk when it returns.
  void create();
  // Survives the death of this process at once, and a power cut once the system has written it. To wait for that would
  // double the time of a transaction.
  void write(const Mark& mark);
  // Asks the system to write it now, without waiting.
  void send_to_disk() const;
  // Waits until it is on disk.
  void sync();
  const std::string& path() const { return path_; }

 private:
  void open(int flags);

  std::string path_;
  int descriptor_ = -1;
};

}  // namespace fedstein
