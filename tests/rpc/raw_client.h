// SPDX-License-Identifier: Apache-2.0
// A client that says whatever a test wants it to say, straight from the generated code: for what an honest agent never
// sends.
#pragma once

#include <federation.grpc.pb.h>
#include <grpcpp/grpcpp.h>

#include <memory>
#include <string>

#include "fedstein/rpc/wire.h"
#include "rpc/test_federation.h"

namespace fedstein {

class RawClient {
 public:
  RawClient(int port,
            const KeyPair& own,
            const std::string& authority,
            grpc_compression_algorithm compression = GRPC_COMPRESS_NONE) {
    grpc::SslCredentialsOptions tls;
    tls.pem_root_certs = authority;
    tls.pem_private_key = own.key;
    tls.pem_cert_chain = own.certificate;
    grpc::ChannelArguments arguments;
    arguments.SetMaxSendMessageSize(-1);
    arguments.SetCompressionAlgorithm(compression);
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    stub_ = v1::Federation::NewStub(
        grpc::CreateCustomChannel("127.0.0.1:" + std::to_string(port), grpc::SslCredentials(tls), arguments));
  }

  grpc::Status introduce(const v1::Introduction& in = introduction()) {
    v1::Charter out;
    return call(&v1::Federation::Stub::Introduce, in, out);
  }
  grpc::Status upload(const v1::Upload& in, v1::Standing& out) { return call(&v1::Federation::Stub::Upload, in, out); }
  grpc::Status beat() {
    v1::Pulse out;
    return call(&v1::Federation::Stub::Beat, v1::Heartbeat(), out);
  }
  // Attends and reads until an offer comes; the line stays open.
  grpc::Status attend(const v1::Attendance& in, v1::Offer* offer = nullptr) {
    line_context_ = std::make_unique<grpc::ClientContext>();
    line_ = stub_->Attend(line_context_.get(), in);
    v1::Letter letter;
    while (line_->Read(&letter)) {
      if (!letter.has_offer()) continue;
      if (offer != nullptr) *offer = letter.offer();
      return grpc::Status::OK;
    }
    grpc::Status status = line_->Finish();
    line_.reset();
    return status;
  }
  void hang_up() {
    if (!line_) return;
    line_context_->TryCancel();
    line_->Finish();
    line_.reset();
  }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;
  ~RawClient() { hang_up(); }

 private:
  template <typename Method, typename In, typename Out>
  grpc::Status call(Method method, const In& in, Out& out) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(10));
    return (stub_.get()->*method)(&context, in, &out);
  }

  std::unique_ptr<v1::Federation::Stub> stub_;
  std::unique_ptr<grpc::ClientContext> line_context_;
  std::unique_ptr<grpc::ClientReader<v1::Letter>> line_;
};

}  // namespace fedstein
