// SPDX-License-Identifier: Apache-2.0
// Why no connection comes about. gRPC says "unavailable" of a server that is down and of one that will never be
// believed alike; a handshake of our own tells them apart.
#pragma once

#include <string>

#include "fedstein/trust/certificate.h"

namespace fedstein {

struct ServerExamination {
  enum class Kind {
    kUnclear,    // nobody there, or gone in the middle: another try may do
    kSound,      // TLS, and both sides believe each other
    kNoTls,      // somebody answers, in another language
    kUntrusted,  // its certificate cannot be believed
    kRefused,    // it says that it does not believe ours
    kClocks,     // one side's certificate is out of its time by the other's clock alone: clocks are set right again
  };
  Kind kind = Kind::kUnclear;
  std::string reason = {};  // OpenSSL's words for it
};

struct ExaminationOptions {
  std::string address = {};    // HOST:PORT
  KeyPair own = {};            // empty: none is shown, and the server's is not judged
  std::string authority = {};  // PEM
  int seconds = 5;             // at most
};

ServerExamination examine_server(const ExaminationOptions& options);

}  // namespace fedstein
