// SPDX-License-Identifier: Apache-2.0
#include "fedstein/store/run_lock.h"

#include <filesystem>

#include "store/child_process.h"
#include "support/temporary_folder.h"
#include "support/throws.h"

namespace fedstein {
namespace {

TEST(RunLock, OneHolderPerRun) {
  const TemporaryFolder folder;
  const std::string path = folder.path("runs.db");
  {
    const RunLock first(path, 1);
    const RunLock other_run(path, 2);
    EXPECT_TRUE(RunLock::is_held(path, 1));
    EXPECT_THROW_MESSAGE(RunLock(path, 1), StoreError, "run 1 is being written by another process");
  }
  EXPECT_FALSE(RunLock::is_held(path, 1));
  const RunLock again(path, 1);
}

TEST(RunLock, TheSameStoreByAnotherName) {
  const TemporaryFolder folder;
  folder.write("runs.db", "");
  std::filesystem::create_symlink(folder.path("runs.db"), folder.path("latest.db"));
  const RunLock lock(folder.path("runs.db"), 1);
  EXPECT_THROW_MESSAGE(RunLock(folder.path("latest.db"), 1), StoreError, "is being written");
}

TEST(RunLock, NeedsAFolderToBeIn) {
  const TemporaryFolder folder;
  EXPECT_THROW_MESSAGE(RunLock(folder.path("no/runs.db"), 1), StoreError, "cannot be opened");
}

TEST(RunLock, ExcludesProcessesAndDiesWithThem) {
  const TemporaryFolder folder;
  const std::string path = folder.path("runs.db");
  ChildProcess child([&](const ChildProcess::Tell& tell) {
    const RunLock lock(path, 1);
    tell(1);
    pause();
  });
  ASSERT_EQ(child.hear(), 1);
  EXPECT_TRUE(RunLock::is_held(path, 1));
  EXPECT_THROW_MESSAGE(RunLock(path, 1), StoreError, "is being written");
  child.kill_now();
  child.wait();
  const RunLock lock(path, 1);
  EXPECT_TRUE(RunLock::is_held(path, 1));
}

}  // namespace
}  // namespace fedstein
