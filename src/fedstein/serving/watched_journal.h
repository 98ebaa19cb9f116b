// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>
#include <string>

#include "fedstein/exchange/journal.h"

namespace fedstein {

// A journal, and whether its last write went well: a server that cannot write turns every reply away.
class WatchedJournal : public Journal {
 public:
  explicit WatchedJournal(Journal& journal) : journal_(journal) {}

  // Why the last write failed; empty: it did not. From any thread.
  std::string trouble() const {
    const std::lock_guard lock(mutex_);
    return trouble_;
  }

  JournalContents load() const override { return journal_.load(); }
  void enrol(const Enrolment& enrolment) override {
    watch([&] { journal_.enrol(enrolment); });
  }
  void drop_enrolment(Index agent) override {
    watch([&] { journal_.drop_enrolment(agent); });
  }
  void open_attempts(Index round, const std::map<Index, Token>& tokens) override {
    watch([&] { journal_.open_attempts(round, tokens); });
  }
  void hold(Index round, Index agent, const HeldReply& held) override {
    watch([&] { journal_.hold(round, agent, held); });
  }
  void close_round(const RoundClosing& closing) override {
    watch([&] { journal_.close_round(closing); });
  }
  void record_forgotten(Index agent, Index round) override {
    watch([&] { journal_.record_forgotten(agent, round); });
  }

 private:
  template <typename Write>
  void watch(const Write& write) {
    try {
      write();
      note({});
    } catch (const std::exception& error) {
      note(std::string("the journal cannot be written: ") + error.what());
      throw;
    }
  }
  void note(const std::string& trouble) {
    const std::lock_guard lock(mutex_);
    trouble_ = trouble;
  }

  Journal& journal_;
  mutable std::mutex mutex_;
  std::string trouble_;
};

}  // namespace fedstein
