// SPDX-License-Identifier: Apache-2.0
#include "fedstein/live/viewer_trust.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "fedstein/base/error.h"
#include "support/temporary_folder.h"

namespace fedstein {
namespace {

namespace fs = std::filesystem;

std::string token_file(TemporaryFolder& folder, const std::string& text, fs::perms mode = fs::perms::owner_read) {
  fs::remove(folder.path("token"));
  folder.write("token", text);
  fs::permissions(folder.path("token"), mode);
  return folder.path("token");
}

TEST(ViewerToken, KnowsItsOwnWordAndCookieAndNoOther) {
  TemporaryFolder folder;
  const ViewerToken token = ViewerToken::from_file(token_file(folder, "0123456789abcdef0123456789\n"));
  EXPECT_TRUE(token.needed());
  EXPECT_TRUE(token.is("0123456789abcdef0123456789"));
  for (const char* wrong :
       {"", "0123456789abcdef012345678", "0123456789abcdef01234567890", "0123456789abcdef0123456789\n"}) {
    EXPECT_FALSE(token.is(wrong)) << wrong;
  }
  const std::string cookie = std::string(kViewerCookie) + "=" + token.cookie();
  EXPECT_TRUE(token.in_cookies(cookie));
  EXPECT_TRUE(token.in_cookies("other=1; " + cookie + "; more=2"));
  for (const std::string& wrong : {std::string(),
                                   std::string(";;; ="),
                                   std::string(kViewerCookie) + "=",
                                   "x" + cookie,
                                   cookie + "0",
                                   std::string(kViewerCookie) + "=0123456789abcdef0123456789"}) {
    EXPECT_FALSE(token.in_cookies(wrong)) << wrong;
  }
  // The same after a restart: open pages go on without the token being typed again.
  EXPECT_EQ(ViewerToken::from_file(folder.path("token")).cookie(), token.cookie());
}

TEST(ViewerToken, WhereNoneIsNeededNothingIsOne) {
  const ViewerToken none;
  EXPECT_FALSE(none.needed());
  EXPECT_FALSE(none.is(""));
  EXPECT_FALSE(none.in_cookies(std::string(kViewerCookie) + "="));
}

TEST(ViewerToken, AFileThatOthersCanReadOrAWordThatCanBeGuessedIsRefused) {
  TemporaryFolder folder;
  const fs::perms others = fs::perms::owner_read | fs::perms::others_read;
  EXPECT_THROW(ViewerToken::from_file(token_file(folder, "0123456789abcdef0123456789", others)), Error);
  for (const std::string& wrong : {std::string(),
                                   std::string("secret"),
                                   std::string("two words that are long enough"),
                                   std::string(5000, 'a'),
                                   std::string("0123456789abcdef\n0123456789")}) {
    EXPECT_THROW(ViewerToken::from_file(token_file(folder, wrong)), Error) << wrong;
  }
  EXPECT_THROW(ViewerToken::from_file(folder.path("absent")), Error);
}

TEST(OwnHost, IsAnAddressOrLocalhostAndNoName) {
  for (const char* own :
       {"127.0.0.1", "127.0.0.1:7411", "localhost", "localhost:80", "[::1]", "[::1]:7411", "10.0.0.4:80"}) {
    EXPECT_TRUE(is_own_host(own)) << own;
  }
  for (const char* foreign : {"",
                              "evil.example",
                              "evil.example:7411",
                              "127.0.0.1.evil.example",
                              "localhost.evil.example",
                              "127.0.0.1evil",
                              "[evil]",
                              "a.b.c.d",
                              "[::1",
                              "localhost@evil"}) {
    EXPECT_FALSE(is_own_host(foreign)) << foreign;
  }
}

TEST(ForeignRequest, IsOneOfAnotherSitesPage) {
  EXPECT_FALSE(is_foreign("", "", "127.0.0.1:1"));
  EXPECT_FALSE(is_foreign("http://127.0.0.1:1", "same-origin", "127.0.0.1:1"));
  EXPECT_FALSE(is_foreign("", "none", "127.0.0.1:1"));
  EXPECT_TRUE(is_foreign("https://evil.example", "", "127.0.0.1:1"));
  EXPECT_TRUE(is_foreign("http://127.0.0.1:2", "", "127.0.0.1:1"));
  EXPECT_TRUE(is_foreign("null", "", "127.0.0.1:1"));
  EXPECT_TRUE(is_foreign("", "cross-site", "127.0.0.1:1"));
  EXPECT_TRUE(is_foreign("", "same-site", "127.0.0.1:1"));
}

}  // namespace
}  // namespace fedstein
