// SPDX-License-Identifier: Apache-2.0
// A journal whose file was changed behind its back: every opening either refuses, with the file's name, or gives what
// was written, to the last byte.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <bit>
#include <filesystem>
#include <functional>
#include <sstream>

#include "fedstein/federated/message_bytes.h"
#include "fedstein/store/sqlite_journal.h"
#include "support/process.h"
#include "support/temporary_folder.h"
#include "support/throws.h"

namespace fedstein {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr const char* kEndings[] = {"", "-wal", "-head"};

// Everything that a server would believe, in one text.
std::string told_by(const SqliteJournal& journal) {
  const JournalContents contents = journal.load();
  std::ostringstream out;
  out << contents.run << " " << contents.closed_round << " " << contents.last_token << " " << contents.server_state;
  for (const auto& [k, each] : contents.enrolments) {
    out << "\nenrolment " << k << " " << each.rows << " " << each.features << " " << each.statistics;
  }
  for (const auto& [k, token] : contents.attempts) out << "\nattempt " << k << " " << token;
  for (const auto& [k, held] : contents.replies) out << "\nreply " << k << " " << held.token << bytes_of(held.reply);
  for (const auto& [k, upload] : contents.folded) {
    out << "\nfolded " << k << " " << upload.round << " " << upload.token << " "
        << std::bit_cast<std::uint64_t>(upload.weight);
  }
  for (const auto& round : journal.realised()) {
    out << "\nround";
    for (const Index k : round) out << " " << k;
  }
  return out.str();
}

void write_round(Journal& journal, Index round) {
  const Token token = 2 * round - 1;
  journal.open_attempts(round, {{0, token}, {1, token + 1}});
  journal.hold(round, 0, {token, Update{round, 0, {Matrix::Constant(2, 3, 0.5_r)}}});
  journal.hold(round, 1, {0, Failure{round, 1, Failure::Kind::kTimedOut, "late"}});
  journal.close_round({.round = round,
                       .server_state = "state after round " + std::to_string(round),
                       .folded = {{0, {round, token, 0.25}}},
                       .failures = {Failure{round, 1, Failure::Kind::kTimedOut, "late"}}});
}

// Two rounds closed, the third open with one reply.
void write_story(Journal& journal) {
  journal.enrol({.agent = 0, .rows = 10, .features = 3, .statistics = "sums"});
  journal.enrol({.agent = 1, .rows = 20, .features = 3, .statistics = {}});
  write_round(journal, 1);
  journal.record_forgotten(1, 1);
  write_round(journal, 2);
  journal.open_attempts(3, {{0, 5}, {1, 6}});
  journal.hold(3, 1, {6, Update{3, 1, {Matrix::Constant(2, 3, 0.1_r)}}});
}

class JournalDamage : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directory(folder_.path("log"));
    fs::create_directory(folder_.path("whole"));
    SqliteJournal journal(original_, "document");
    write_story(journal);
    truth_ = told_by(journal);
    copy(original_, folder_.path("log/j"));  // as after a kill: most of it is still in the write-ahead log
  }

  static void copy(const std::string& from, const std::string& to) {
    for (const char* ending : kEndings) {
      fs::remove(to + ending);
      if (fs::exists(from + ending)) fs::copy_file(from + ending, to + ending);
    }
  }
  std::string journal_copy(const std::string& path) const {
    copy(path, folder_.path("copy"));
    return folder_.path("copy");
  }
  // What a server would believe of this file; empty: it would refuse.
  std::string opened(const std::string& path) const {
    try {
      return told_by(SqliteJournal(path, "document"));
    } catch (const StoreError& error) {
      EXPECT_THAT(error.what(), HasSubstr(path));
      return {};
    }
  }
  // Every byte near one that is not zero, others here and there.
  static std::vector<std::size_t> places(const std::string& bytes, std::size_t near_stride, std::size_t far_stride) {
    constexpr std::size_t kNear = 4;
    std::vector<std::size_t> out;
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      const std::size_t begin = at < kNear ? 0 : at - kNear;
      const bool near = bytes.substr(begin, 2 * kNear).find_first_not_of('\0') != std::string::npos;
      if (at % (near ? near_stride : far_stride) == 0) out.push_back(at);
    }
    return out;
  }
  struct Count {
    int refused = 0;
    int same = 0;
  };
  // One byte of `ending` changed at each of the places, one after the other.
  Count sweep(const std::string& from, const std::string& ending, const std::vector<std::size_t>& where) {
    const std::string bytes = read_text(from + ending);
    Count count;
    for (const std::size_t at : where) {
      copy(from, folder_.path("damaged"));
      std::string changed = bytes;
      changed[at] = static_cast<char>(changed[at] ^ (1U << (at % 8)));
      folder_.write("damaged" + ending, changed);
      const std::string found = opened(folder_.path("damaged"));
      if (found.empty()) {
        ++count.refused;
      } else {
        EXPECT_EQ(found, truth_) << "byte " << at << " of the file" << ending;
        ++count.same;
      }
    }
    return count;
  }
  // The clean file, changed by SQL as by another program's hand.
  std::string changed_by(const char* sql) const {
    copy(original_, folder_.path("edited"));
    sqlite3* handle = nullptr;
    EXPECT_EQ(sqlite3_open(folder_.path("edited").c_str(), &handle), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(handle, sql, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(handle);
    EXPECT_GT(sqlite3_total_changes(handle), 0) << sql;
    sqlite3_close(handle);
    return opened(folder_.path("edited"));
  }

  TemporaryFolder folder_;
  std::string original_ = folder_.path("whole/j");  // worked into the file by the end of SetUp
  std::string truth_;
};

TEST_F(JournalDamage, NoFlippedByteOfTheFileIsBelieved) {
  const Count count = sweep(original_, "", places(read_text(original_), 1, 61));
  EXPECT_GT(count.refused, 1000);
  std::cout << "file: " << count.refused << " refused, " << count.same << " the same\n";
}

// SQLite drops a log from its first wrong checksum on, without a word: what was committed after it would be gone.
TEST_F(JournalDamage, NoFlippedByteOfTheLogLosesATransaction) {
  const std::string log = folder_.path("log/j");
  const std::string bytes = read_text(log + "-wal");
  const Count count = sweep(log, "-wal", places(bytes, 5, 401));
  EXPECT_GT(count.refused, 1000);
  std::cout << "log: " << count.refused << " refused, " << count.same << " the same\n";
}

TEST_F(JournalDamage, NoFlippedByteOfTheHeadMatters) {
  const std::string log = folder_.path("log/j");
  ASSERT_TRUE(fs::exists(log + "-head"));
  sweep(log, "-head", places(read_text(log + "-head"), 1, 401));
  EXPECT_EQ(opened(log), truth_);
}

TEST_F(JournalDamage, TruncationsAndMissingFilesAreRefused) {
  const std::string log = folder_.path("log/j");
  for (const auto& [from, ending] : {std::pair{original_, ""}, {log, "-wal"}, {log, "-head"}}) {
    const auto size = fs::file_size(from + ending);
    for (const auto left : {std::uintmax_t{0}, std::uintmax_t{1}, size / 2, size - 4096, size - 1}) {
      copy(from, folder_.path("short"));
      fs::resize_file(folder_.path("short") + ending, left);
      const std::string found = opened(folder_.path("short"));
      EXPECT_TRUE(found.empty() || found == truth_) << left << " of " << size << " bytes of the file" << ending;
    }
    copy(from, folder_.path("gone"));
    fs::remove(folder_.path("gone") + ending);
    EXPECT_EQ(opened(folder_.path("gone")), "") << "without the file" << ending;
  }
}

TEST_F(JournalDamage, AnOlderCopyIsNotTakenForTheJournal) {
  const std::string path = folder_.path("j");
  { SqliteJournal(path, "document").enrol({.agent = 0, .rows = 10, .features = 3, .statistics = {}}); }
  fs::copy_file(path, folder_.path("backup"));
  {
    SqliteJournal journal(path, "document");
    write_round(journal, 1);
  }
  fs::copy_file(folder_.path("backup"), path, fs::copy_options::overwrite_existing);
  EXPECT_THROW_MESSAGE(SqliteJournal(path, "document"), StoreError, path + ": is older than what was promised");
}

TEST_F(JournalDamage, ChangesOfAnotherProgramAreRefused) {
  for (const char* sql : {"DELETE FROM reply",
                          "DELETE FROM attempt WHERE agent = 0",
                          "UPDATE attempt SET token = token + 1 WHERE agent = 1",
                          "UPDATE federation SET closed_round = 3",
                          "UPDATE federation SET last_token = 1",
                          "UPDATE federation SET server_state = x'00'",
                          "UPDATE federation SET run = 'other'",
                          "UPDATE enrolment SET rows = 11 WHERE agent = 0",
                          "UPDATE folded SET weight = 0.5",
                          "UPDATE round SET closed = ''",
                          "UPDATE took_part SET folded = 1",
                          "UPDATE took_part SET failure = 'lost' WHERE agent = 1 AND round = 1",
                          "DELETE FROM took_part WHERE round = 1; DELETE FROM round WHERE round = 1",
                          "DELETE FROM forgotten",
                          "UPDATE seal SET sequence = sequence + 1",
                          "DELETE FROM seal"}) {
    EXPECT_EQ(changed_by(sql), "") << sql;
  }
}

// Whoever wants to save what can be saved finds it as the damage left it.
TEST_F(JournalDamage, ARefusedJournalIsLeftAsItWasFound) {
  const std::string path = folder_.path("log/j");
  std::string log = read_text(path + "-wal");
  log[log.size() / 2] = static_cast<char>(log[log.size() / 2] ^ 1);
  folder_.write("log/j-wal", log);
  const std::string file = read_text(path);
  const std::string head = read_text(path + "-head");
  EXPECT_EQ(opened(path), "");
  EXPECT_TRUE(read_text(path) == file);
  EXPECT_TRUE(read_text(path + "-wal") == log);
  EXPECT_TRUE(read_text(path + "-head") == head);
}

// The rows are rolled back, and so is what the seal was told of them.
TEST_F(JournalDamage, AFailedTransactionLeavesTheSealAsItWas) {
  const std::string path = folder_.path("failed");
  {
    SqliteJournal journal(path, "document");
    journal.open_attempts(1, {{0, 1}});
    journal.hold(1, 0, {1, Update{1, 0, {Matrix::Ones(2, 3)}}});
    EXPECT_THROW(journal.hold(1, 0, {2, Update{1, 0, {Matrix::Zero(2, 3)}}}), StoreError);
    EXPECT_EQ(SqliteJournal(journal_copy(path), "document").load().replies.at(0).token, 1);
    journal.enrol({.agent = 0, .rows = 10, .features = 3, .statistics = {}});
  }
  EXPECT_EQ(SqliteJournal(path, "document").load().enrolments.size(), 1U);
}

// A kill between the transaction and its mark in the head; a power cut may lose several marks.
TEST_F(JournalDamage, AHeadThatIsBehindIsBroughtForward) {
  const std::string path = folder_.path("late");
  {
    SqliteJournal journal(path, "document");
    fs::copy_file(path + "-head", folder_.path("head"));
    write_round(journal, 1);
  }
  fs::copy_file(folder_.path("head"), path + "-head", fs::copy_options::overwrite_existing);
  EXPECT_EQ(SqliteJournal(path, "document").load().closed_round, 1);
  fs::remove(path);
  EXPECT_THROW_MESSAGE(SqliteJournal(path, "document"), StoreError, "is older than what was promised");
}

TEST_F(JournalDamage, AJournalOfAnEarlierFormatIsTheEarlierProgramsToFinish) {
  copy(original_, folder_.path("old"));
  sqlite3* handle = nullptr;
  ASSERT_EQ(sqlite3_open(folder_.path("old").c_str(), &handle), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(handle, "PRAGMA user_version = 1", nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(handle);
  fs::remove(folder_.path("old-head"));
  EXPECT_THROW_MESSAGE(SqliteJournal(folder_.path("old"), "document"), StoreError, "begun by an older fedstein");
}

}  // namespace
}  // namespace fedstein
