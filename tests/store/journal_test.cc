// SPDX-License-Identifier: Apache-2.0
// The journal and the agent's folder: what was written is there again, in another process's eyes too.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "fedstein/exchange/memory_journal.h"
#include "fedstein/federated/message_bytes.h"
#include "fedstein/store/agent_folder.h"
#include "fedstein/store/sqlite_journal.h"
#include "support/process.h"
#include "support/temporary_folder.h"
#include "support/throws.h"

namespace fedstein {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

int mode_of(const std::string& path) {
  struct stat facts = {};
  EXPECT_EQ(stat(path.c_str(), &facts), 0) << path;
  return static_cast<int>(facts.st_mode & 0777U);
}

const Reply kUpdate = Update{2, 1, {Matrix::Constant(2, 3, 0.1_r)}};

// The same story for any journal.
void tell(Journal& journal) {
  journal.enrol({.agent = 0, .rows = 10, .features = 3, .statistics = std::string("\0x", 2)});
  journal.enrol({.agent = 1, .rows = 20, .features = 3, .statistics = {}});
  journal.open_attempts(1, {{0, 1}});
  journal.hold(1, 0, {1, Update{1, 0, {Matrix::Ones(2, 3)}}});
  journal.hold(1, 1, {0, Failure{1, 1, Failure::Kind::kTimedOut, "late"}});
  journal.close_round({.round = 1,
                       .server_state = std::string("s\0t", 3),
                       .folded = {{0, {1, 1, 0.5}}},
                       .failures = {Failure{1, 1, Failure::Kind::kTimedOut, "late"}}});
  journal.record_forgotten(0, 1);
  journal.open_attempts(2, {{0, 2}, {1, 3}});
  journal.hold(2, 1, {3, kUpdate});
}

TEST(SqliteJournalTest, KeepsWhatTheMemoryJournalKeeps) {
  const TemporaryFolder folder;
  MemoryJournal memory("run");
  tell(memory);
  {
    SqliteJournal journal(folder.path("j"), "document");
    tell(journal);
  }
  SqliteJournal again(folder.path("j"), "document");
  const JournalContents found = again.load();
  const JournalContents wanted = memory.load();
  EXPECT_EQ(found.run.size(), 32U);
  EXPECT_EQ(found.closed_round, wanted.closed_round);
  EXPECT_EQ(found.server_state, wanted.server_state);
  EXPECT_EQ(found.last_token, wanted.last_token);
  EXPECT_EQ(found.attempts, wanted.attempts);
  ASSERT_EQ(found.replies.size(), 1U);
  EXPECT_EQ(found.replies.at(1).token, 3);
  EXPECT_EQ(bytes_of(found.replies.at(1).reply), bytes_of(kUpdate));
  EXPECT_EQ(found.folded.at(0).token, 1);
  EXPECT_EQ(found.folded.at(0).weight, 0.5);
  EXPECT_EQ(found.enrolments.at(0).statistics, wanted.enrolments.at(0).statistics);
  EXPECT_EQ(found.enrolments.at(1).rows, 20);
  EXPECT_THAT(again.realised(), ElementsAre(ElementsAre(0)));
}

TEST(SqliteJournalTest, IsPrivateAndForOneProcessAndOneConfiguration) {
  const TemporaryFolder folder;
  {
    const SqliteJournal journal(folder.path("j"), "document");
    EXPECT_EQ(mode_of(folder.path("j")), 0600);
    EXPECT_THROW_MESSAGE(SqliteJournal(folder.path("j"), "document"), StoreError, "another process");
  }
  EXPECT_THROW_MESSAGE(SqliteJournal(folder.path("j"), "other"), StoreError, "another configuration");
  folder.write("junk",
               "this is not a database, whatever its name may say, and long enough to be read as one..........");
  EXPECT_THROW(SqliteJournal(folder.path("junk"), "document"), StoreError);
}

TEST(AgentFolderTest, ReplacesAsAWholeAndIsPrivate) {
  const TemporaryFolder folder;
  const std::string path = folder.path("agent");
  {
    AgentFolder disk(path);
    EXPECT_FALSE(disk.read());
    disk.replace(std::string("one\0two", 7));
    disk.replace("three");
    EXPECT_EQ(mode_of(path), 0700);
    EXPECT_EQ(mode_of(path + "/agent.state"), 0600);
    EXPECT_THROW_MESSAGE(AgentFolder{path}, StoreError, "another agent");
  }
  AgentFolder again(path);
  EXPECT_EQ(again.read(), "three");
  const std::string first = again.set_aside();
  EXPECT_FALSE(again.read());
  EXPECT_EQ(again.set_aside(), "");
  again.replace("four");
  const std::string second = again.set_aside();  // within the same second, most likely
  EXPECT_EQ(read_text(first), "three");
  EXPECT_EQ(read_text(second), "four");
  EXPECT_EQ(first.rfind(path + "/agent.state.old-", 0), 0U) << first;
}

}  // namespace
}  // namespace fedstein
