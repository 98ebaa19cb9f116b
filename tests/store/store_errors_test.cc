// SPDX-License-Identifier: Apache-2.0
// Whatever lies where a store should be, one sentence says what it is.
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "store/stored_rounds.h"
#include "support/temporary_folder.h"
#include "support/throws.h"

namespace fedstein {
namespace {

namespace fs = std::filesystem;
using Mode = RunStore::Mode;

class StoreFile : public testing::Test {
 protected:
  // A closed store with one job and twenty rounds.
  void write_store() {
    RunStore store(path_, Mode::kWrite);
    job_ = store.jobs(store.begin(facts_named("a"), jobs_for_trials(1)))[0].id;
    for (Index round = 1; round <= 20; ++round) store.write_round(job_, record_of(job_, round));
    store.write_particles(job_, 20, Particles::Random(100, 100));
  }
  void execute(const std::string& text) const {
    sqlite3* handle = nullptr;
    ASSERT_EQ(sqlite3_open(path_.c_str(), &handle), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(handle, text.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(handle);
    sqlite3_close(handle);
  }
  void expect_refused(const std::string& part) const {
    EXPECT_THROW_MESSAGE(RunStore(path_, Mode::kRead), StoreError, part);
    EXPECT_THROW_MESSAGE(RunStore(path_, Mode::kWrite), StoreError, part);
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.path("runs.db");
  JobId job_ = 0;
};

TEST_F(StoreFile, Missing) {
  EXPECT_THROW_MESSAGE(RunStore(path_, Mode::kRead), StoreError, "runs.db: no such file");
  EXPECT_THROW_MESSAGE(RunStore(folder_.path("no/runs.db"), Mode::kWrite), StoreError, "there is no folder");
  EXPECT_FALSE(fs::exists(path_)) << "a reader must not make files";
}

TEST_F(StoreFile, EmptyFolderOrOther) {
  folder_.write("runs.db", "");
  expect_refused("is empty");
  folder_.write("runs.db", "accuracy,round\n0.9,1\n" + std::string(5000, '#'));
  expect_refused("is not a run store: it is no SQLite file");
  folder_.write("runs.db", "x");
  expect_refused("is not a run store");
  fs::remove(path_);
  fs::create_directory(path_);
  expect_refused("is a folder");
  fs::remove(path_);
  fs::create_symlink("/dev/null", path_);
  expect_refused("is no regular file");
}

TEST_F(StoreFile, OfAnotherProgram) {
  execute("CREATE TABLE bookmarks (url TEXT)");
  expect_refused("an SQLite file of another program");
}

TEST_F(StoreFile, OfANewerOrUnknownFormat) {
  write_store();
  execute("PRAGMA user_version = 2");
  expect_refused("format 2; this fedstein reads format 1: use the newer fedstein");
  execute("PRAGMA user_version = 0");
  expect_refused("format 0");
}

TEST_F(StoreFile, WithoutATable) {
  write_store();
  execute("DROP TABLE checkpoint");
  expect_refused("no such table: checkpoint");
}

// As an older fedstein left it: readable, and with details as soon as it is written to again.
TEST_F(StoreFile, OfATimeBeforeDetails) {
  write_store();
  execute("DROP TABLE detail");
  EXPECT_TRUE(RunStore(path_, Mode::kRead).details(job_).empty());
  RunStore store(path_, Mode::kWrite);
  store.write_detail(job_, "rows", "{}");
  store.flush();
  EXPECT_EQ(store.details(job_).size(), 1U);
}

TEST_F(StoreFile, CutShort) {
  write_store();
  const std::uintmax_t size = fs::file_size(path_);
  fs::resize_file(path_, size / 2);
  expect_refused("is damaged");
  fs::resize_file(path_, 40);
  expect_refused("is not a run store");
}

// Any byte may be wrong: what is read is right, or there is one sentence. No crash, no endless loop.
TEST_F(StoreFile, WithAnyPageOverwritten) {
  write_store();
  std::ostringstream text;
  text << std::ifstream(path_, std::ios::binary).rdbuf();
  const std::string good = text.str();
  int refused = 0;
  for (std::size_t at = 0; at < good.size(); at += 1024) {
    std::string bad = good;
    for (std::size_t i = at; i < std::min(at + 512, bad.size()); ++i) bad[i] = static_cast<char>(bad[i] ^ 0x5a);
    folder_.write("runs.db", bad);
    try {
      const RunStore store(path_, Mode::kRead);
      for (const StoredRun& run : store.runs()) {
        for (const StoredJob& job : store.jobs(run.id)) static_cast<void>(store.rounds(job.id));
      }
      store.check();
    } catch (const StoreError&) {
      ++refused;
    }
  }
  EXPECT_GE(refused, 10);
}

TEST_F(StoreFile, DamagedListsAreRefused) {
  write_store();
  execute("UPDATE round SET failures = '[{\"agent\":1}]' WHERE round = 3");
  EXPECT_THROW_MESSAGE(RunStore(path_, Mode::kRead).rounds(job_), StoreError, "cannot be read");
  execute("UPDATE round SET failures = '[{\"round\":1,\"agent\":1,\"kind\":\"x\",\"reason\":\"\"}]' WHERE round = 3");
  EXPECT_THROW_MESSAGE(RunStore(path_, Mode::kRead).rounds(job_), StoreError, "kind is 'x'");
}

TEST_F(StoreFile, UnknownRunsJobsAndWritesToAReader) {
  write_store();
  RunStore reader(path_, Mode::kRead);
  EXPECT_THROW_MESSAGE(reader.jobs(9), StoreError, "there is no run 9");
  EXPECT_THROW_MESSAGE(reader.rounds(9), StoreError, "there is no job 9");
  EXPECT_THROW_MESSAGE(reader.write_round(job_, record_of(job_, 1)), StoreError, "was opened for reading");
  EXPECT_THROW_MESSAGE(reader.begin({}, {}), StoreError, "was opened for reading");
  RunStore writer(path_, Mode::kWrite);
  EXPECT_THROW_MESSAGE(writer.write_round(9, record_of(9, 1)), StoreError, "there is no job 9");
  EXPECT_THROW_MESSAGE(writer.checkpoint(9, 1, ""), StoreError, "there is no job 9");
  EXPECT_THROW_MESSAGE(writer.finish_run(9), StoreError, "there is no run 9");
  EXPECT_THROW_MESSAGE(writer.begin(facts_named("b"), {{.trial = 1}, {.trial = 1}}), StoreError, "UNIQUE");
  EXPECT_EQ(writer.runs().size(), 1U) << "half a run was begun";
}

// As another user would: root may read and write everything, so a child that is root becomes nobody first.
template <typename Body>
int as_nobody(Body body) {
  const pid_t child = fork();
  if (child == 0) {
    constexpr uid_t kNobody = 65534;
    if (geteuid() == 0 && seteuid(kNobody) != 0) _exit(2);
    try {
      body();
    } catch (const StoreError& error) {
      std::cerr << "as nobody: " << error.what() << '\n';
      _exit(std::string(error.what()).find("cannot be read") != std::string::npos ? 1 : 3);
    }
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F(StoreFile, UnreadableAndOnAReadOnlyMedium) {
  write_store();
  fs::permissions(path_, fs::perms::none);
  fs::permissions(folder_.path(""), fs::perms{0755});
  EXPECT_EQ(as_nobody([&] { RunStore(path_, Mode::kRead); }), 1);
  // Now readable, in a folder where SQLite cannot put its side files.
  fs::permissions(path_, fs::perms{0444});
  fs::permissions(folder_.path(""), fs::perms{0555});
  EXPECT_EQ(as_nobody([&] {
              if (RunStore(path_, Mode::kRead).rounds(job_).size() != 20) throw StoreError("rounds are missing");
            }),
            0);
  fs::permissions(folder_.path(""), fs::perms::owner_all);
}

}  // namespace
}  // namespace fedstein
