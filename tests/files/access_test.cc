// SPDX-License-Identifier: Apache-2.0
#include "fedstein/files/access.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fedstein/files/missing_input.h"
#include "support/temporary_folder.h"
#include "support/throws.h"

namespace fedstein {
namespace {

TEST(Access, SaysWhyAFileCannotBeRead) {
  const TemporaryFolder folder;
  folder.write("patients.csv", "a\n");
  EXPECT_EQ(unreadable_because(folder.path("patients.csv")), "");
  EXPECT_EQ(unreadable_because(folder.path(".")), "it is a folder");
  EXPECT_EQ(unreadable_because(folder.path("other.csv")), "there is no such file");
  EXPECT_EQ(unreadable_because(folder.path("patient.csv")),
            "there is no such file; did you mean '" + folder.path("patients.csv") + "'?");
  EXPECT_EQ(unreadable_because(folder.path("patients.csv/x")), "there is no such file");
}

TEST(Access, SaysWhichFileWasMeant) {
  const TemporaryFolder folder;
  folder.write("experiment.toml", "");
  EXPECT_THROW_MESSAGE(require_file(folder.path("experment.toml")), MissingInput, "experiment.toml'?");
  EXPECT_EQ(file_like(folder.path("something.else")), "");
  EXPECT_EQ(file_like(folder.path("nowhere/experiment.toml")), "");
  folder.write("evil\x1b[2J.toml", "");
  EXPECT_EQ(file_like(folder.path("evil[2J.toml")), "") << "names that move the cursor are not shown";
}

TEST(Access, SaysWhyNothingCanBeWritten) {
  const TemporaryFolder folder;
  folder.write("file", "");
  EXPECT_EQ(unwritable_because(folder.path(".")), "");
  EXPECT_EQ(unwritable_because(folder.path("a/b/c")), "");
  EXPECT_FALSE(std::filesystem::exists(folder.path("a"))) << "it makes nothing";
  EXPECT_NE(unwritable_because(folder.path("file")).find("file' is no folder"), std::string::npos);
  EXPECT_NE(unwritable_because(folder.path("file/a")).find("file' is no folder"), std::string::npos);
}

// The administrator may do everything, so that there is nothing to refuse.
TEST(Access, SaysWhoseFolderItIs) {
  if (geteuid() == 0) {
    EXPECT_EQ(unwritable_because("/"), "");
    return;
  }
  EXPECT_NE(unwritable_because("/").find("nothing can be written in '/': "), std::string::npos);
}

}  // namespace
}  // namespace fedstein
