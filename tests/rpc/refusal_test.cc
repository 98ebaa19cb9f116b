// SPDX-License-Identifier: Apache-2.0
// Everything that must be turned away, one by one, over real TLS: refused with a reason, counted, and without effect.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <future>
#include <limits>

#include "fedstein/files/read_file.h"
#include "fedstein/trust/authority.h"
#include "rpc/raw_client.h"
#include "support/process.h"
#include "support/temporary_folder.h"

namespace fedstein {
namespace {

using grpc::StatusCode;
using testing::HasSubstr;

// A server with two agents enrolled, round 1 open and offered to agent 0.
class Refusal : public testing::Test {
 protected:
  void SetUp() override {
    make_certificates(ca_, which_.agents);
    server_ = std::async(std::launch::async, [this] {
      try {
        serve({.which = which_,
               .state = folder_.path("server"),
               .certificates = ca_,
               .lease_seconds = 60,
               .norm_bound = 1e4,
               .on_serving = [this](int port, ServerDesk& desk) {
                 port_.set_value({port, &desk});
               }});
      } catch (const ServingStopped&) {
      }
    });
    std::tie(number_, desk_) = port_.get_future().get();
    other_ = client("agent-1");
    other_line_ = std::async(std::launch::async, [this] { return other_->attend(attendance(1)); });
    me_ = client("agent-0");
    ASSERT_TRUE(me_->attend(attendance(0), &offer_).ok());
  }
  void TearDown() override {
    me_.reset();
    desk_->stop();
    server_.get();
    other_line_.get();
    other_.reset();
  }

  std::unique_ptr<RawClient> client(const std::string& name) const {
    return std::make_unique<RawClient>(number_, certificate_of(ca_, name), read_file(ca_ + "/ca.crt"));
  }
  v1::Attendance attendance(Index k) const {
    const TestFederation federation(which_);
    v1::Attendance out;
    encode(
        AgentFacts{
            .algorithm = "dsvgd", .dimension = federation.dimension(), .rows = federation.rows(k), .features = 3},
        Hello{},
        out);
    return out;
  }
  // What an honest agent would answer, to be spoiled.
  v1::Upload reply() const {
    const TestFederation federation(which_);
    const Letter letter = decode(
        [&] {
          v1::Letter out;
          *out.mutable_offer() = offer_;
          return out;
        }(),
        0);
    const auto& offer = std::get<Offer>(letter);
    v1::Upload out;
    encode(Upload{offer.token, federation.make_agent(0, federation.total_rows())->update(offer.task)}, out);
    return out;
  }
  void spoil(v1::Upload& reply, Real value) const {
    std::string& numbers = *reply.mutable_update()->mutable_matrices(0)->mutable_numbers();
    std::memcpy(numbers.data(), &value, sizeof value);
  }
  std::int64_t refusals(Index agent, const std::string& kind) const {
    const auto counted = desk_->status().agents[static_cast<std::size_t>(agent)].refusals;
    const auto found = counted.find(kind);
    return found == counted.end() ? 0 : found->second;
  }
  // Refused as this kind; the round is as open as before, or closed without a change of the belief.
  void expect_dropped(const v1::Upload& reply, const std::string& kind) {
    v1::Standing standing;
    ASSERT_TRUE(me_->upload(reply, standing).ok());
    EXPECT_EQ(standing.kind(), v1::Standing::DROPPED) << standing.reason();
    EXPECT_EQ(refusals(0, kind), 1) << standing.reason();
  }

