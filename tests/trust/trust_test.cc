// SPDX-License-Identifier: Apache-2.0
// The authority and its list, judged by the openssl program as well.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>

#include "fedstein/files/read_file.h"
#include "fedstein/files/whole_file.h"
#include "fedstein/trust/authority.h"
#include "fedstein/trust/identity.h"
#include "fedstein/trust/revocation.h"
#include "fedstein/trust/server_examination.h"
#include "support/free_port.h"
#include "support/temporary_folder.h"
#include "support/throws.h"

namespace fedstein {
namespace {

using Kind = Objection::Kind;
using testing::HasSubstr;

class Trust : public testing::Test {
 protected:
  void SetUp() override { Authority::create(ca_, "test-ca", 30); }

  bool openssl(const std::string& arguments) const {
    return std::system(("openssl " + arguments + " > " + folder_.path("out") + " 2>&1").c_str()) == 0;
  }
  std::string verify(const KeyPair& pair, const std::string& purpose) const {
    folder_.write("c.crt", pair.certificate);
    openssl("verify -crl_check -CAfile " + ca_ + "/ca.crt -CRLfile " + ca_ + "/ca.crl -purpose " + purpose + " " +
            folder_.path("c.crt"));
    return read_file(folder_.path("out"));
  }

  TemporaryFolder folder_;
  std::string ca_ = folder_.path("ca");
};

TEST_F(Trust, IssuesWhatOpensslAccepts) {
  const Authority authority(ca_);
  const KeyPair agent = authority.issue({.name = "hospital-a"});
  EXPECT_THAT(verify(agent, "sslclient"), HasSubstr("OK"));
  EXPECT_THAT(verify(agent, "sslserver"), HasSubstr("unsuitable certificate purpose"));
  const KeyPair server =
      authority.issue({.name = "server", .role = Role::kServer, .hosts = {"localhost", "127.0.0.1"}});
  EXPECT_THAT(verify(server, "sslserver"), HasSubstr("OK"));
  EXPECT_THAT(verify(server, "sslclient"), HasSubstr("unsuitable certificate purpose"));
  ASSERT_TRUE(openssl("x509 -noout -text -in " + folder_.path("c.crt")));
  EXPECT_THAT(read_file(folder_.path("out")), HasSubstr("DNS:server, DNS:localhost, IP Address:127.0.0.1"));
  EXPECT_EQ(facts_of(agent.certificate).name, "hospital-a");
}

// What an agent or a server can find wrong with its own files.
TEST_F(Trust, AnIdentityIsJudgedWithoutANetwork) {
  const Authority authority(ca_);
  const std::string own = authority.certificate();
  const KeyPair agent = authority.issue({.name = "a"});
  const KeyPair other = authority.issue({.name = "b"});
  EXPECT_NO_THROW(check_identity(agent, own, Role::kAgent));
  EXPECT_THROW_MESSAGE(
      check_identity({agent.certificate, other.key}, own, Role::kAgent), TrustError, "does not belong");
  EXPECT_THROW_MESSAGE(check_identity(agent, own, Role::kServer), TrustError, "'a' is not a server's");
  EXPECT_THROW_MESSAGE(
      check_identity(authority.issue({.name = "a", .days = -1}), own, Role::kAgent), TrustError, "has expired");
  Authority::create(folder_.path("fake"), "fake-ca", 30);
  EXPECT_THROW_MESSAGE(check_identity(agent, Authority(folder_.path("fake")).certificate(), Role::kAgent),
                       TrustError,
                       "does not hold before the authority 'fake-ca'");
}

TEST_F(Trust, NobodyAtAnAddressIsUnclear) {
  const auto found = examine_server({.address = "127.0.0.1:" + std::to_string(free_port())});
  EXPECT_EQ(found.kind, ServerExamination::Kind::kUnclear);
}

TEST_F(Trust, KeysArePrivate) {
  struct stat facts = {};
  ASSERT_EQ(stat((ca_ + "/ca.key").c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777U, 0600U);
}

TEST_F(Trust, RevocationTakesEffectAtOnce) {
  const Authority authority(ca_);
  const CertificateFacts a = facts_of(authority.issue({.name = "a"}).certificate);
  const CertificateFacts b = facts_of(authority.issue({.name = "b"}).certificate);
  const RevocationList list({.list_path = ca_ + "/ca.crl", .authority_pem = authority.certificate()});
  EXPECT_EQ(list.objection(a).kind, Kind::kNone);
  EXPECT_EQ(authority.revoke("a"), 1);
  EXPECT_EQ(authority.revoke("a"), 0);
  EXPECT_EQ(list.objection(a).kind, Kind::kFinal);
  EXPECT_THAT(list.objection(a).reason, HasSubstr("'a' is revoked"));
  EXPECT_EQ(list.objection(b).kind, Kind::kNone);
  const auto issued = authority.list();
  ASSERT_EQ(issued.size(), 2U);
  EXPECT_TRUE(issued[0].revoked);
  EXPECT_FALSE(issued[1].revoked);
  EXPECT_THROW_MESSAGE(authority.revoke("c"), TrustError, "no certificate was issued");
}

TEST_F(Trust, ExpiredOnesAreNotLetIn) {
  const Authority authority(ca_);
  const RevocationList list({.list_path = ca_ + "/ca.crl", .authority_pem = authority.certificate()});
  const KeyPair old = authority.issue({.name = "old", .days = -1});
  EXPECT_EQ(list.objection(facts_of(old.certificate)).kind, Kind::kPassing);
  EXPECT_THAT(list.objection(facts_of(old.certificate)).reason, HasSubstr("has expired"));
  EXPECT_THAT(verify(old, "sslclient"), HasSubstr("certificate has expired"));
}

TEST_F(Trust, RefusesWhatMakesNoSense) {
  EXPECT_THROW_MESSAGE(Authority::create(ca_, "again", 30), TrustError, "never overwritten");
  EXPECT_THROW_MESSAGE(Authority(folder_.path("none")), UnreadableFile, "no certificate authority");
  const Authority authority(ca_);
  for (const char* name : {"", "../x", "-x", "a b", "a/b", ".hidden"}) {
    EXPECT_THROW(authority.issue({.name = name}), TrustError) << name;
  }
  EXPECT_THROW_MESSAGE(
      authority.issue({.name = "s", .role = Role::kServer, .hosts = {"x,DNS:evil"}}), TrustError, "neither a host");
  EXPECT_THROW(facts_of("nothing"), TrustError);
}

}  // namespace
}  // namespace fedstein
