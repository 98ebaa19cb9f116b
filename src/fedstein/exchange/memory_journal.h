// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "fedstein/exchange/journal.h"

namespace fedstein {

// The journal as a value: for tests and for the search over crashes, which copies whole worlds.
class MemoryJournal : public Journal {
 public:
  explicit MemoryJournal(std::string run) { contents_.run = std::move(run); }

  JournalContents load() const override { return contents_; }
  void enrol(const Enrolment& enrolment) override;
  void drop_enrolment(Index agent) override;
  void open_attempts(Index round, const std::map<Index, Token>& tokens) override;
  void hold(Index round, Index agent, const HeldReply& held) override;
  void close_round(const RoundClosing& closing) override;
  void record_forgotten(Index agent, Index round) override;

  const JournalContents& contents() const { return contents_; }
  Index times_forgotten() const { return forgotten_; }
  // Whose updates each closed round took in.
  const std::vector<std::vector<Index>>& realised() const { return realised_; }

 private:
  JournalContents contents_;
  Index forgotten_ = 0;
  std::vector<std::vector<Index>> realised_;
};

}  // namespace fedstein