  TestCase which_{.algorithm = "dsvgd", .agents = 2, .rounds = 3};
  TemporaryFolder folder_;
  std::string ca_ = folder_.path("ca");
  std::promise<std::pair<int, ServerDesk*>> port_;
  int number_ = 0;
  ServerDesk* desk_ = nullptr;
  std::future<void> server_;
  std::future<grpc::Status> other_line_;
  std::unique_ptr<RawClient> me_;
  std::unique_ptr<RawClient> other_;
  v1::Offer offer_;
};

TEST_F(Refusal, AnHonestReplyIsTakenAndAReplayOfItChangesNothing) {
  v1::Standing standing;
  ASSERT_TRUE(me_->upload(reply(), standing).ok());
  EXPECT_EQ(standing.kind(), v1::Standing::HELD);
  while (desk_->status().closed_round < 1) std::this_thread::yield();
  ASSERT_TRUE(me_->upload(reply(), standing).ok());
  EXPECT_EQ(standing.kind(), v1::Standing::FOLDED);
  EXPECT_EQ(refusals(0, "replayed"), 1);
  EXPECT_EQ(desk_->status().closed_round, 1);
}

TEST_F(Refusal, AnotherAgentsToken) {
  v1::Standing standing;
  ASSERT_TRUE(other_->upload(reply(), standing).ok());
  EXPECT_EQ(standing.kind(), v1::Standing::DROPPED);
  EXPECT_EQ(refusals(1, "late"), 1);
  EXPECT_EQ(desk_->status().closed_round, 0);
}

TEST_F(Refusal, ATokenThatWasNeverGiven) {
  v1::Upload early = reply();
  early.mutable_attempt()->set_token(99);
  expect_dropped(early, "out-of-turn");
  EXPECT_EQ(desk_->status().closed_round, 0);
}

TEST_F(Refusal, AnotherRound) {
  v1::Upload wrong = reply();
  wrong.mutable_attempt()->set_round(7);
  expect_dropped(wrong, "round");
}

TEST_F(Refusal, NotANumber) {
  v1::Upload bad = reply();
  spoil(bad, std::numeric_limits<Real>::quiet_NaN());
  expect_dropped(bad, "non-finite");
}

TEST_F(Refusal, BeyondTheNormBound) {
  v1::Upload bad = reply();
  spoil(bad, 1e6_r);
  expect_dropped(bad, "norm");
}

TEST_F(Refusal, AnotherShape) {
  v1::Upload bad = reply();
  *bad.mutable_update()->add_matrices() = bad.update().matrices(0);
  expect_dropped(bad, "shape");
}

TEST_F(Refusal, Malformed) {
  v1::Upload bad = reply();
  bad.mutable_update()->mutable_matrices(0)->set_rows(1LL << 40);
  v1::Standing standing;
  EXPECT_EQ(me_->upload(bad, standing).error_code(), StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(me_->upload(v1::Upload(), standing).error_code(), StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(refusals(0, "malformed"), 2);
  EXPECT_EQ(desk_->status().closed_round, 0);
}

TEST_F(Refusal, Oversized) {
  v1::Upload bad = reply();
  bad.mutable_update()->mutable_matrices(0)->mutable_numbers()->resize(100 << 10);
  v1::Standing standing;
  EXPECT_EQ(me_->upload(bad, standing).error_code(), StatusCode::OUT_OF_RANGE);
  EXPECT_EQ(refusals(0, "size"), 1);
  bad.mutable_update()->mutable_matrices(0)->mutable_numbers()->resize(50 << 20);
  // gRPC refuses it when it has come whole; before that the connection is closed for it.
  EXPECT_THAT(me_->upload(bad, standing).error_code(),
              testing::AnyOf(StatusCode::UNAVAILABLE, StatusCode::RESOURCE_EXHAUSTED));
  EXPECT_TRUE(me_->beat().ok());  // on a new one
}

TEST_F(Refusal, AnotherProtocolOrPrecision) {
  v1::Introduction strange = introduction();
  strange.set_protocol(1);
  EXPECT_THAT(me_->introduce(strange).error_message(), HasSubstr("protocol 1"));
  strange = introduction();
  strange.set_real_bytes(2);
  EXPECT_THAT(me_->introduce(strange).error_message(), HasSubstr("2 bytes"));
  EXPECT_EQ(refusals(0, "hello"), 2);
}

TEST_F(Refusal, AnotherModelAlgorithmOrData) {
  const auto status_of = [&](const std::function<void(v1::Attendance&)>& change) {
    v1::Attendance words = attendance(0);
    change(words);
    return client("agent-0")->attend(words).error_message();
  };
  EXPECT_THAT(status_of([](auto& words) { words.set_algorithm("fedavg"); }), HasSubstr("runs 'dsvgd'"));
  EXPECT_THAT(status_of([](auto& words) { words.set_dimension(9); }), HasSubstr("9 parameters"));
  EXPECT_THAT(status_of([](auto& words) { words.set_rows(13); }), HasSubstr("its data changed"));
  EXPECT_THAT(status_of([](auto& words) { words.set_run("other"); }), HasSubstr("belongs to the federation other"));
  EXPECT_THAT(status_of([](auto& words) { words.set_settled(5); }), HasSubstr("ahead of the server"));
}

TEST_F(Refusal, AStranger) {
  const Authority authority(ca_);
  RawClient stranger(number_, authority.issue({.name = "mallory"}), authority.certificate());
  EXPECT_EQ(stranger.introduce().error_code(), StatusCode::PERMISSION_DENIED);
  EXPECT_EQ(desk_->status().stranger_refusals.at("stranger"), 1);
}

TEST_F(Refusal, ARevokedAgentInTheMiddleOfItsConnection) {
  EXPECT_TRUE(me_->beat().ok());
  Authority(ca_).revoke("agent-0");
  const grpc::Status refused = me_->beat();
  EXPECT_EQ(refused.error_code(), StatusCode::PERMISSION_DENIED);
  EXPECT_THAT(refused.error_message(), HasSubstr("is revoked"));
  v1::Standing standing;
  EXPECT_EQ(me_->upload(reply(), standing).error_code(), StatusCode::PERMISSION_DENIED);
  EXPECT_EQ(refusals(0, "certificate"), 2);
  EXPECT_EQ(desk_->status().closed_round, 0);
}

TEST_F(Refusal, CertificatesThatTlsDoesNotLetIn) {
  const Authority authority(ca_);
  const auto refused = [&](const KeyPair& pair) {
    return RawClient(number_, pair, authority.certificate()).introduce().error_code() == StatusCode::UNAVAILABLE;
  };
  EXPECT_TRUE(refused(authority.issue({.name = "agent-0", .days = -1}))) << "expired";
  Authority::create(folder_.path("fake"), "test-ca", 30);
  EXPECT_TRUE(refused(Authority(folder_.path("fake")).issue({.name = "agent-0"}))) << "self-made";
  EXPECT_TRUE(refused({})) << "missing";
  EXPECT_TRUE(refused(certificate_of(ca_, "server"))) << "a server's, used by an agent";
  EXPECT_TRUE(RawClient(number_, certificate_of(ca_, "agent-0"), authority.certificate()).introduce().ok());
  EXPECT_GE(desk_->status().stranger_refusals.at("tls"), 4);
}

TEST_F(Refusal, AnAgentsCertificateIsNoServers) {
  const Authority authority(ca_);
  // An agent that listens with its own certificate is not believed by other agents.
  const KeyPair agent = certificate_of(ca_, "agent-1");
  grpc::SslServerCredentialsOptions tls;
  tls.pem_key_cert_pairs.push_back({agent.key, agent.certificate});
  v1::Federation::Service nothing;
  grpc::ServerBuilder builder;
  int port = 0;
  builder.AddListeningPort("127.0.0.1:0", grpc::SslServerCredentials(tls), &port);
  builder.RegisterService(&nothing);
  const auto impostor = builder.BuildAndStart();
  EXPECT_EQ(RawClient(port, certificate_of(ca_, "agent-0"), authority.certificate()).introduce().error_code(),
            StatusCode::UNAVAILABLE);
}

TEST_F(Refusal, TlsBelow13) {
  const auto handshake = [&](const std::string& version) {
    const std::string out = folder_.path("s_client" + version);
    const std::string command = "openssl s_client -connect 127.0.0.1:" + std::to_string(number_) + " " + version +
                                " -alpn h2 -CAfile " + ca_ + "/ca.crt -cert " + ca_ + "/agent-0.crt -key " + ca_ +
                                "/agent-0.key < /dev/null > " + out + " 2>&1";
    const int code = std::system(command.c_str());
    return std::pair{code == 0, read_text(out)};
  };
  const auto [modern, words] = handshake("-tls1_3");
  EXPECT_TRUE(modern) << words;
  EXPECT_THAT(words, HasSubstr("TLSv1.3"));
  const auto [old, complaint] = handshake("-tls1_2");
  EXPECT_FALSE(old) << complaint;
  EXPECT_THAT(complaint, HasSubstr("Cipher is (NONE)"));
  const auto [rsa, same] = handshake("-tls1_2 -cipher ECDHE-RSA-AES256-GCM-SHA384");
  EXPECT_FALSE(rsa) << same;
}

}  // namespace
}  // namespace fedstein
