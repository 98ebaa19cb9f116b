// SPDX-License-Identifier: Apache-2.0
#include "fedstein/files/read_file.h"

#include <sys/stat.h>

#include "fedstein/files/plain_name.h"
#include "support/temporary_folder.h"
#include "support/throws.h"

namespace fedstein {
namespace {

TEST(ReadFile, GivesTheBytesOrASentence) {
  const TemporaryFolder folder;
  const std::string bytes = std::string("a\0b\n", 4) + std::string(200'000, 'x');
  EXPECT_EQ(read_file(folder.write("a", bytes)), bytes);
  const std::string none = folder.path("none");
  EXPECT_THROW_MESSAGE(read_file(none), UnreadableFile, none + ": cannot be read: No such file");
  EXPECT_THROW_MESSAGE(read_file(folder.path(".")), UnreadableFile, ": cannot be read: it is no ordinary file");
  // Opened without a writer, a pipe would be waited for without end.
  const std::string pipe = folder.path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THROW_MESSAGE(read_file(pipe), UnreadableFile, pipe + ": cannot be read: it is no ordinary file");
}

TEST(ReadPrivateFile, RefusesWhatOthersMayRead) {
  const TemporaryFolder folder;
  const std::string path = folder.write("server.key", "secret");
  for (const mode_t mode : {0644U, 0640U, 0604U, 0660U, 0610U, 0602U}) {
    ASSERT_EQ(chmod(path.c_str(), mode), 0);
    EXPECT_THROW_MESSAGE(read_private_file(path), ExposedFile, path + ": the private key has mode 06");
    EXPECT_THROW_MESSAGE(read_private_file(path), ExposedFile, "`chmod 600 " + path + "`");
  }
  for (const mode_t mode : {0600U, 0400U}) {
    ASSERT_EQ(chmod(path.c_str(), mode), 0);
    EXPECT_EQ(read_private_file(path), "secret");
  }
  EXPECT_THROW(read_private_file(folder.path("none")), UnreadableFile);
}

TEST(KeepToOwner, TakesOthersRightsAway) {
  const TemporaryFolder folder;
  const std::string path = folder.write("store", "");
  ASSERT_EQ(chmod(path.c_str(), 0644), 0);
  keep_to_owner(path);
  EXPECT_EQ(std::filesystem::status(path).permissions(), std::filesystem::perms{0600});
  EXPECT_NO_THROW(keep_to_owner(folder.path("none")));
}

TEST(PlainName, IsWhatCertificatesAndFilesBear) {
  for (const char* good : {"a", "agent-0", "hospital_a.north", "9"}) EXPECT_TRUE(is_plain_name(good)) << good;
  for (const char* bad : {"", ".", "-a", "a/b", "a b", "\xc3\xa9"}) EXPECT_FALSE(is_plain_name(bad)) << bad;
  EXPECT_TRUE(is_plain_name(std::string(63, 'a')));
  EXPECT_FALSE(is_plain_name(std::string(64, 'a')));
}

}  // namespace
}  // namespace fedstein
