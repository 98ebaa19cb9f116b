// SPDX-License-Identifier: Apache-2.0
// A revocation list whose file is half written, foreign, gone or put back, and clocks that are wrong for a while.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "fedstein/files/read_file.h"
#include "fedstein/files/whole_file.h"
#include "fedstein/trust/authority.h"
#include "fedstein/trust/revocation.h"
#include "support/temporary_folder.h"
#include "support/throws.h"

namespace fedstein {
namespace {

using Kind = Objection::Kind;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Revocation : public testing::Test {
 protected:
  void SetUp() override {
    Authority::create(ca_, "test-ca", 30);
    a_ = facts_of(Authority(ca_).issue({.name = "a"}).certificate);
    b_ = facts_of(Authority(ca_).issue({.name = "b"}).certificate);
  }
  RevocationOptions options() {
    return {.list_path = file_,
            .authority_pem = Authority(ca_).certificate(),
            .now = [this] { return now_; },
            .on_trouble = [this](const std::string& trouble) { told_.push_back(trouble); }};
  }
  // As `cp` does it: the same file, emptied and written.
  void overwrite(const std::string& bytes) const { std::ofstream(file_, std::ios::binary) << bytes; }

  TemporaryFolder folder_;
  std::string ca_ = folder_.path("ca");
  std::string file_ = ca_ + "/ca.crl";
  std::int64_t now_ = std::time(nullptr);
  CertificateFacts a_;
  CertificateFacts b_;
  std::vector<std::string> told_;
};

TEST_F(Revocation, AFileThatCannotBeUsedLeavesTheLastGoodListInForceAndIsToldOnce) {
  Authority(ca_).revoke("b");
  const std::string good = read_file(file_);
  Authority::create(folder_.path("other"), "test-ca", 30);
  const RevocationList list(options());
  for (const std::string& bad :
       {std::string(), good.substr(0, good.size() / 2), read_file(folder_.path("other") + "/ca.crl")}) {
    told_.clear();
    overwrite(bad);
    for (int call = 0; call < 3; ++call) {
      EXPECT_EQ(list.objection(a_).kind, Kind::kNone) << bad;
      EXPECT_EQ(list.objection(b_).kind, Kind::kFinal) << bad;
    }
    EXPECT_THAT(told_, ElementsAre(AllOf(HasSubstr(file_), HasSubstr("the last good revocation list stays in force"))));
    EXPECT_EQ(list.trouble(), told_.back());
    overwrite(good);
    EXPECT_EQ(list.objection(a_).kind, Kind::kNone);
    EXPECT_THAT(told_, ElementsAre(HasSubstr(file_), IsEmpty()));
    EXPECT_THAT(list.trouble(), IsEmpty());
  }
  std::filesystem::remove(file_);
  EXPECT_EQ(list.objection(a_).kind, Kind::kNone);
  EXPECT_EQ(list.objection(b_).kind, Kind::kFinal);
  EXPECT_THAT(list.trouble(), HasSubstr("cannot be read"));
}

TEST_F(Revocation, WithoutAGoodListNobodyStarts) {
  overwrite("");
  EXPECT_THROW_MESSAGE(RevocationList(options()), TrustError, file_ + ": not a revocation list");
  std::filesystem::remove(file_);
  EXPECT_THROW_MESSAGE(RevocationList(options()), UnreadableFile, file_);
}

TEST_F(Revocation, AnEarlierListDoesNotLetARevokedOneInAgain) {
  const std::string earlier = read_file(file_);
  const RevocationList list(options());
  Authority(ca_).revoke("a");
  EXPECT_EQ(list.objection(a_).kind, Kind::kFinal);
  overwrite(earlier);
  EXPECT_EQ(list.objection(a_).kind, Kind::kFinal);
  EXPECT_THAT(list.trouble(), HasSubstr("older than the one in force: its number is 1, not above 2"));
  write_whole_file(file_, earlier, {.replacing = Replacing::kAnything});  // by a rename as well
  EXPECT_EQ(list.objection(a_).kind, Kind::kFinal);
}

// Lists of another program's making may have no number.
TEST(RevocationFactsTest, TheOrderOfListsIsByNumberElseByTimeElseByWhatTheySay) {
  const RevocationFacts current{.serials = {"A"}, .number = 5, .this_update = 100, .next_update = 0};
  EXPECT_THAT(rollback(current, {.serials = {}, .number = 6, .this_update = 50, .next_update = 0}), IsEmpty());
  EXPECT_THAT(rollback(current, {.serials = {"A"}, .number = 4, .this_update = 200, .next_update = 0}),
              HasSubstr("number is 4"));
  EXPECT_THAT(rollback(current, {.serials = {"A"}, .number = -1, .this_update = 200, .next_update = 0}),
              HasSubstr("has no number"));
  EXPECT_THAT(rollback(current, {.serials = {}, .number = 5, .this_update = 200, .next_update = 0}),
              HasSubstr("lacks certificates"));
  EXPECT_THAT(rollback(current, current), IsEmpty());
  const RevocationFacts plain{.serials = {"A"}, .number = -1, .this_update = 100, .next_update = 0};
  EXPECT_THAT(rollback(plain, {.serials = {"A"}, .number = -1, .this_update = 99, .next_update = 0}),
              HasSubstr("was issued at"));
  EXPECT_THAT(rollback(plain, {.serials = {}, .number = -1, .this_update = 100, .next_update = 0}),
              HasSubstr("lacks certificates"));
  EXPECT_THAT(rollback(plain, {.serials = {}, .number = -1, .this_update = 101, .next_update = 0}), IsEmpty());
  EXPECT_THAT(rollback(plain, {.serials = {"A", "B"}, .number = 1, .this_update = 100, .next_update = 0}), IsEmpty());
}

TEST_F(Revocation, AWrongClockPassesAndARevocationDoesNot) {
  const RevocationList list(options());
  const std::int64_t right = now_;
  now_ = a_.not_after + 1;
  EXPECT_EQ(list.objection(a_).kind, Kind::kPassing);
  EXPECT_THAT(list.objection(a_).reason, AllOf(HasSubstr("has expired"), HasSubstr("by the server's clock")));
  now_ = a_.not_before - 1;
  EXPECT_EQ(list.objection(a_).kind, Kind::kPassing);
  EXPECT_THAT(list.objection(a_).reason, HasSubstr("is not yet valid"));
  Authority(ca_).revoke("a");
  EXPECT_EQ(list.objection(a_).kind, Kind::kFinal);
  now_ = right;
  EXPECT_EQ(list.objection(a_).kind, Kind::kFinal);
  EXPECT_EQ(list.objection(b_).kind, Kind::kNone);
}

// Ours have no nextUpdate; one that the openssl program has made does.
TEST_F(Revocation, AListPastItsTimeStaysInForceAndSaysSo) {
  folder_.write("index.txt", "");
  folder_.write("number", "0A\n");
  const std::string configuration =
      folder_.write("ca.cnf",
                    "[ca]\ndefault_ca = ours\n[ours]\ndatabase = " + folder_.path("index.txt") +
                        "\ncrlnumber = " + folder_.path("number") + "\ndefault_md = sha256\n");
  const std::string command = "openssl ca -gencrl -crldays 1 -config " + configuration + " -keyfile " + ca_ +
                              "/ca.key -cert " + ca_ + "/ca.crt -out " + file_ + " > " + folder_.path("out") + " 2>&1";
  ASSERT_EQ(std::system(command.c_str()), 0) << read_file(folder_.path("out"));
  const RevocationList list(options());
  EXPECT_EQ(list.objection(a_).kind, Kind::kNone);
  EXPECT_THAT(told_, IsEmpty());
  now_ += 2 * 24 * 60 * 60;
  EXPECT_EQ(list.objection(a_).kind, Kind::kNone);
  EXPECT_THAT(told_, ElementsAre(HasSubstr("should have been replaced by")));
  EXPECT_EQ(Authority(ca_).revoke("a"), 1);  // goes on counting from that list's number
  EXPECT_EQ(list.objection(a_).kind, Kind::kFinal);
  EXPECT_THAT(list.trouble(), IsEmpty());
}

}  // namespace
}  // namespace fedstein
