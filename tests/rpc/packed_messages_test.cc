// SPDX-License-Identifier: Apache-2.0
// Small on the wire, huge when unpacked: the server's memory does not follow.
#include <gtest/gtest.h>

#include "fedstein/files/read_file.h"
#include "rpc/raw_client.h"
#include "rpc/server_process.h"

namespace fedstein {
namespace {

constexpr std::size_t kUnpacked = 200U << 20;
// The message, packed, is far below the size that may travel.
const TestCase kCase{.algorithm = "dsvgd", .agents = 2, .rounds = 2, .particles = 20, .inputs = 999};
constexpr double kMostGrowth = 16;  // MiB

// The name of the certificate that the message comes with: an agent's, or one of the same authority that is none.
class PackedMessages : public testing::TestWithParam<std::pair<const char*, grpc_compression_algorithm>> {
 protected:
  PackedMessages()
      : server_(kCase, 1024),
        client_(server_.port(),
                certificate_of(server_.certificates(), GetParam().first),
                read_file(server_.certificates() + "/ca.crt"),
                GetParam().second) {
    client_.beat();  // what a first connection takes is not counted
  }
  // Refused, and the run is finished all the same.
  void expect_refused_unopened(const grpc::Status& status, double before, double most_growth = kMostGrowth) {
    EXPECT_FALSE(status.ok());
    std::cout << "refused with " << status.error_code() << " '" << status.error_message()
              << "', growth of the peak: " << server_.peak_memory() - before << " MiB\n";
    EXPECT_LT(server_.peak_memory() - before, most_growth);
    EXPECT_EQ(server_.finish_run(), 0) << server_.said();
  }

  ServerProcess server_;
  RawClient client_;
};
INSTANTIATE_TEST_SUITE_P(Senders,
                         PackedMessages,
                         testing::Values(std::pair{"agent-0", GRPC_COMPRESS_GZIP},
                                         std::pair{"agent-0", GRPC_COMPRESS_DEFLATE},
                                         std::pair{"agent-2", GRPC_COMPRESS_GZIP}));

TEST_P(PackedMessages, AnUpload) {
  const double before = server_.peak_memory();
  v1::Upload reply;
  reply.mutable_update()->add_matrices()->set_numbers(std::string(kUnpacked, '\0'));
  v1::Standing standing;
  expect_refused_unopened(client_.upload(reply, standing), before);
}

TEST_P(PackedMessages, AnAttendance) {
  const double before = server_.peak_memory();
  v1::Attendance attendance;
  attendance.set_statistics(std::string(kUnpacked, '\0'));
  expect_refused_unopened(client_.attend(attendance), before);
}

// It is closed for its bytes while they come; how many come before that is a matter of the network's speed.
TEST_P(PackedMessages, AnUploadFarBeyondTheCap) {
  RawClient plain(server_.port(),
                  certificate_of(server_.certificates(), GetParam().first),
                  read_file(server_.certificates() + "/ca.crt"));
  plain.beat();
  const double before = server_.peak_memory();
  v1::Upload reply;
  reply.mutable_update()->add_matrices()->set_numbers(std::string(kUnpacked, '\0'));
  v1::Standing standing;
  const auto start = std::chrono::steady_clock::now();
  const grpc::Status status = plain.upload(reply, standing);
  std::cout << "after " << std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() << " s: ";
  expect_refused_unopened(status, before, 100);
}

}  // namespace
}  // namespace fedstein
