// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdlib>

#include "fedstein/rpc/rpc_server.h"

int main(int argc, char** argv) {
  // As the product's programs do, before the first use of gRPC.
  setenv("GRPC_SSL_CIPHER_SUITES", fedstein::kTls13OnlyCipherSuites, 1);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
