// SPDX-License-Identifier: Apache-2.0
#include "fedstein/files/whole_file.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "fedstein/files/read_file.h"
#include "support/temporary_folder.h"
#include "support/throws.h"

namespace fedstein {
namespace {

namespace fs = std::filesystem;

// Files in the folder, hidden and unfinished ones too.
std::ptrdiff_t count_in(const std::string& folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

TEST(WholeFile, AppearsOnlyWhenCommitted) {
  const TemporaryFolder folder;
  const std::string path = folder.path("a/b.txt");
  {
    WholeFile file(path);
    file.write("half");
    EXPECT_FALSE(fs::exists(path));
    EXPECT_EQ(read_file(file.unfinished_path()), "half");
  }
  EXPECT_TRUE(fs::is_empty(folder.path("a")));
  {
    WholeFile file(path);
    file.write("who");
    file.write("le");
    file.commit();
  }
  EXPECT_EQ(read_file(path), "whole");
  EXPECT_EQ(count_in(folder.path("a")), 1);
  EXPECT_EQ(fs::status(path).permissions(), fs::perms{0644});
  EXPECT_THROW_MESSAGE(WholeFile(path + "/c"), WriteError, "cannot be made");
}

TEST(WholeFile, HasItsModeFromTheStart) {
  const TemporaryFolder folder;
  WholeFile file(folder.path("key"), {.mode = FileMode::kPrivate});
  EXPECT_EQ(fs::status(file.unfinished_path()).permissions(), fs::perms{0600});
  file.commit();
  EXPECT_EQ(fs::status(folder.path("key")).permissions(), fs::perms{0600});
  const mode_t before = umask(077);
  write_whole_file(folder.path("ordinary"), "");
  umask(before);
  EXPECT_EQ(fs::status(folder.path("ordinary")).permissions(), fs::perms{0600});
}

TEST(WholeFile, ReplacesWhatItMayAndNothingElse) {
  const TemporaryFolder folder;
  const std::string path = folder.write("file", "MARK of ours");
  const FileMark mark{"MARK", 4};
  EXPECT_THROW_MESSAGE(write_whole_file(path, "new"), AlreadyThere, path + ": is there already; move it away");
  EXPECT_THROW_MESSAGE(
      write_whole_file(path, "new", {.way_out = "--force replaces it"}), AlreadyThere, "; --force replaces it");
  EXPECT_EQ(read_file(path), "MARK of ours");
  write_whole_file(path, "no MARK at the front", {.replacing = Replacing::kOurs, .ours = mark});
  EXPECT_THROW_MESSAGE(write_whole_file(path, "new", {.replacing = Replacing::kOurs, .ours = mark}),
                       AlreadyThere,
                       path + ": is there already and is not of the kind that would be written");
  write_whole_file(path, "", {.replacing = Replacing::kOurs, .ours = {"MARK", 100}});
  EXPECT_THROW(write_whole_file(path, "", {.replacing = Replacing::kOurs, .ours = mark}), AlreadyThere);  // empty
  write_whole_file(path, "new", {.replacing = Replacing::kAnything});
  EXPECT_EQ(read_file(path), "new");
  EXPECT_EQ(count_in(folder.path(".")), 1);
}

// A mark across two reads of the file.
TEST(WholeFile, FindsItsMarkAnywhereWithinTheBytes) {
  const TemporaryFolder folder;
  const std::string path = folder.write("page", std::string((1 << 16) - 2, ' ') + "MARK");
  const auto with = [&](std::size_t within) {
    return WriteOptions{.replacing = Replacing::kOurs, .ours = {"MARK", within}};
  };
  EXPECT_THROW(check_output(path, with(1 << 16)), AlreadyThere);
  EXPECT_NO_THROW(check_output(path, with(1 << 20)));
}

TEST(WholeFile, LooksAgainBeforeItReplaces) {
  const TemporaryFolder folder;
  const std::string path = folder.path("file");
  for (const Replacing replacing : {Replacing::kNothing, Replacing::kOurs}) {
    fs::remove(path);
    WholeFile file(path, {.replacing = replacing, .ours = {"MARK", 4}});
    file.write("MARK");
    folder.write("file", "came meanwhile");
    EXPECT_THROW(file.commit(), AlreadyThere);
    EXPECT_EQ(read_file(path), "came meanwhile");
  }
  WholeFile file(folder.path("taken"), {.replacing = Replacing::kAnything});
  fs::create_directory(folder.path("taken"));
  EXPECT_THROW_MESSAGE(file.commit(), WriteError, "no ordinary file");
}

TEST(WholeFile, NeverWritesThroughLinksNorOverDevices) {
  const TemporaryFolder folder;
  const WriteOptions anything{.replacing = Replacing::kAnything};
  EXPECT_THROW_MESSAGE(WholeFile("/dev/null", anything), WriteError, "no ordinary file");
  EXPECT_THROW_MESSAGE(WholeFile(folder.path("."), anything), WriteError, "no ordinary file");
  const std::string target = folder.write("target", "old");
  const std::string link = folder.path("link");
  fs::create_symlink(target, link);
  EXPECT_THROW_MESSAGE(WholeFile(link, anything), AlreadyThere, link + ": is a symbolic link");
  // One that is put there meanwhile.
  WholeFile file(folder.path("later"), anything);
  file.write("new");
  fs::create_symlink(target, folder.path("later"));
  EXPECT_THROW(file.commit(), AlreadyThere);
  // One in the place of the unfinished file, whose name can be foreseen.
  fs::create_symlink(target, folder.path("state-new"));
  write_whole_file(folder.path("state"), "new", {.alone = true});
  EXPECT_EQ(read_file(folder.path("state")), "new");
  EXPECT_EQ(read_file(target), "old");
}

TEST(WholeFile, IsNeverItsOwnInput) {
  const TemporaryFolder folder;
  const std::string input = folder.write("rows.csv", "rows");
  fs::create_hard_link(input, folder.path("same.csv"));
  fs::create_symlink(input, folder.path("link.csv"));
  const WriteOptions options{.replacing = Replacing::kAnything,
                             .inputs = {folder.path("none"), folder.path("link.csv")}};
  EXPECT_THROW_MESSAGE(WholeFile(input, options), AlreadyThere, input + ": is the input ");
  EXPECT_THROW(WholeFile(folder.path("same.csv"), options), AlreadyThere);
  EXPECT_NO_THROW(WholeFile(folder.path("other.csv"), options));
}

TEST(WholeFile, LeavesOneUnfinishedFileHoweverOftenItIsKilled) {
  const TemporaryFolder folder;
  for (int i = 0; i < 5; ++i) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      WholeFile file(folder.path("state"), {.replacing = Replacing::kAnything, .alone = true});
      file.write("half");
      raise(SIGKILL);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));
  }
  EXPECT_EQ(count_in(folder.path(".")), 1);
  write_whole_file(folder.path("state"), "whole", {.replacing = Replacing::kAnything, .alone = true});
  EXPECT_EQ(count_in(folder.path(".")), 1);
}

// A disk that takes only part of the bytes: a short write first, an error then; nothing of it remains.
TEST(WholeFile, APartialWriteIsGoneOnWithAndAFailureLeavesTheOldFile) {
  const TemporaryFolder folder;
  const std::string path = folder.write("file", "old");
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit little{1000, 1000};
    setrlimit(RLIMIT_FSIZE, &little);
    try {
      write_whole_file(path, std::string(5000, 'x'), {.replacing = Replacing::kAnything});
    } catch (const WriteError& error) {
      _exit(std::string(error.what()).find("File too large") == std::string::npos ? 2 : 0);
    }
    _exit(1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(read_file(path), "old");
  EXPECT_EQ(count_in(folder.path(".")), 1);
}

}  // namespace
}  // namespace fedstein
