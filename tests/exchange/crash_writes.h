// SPDX-License-Identifier: Apache-2.0
// The durable writes of a world: counted, and interrupted where the search wants it.
#pragma once

#include "exchange/crash_world.h"

namespace fedstein {

struct Crash {};  // what a write throws instead of returning

// Counts the durable writes of a step, and crashes before or after one of them.
class CrashWorld::Writes {
 public:
  Writes() = default;
  Writes(int write, bool after) : write_(write), after_(after) {}

  template <typename Write>
  void perform(const Write& write) {
    const bool here = count_++ == write_;
    if (here && !after_) throw Crash{};
    write();
    if (here) throw Crash{};
  }
  int count() const { return count_; }

 private:
  int count_ = 0;
  int write_ = -1;
  bool after_ = false;
};

class CrashWorld::Log : public Journal {
 public:
  Log(MemoryJournal& journal, Writes& writes) : journal_(journal), writes_(writes) {}
  JournalContents load() const override { return journal_.load(); }
  void enrol(const Enrolment& enrolment) override {
    writes_.perform([&] { journal_.enrol(enrolment); });
  }
  void drop_enrolment(Index agent) override {
    writes_.perform([&] { journal_.drop_enrolment(agent); });
  }
  void open_attempts(Index round, const std::map<Index, Token>& tokens) override {
    writes_.perform([&] { journal_.open_attempts(round, tokens); });
  }
  void hold(Index round, Index agent, const HeldReply& held) override {
    writes_.perform([&] { journal_.hold(round, agent, held); });
  }
  void close_round(const RoundClosing& closing) override {
    writes_.perform([&] { journal_.close_round(closing); });
  }
  void record_forgotten(Index agent, Index round) override {
    writes_.perform([&] { journal_.record_forgotten(agent, round); });
  }

 private:
  MemoryJournal& journal_;
  Writes& writes_;
};

class CrashWorld::Disk : public AgentDisk {
 public:
  Disk(std::optional<std::string>& record, Writes& writes, bool careless)
      : record_(record), writes_(writes), careless_(careless) {}
  std::optional<std::string> read() const override { return record_; }
  void replace(const std::string& record) override {
    const bool loses = careless_ && agent_record_from(record).pending;
    if (!loses) writes_.perform([&] { record_ = record; });
  }
  std::string set_aside() override {
    writes_.perform([&] { record_.reset(); });
    return {};
  }

 private:
  std::optional<std::string>& record_;
  Writes& writes_;
  bool careless_;
};

}  // namespace fedstein
