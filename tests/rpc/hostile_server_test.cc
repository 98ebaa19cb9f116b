// SPDX-License-Identifier: Apache-2.0
// What a server could do to its agents: charters that fill their memory.
#include <gmock/gmock.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include "federation.grpc.pb.h"
#include "fedstein/rpc/grpc_agent_link.h"

namespace fedstein {
namespace {

using testing::HasSubstr;

class HostileServer : public v1::Federation::Service {
 public:
  HostileServer(std::size_t bytes, grpc_compression_algorithm packing) : bytes_(bytes), packing_(packing) {
    grpc::ServerBuilder builder;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port_);
    builder.RegisterService(this);
    builder.SetMaxSendMessageSize(-1);
    server_ = builder.BuildAndStart();
  }
  grpc::Status Introduce(grpc::ServerContext* context, const v1::Introduction*, v1::Charter* out) override {
    context->set_compression_algorithm(packing_);
    out->set_document(std::string(bytes_, ' '));
    return grpc::Status::OK;
  }
  // What the agent makes of it.
  std::string refusal() const {
    GrpcAgentLink link({.server = "127.0.0.1:" + std::to_string(port_),
                        .insecure_name = "agent-0",
                        .call_seconds = 20,
                        .most_message_bytes = 8 << 20});
    try {
      link.introduce();
    } catch (const std::exception& error) {
      return error.what();
    }
    return {};
  }

 private:
  std::size_t bytes_;
  grpc_compression_algorithm packing_;
  int port_ = 0;
  std::unique_ptr<grpc::Server> server_;
};

TEST(HostileServer, AnAgentTakesWhatIsBelowItsCap) {
  EXPECT_EQ(HostileServer(6 << 20, GRPC_COMPRESS_NONE).refusal(), "");
}

TEST(HostileServer, AMessageBeyondTheCapIsRefused) {
  EXPECT_THAT(HostileServer(9 << 20, GRPC_COMPRESS_NONE).refusal(), HasSubstr("larger than max"));
  EXPECT_NE(HostileServer(300 << 20, GRPC_COMPRESS_NONE).refusal(), "");
}

TEST(HostileServer, PackedMessagesAreNotOpened) {
  for (const auto packing : {GRPC_COMPRESS_GZIP, GRPC_COMPRESS_DEFLATE}) {
    EXPECT_NE(HostileServer(1 << 20, packing).refusal(), "");
  }
}

}  // namespace
}  // namespace fedstein
