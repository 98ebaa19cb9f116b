// SPDX-License-Identifier: Apache-2.0
#include "fedstein/trust/server_examination.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <poll.h>

#include <chrono>
#include <csignal>

#include "fedstein/trust/identity.h"
#include "fedstein/trust/openssl_values.h"

namespace fedstein {
namespace {

using Clock = std::chrono::steady_clock;
using Kind = ServerExamination::Kind;
using Context = std::unique_ptr<SSL_CTX, Freed<SSL_CTX_free>>;
using Connection = std::unique_ptr<SSL, Freed<SSL_free>>;

constexpr unsigned char kHttp2[] = {2, 'h', '2'};

// OpenSSL writes to sockets in the plain way: one whose other end is gone would end the whole program.
class BrokenPipeIgnored {
 public:
  BrokenPipeIgnored() {
    sigemptyset(&signal_);
    sigaddset(&signal_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &signal_, &before_);
  }
  ~BrokenPipeIgnored() {
    const timespec at_once = {};
    while (sigtimedwait(&signal_, nullptr, &at_once) == SIGPIPE) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  BrokenPipeIgnored(const BrokenPipeIgnored&) = delete;
  BrokenPipeIgnored& operator=(const BrokenPipeIgnored&) = delete;

 private:
  sigset_t signal_ = {};
  sigset_t before_ = {};
};

Context context_of(const ExaminationOptions& options) {
  Context context(SSL_CTX_new(TLS_client_method()));
  require(context != nullptr, "TLS cannot be used");
  if (options.own.certificate.empty()) return context;
  SSL_CTX_set_min_proto_version(context.get(), TLS1_3_VERSION);
  const Certificate own = certificate_from(options.own.certificate);
  const PrivateKey key = key_from(options.own.key);
  const Certificate authority = certificate_from(options.authority);
  require(SSL_CTX_use_certificate(context.get(), own.get()) == 1 &&
              SSL_CTX_use_PrivateKey(context.get(), key.get()) == 1 &&
              X509_STORE_add_cert(SSL_CTX_get_cert_store(context.get()), authority.get()) == 1,
          "the certificates cannot be used");
  SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER, nullptr);
  return context;
}

void expect_host(SSL* connection, const std::string& address) {
  std::string host = address.substr(0, address.rfind(':'));
  if (host.size() > 2 && host.front() == '[') host = host.substr(1, host.size() - 2);
  X509_VERIFY_PARAM* rules = SSL_get0_param(connection);
  if (X509_VERIFY_PARAM_set1_ip_asc(rules, host.c_str()) == 1) return;
  ERR_clear_error();
  X509_VERIFY_PARAM_set1_host(rules, host.c_str(), host.size());
}

// Until the socket can go on; false: the time is up, or there is none.
bool wait_for(int descriptor, short events, Clock::time_point limit) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(limit - Clock::now()).count();
  if (left <= 0 || descriptor < 0) return false;
  pollfd socket{.fd = descriptor, .events = events, .revents = 0};
  return poll(&socket, 1, static_cast<int>(left)) > 0;
}

bool connect(BIO* wire, Clock::time_point limit) {
  while (BIO_do_connect(wire) != 1) {
    int descriptor = -1;
    BIO_get_fd(wire, &descriptor);
    if (!BIO_should_retry(wire) || !wait_for(descriptor, POLLOUT, limit)) return false;
  }
  return true;
}

// Repeats a step of OpenSSL's while it only wants the network; SSL_ERROR_NONE when it is done.
template <typename Step>
int finish(SSL* connection, Clock::time_point limit, const Step& step) {
  for (;;) {
    ERR_clear_error();
    const int result = step();
    const int problem = SSL_get_error(connection, result);
    const bool waits = problem == SSL_ERROR_WANT_READ || problem == SSL_ERROR_WANT_WRITE;
    const short events = problem == SSL_ERROR_WANT_WRITE ? POLLOUT : POLLIN;
    if (!waits || !wait_for(SSL_get_fd(connection), events, limit)) return problem;
  }
}

// An alert by which the server may mean the dates of our certificate: OpenSSL sends the first for one that has expired,
// the second for one that is not yet valid.
bool speaks_of_dates(int alert) {
  return alert == SSL_AD_REASON_OFFSET + SSL_AD_CERTIFICATE_EXPIRED ||
         alert == SSL_AD_REASON_OFFSET + SSL_AD_BAD_CERTIFICATE;
}

// By our own clock, and before the authority that we were given.
std::string objection_to_own(const ExaminationOptions& options) {
  try {
    check_identity(options.own, options.authority, Role::kAgent);
    return {};
  } catch (const TrustError& error) {
    return error.what();
  }
}

ServerExamination refused(const ExaminationOptions& options, int alert, const std::string& reason) {
  if (!speaks_of_dates(alert) || options.own.certificate.empty()) return {Kind::kRefused, reason};
  if (const std::string why = objection_to_own(options); !why.empty()) return {Kind::kRefused, why};
  return {Kind::kClocks,
          "it does not accept our certificate (" + reason + "), which is valid by our clock; its clock is wrong, or " +
              "ours is"};
}

// What OpenSSL's last complaint means here.
ServerExamination judged(SSL* connection, int problem, const ExaminationOptions& options) {
  if (const long verdict = SSL_get_verify_result(connection); verdict != X509_V_OK) {
    const std::string words = X509_verify_cert_error_string(verdict);
    // Time alone mends this one; a server whose certificate has expired needs its operator.
    if (verdict == X509_V_ERR_CERT_NOT_YET_VALID) return {Kind::kClocks, "by our clock its " + words};
    return {Kind::kUntrusted, words};
  }
  const unsigned long error = ERR_get_error();
  if (problem != SSL_ERROR_SSL || error == 0) return {};
  const int code = ERR_GET_REASON(error);
  const char* words = ERR_reason_error_string(error);
  const std::string reason = words == nullptr ? "" : words;
  if (code >= SSL_AD_REASON_OFFSET) return refused(options, code, reason);
  const bool other_language = code == SSL_R_WRONG_VERSION_NUMBER || code == SSL_R_HTTP_REQUEST ||
                              code == SSL_R_UNEXPECTED_MESSAGE || code == SSL_R_BAD_RECORD_TYPE ||
                              code == SSL_R_PACKET_LENGTH_TOO_LONG;
  return {other_language ? Kind::kNoTls : Kind::kUnclear, reason};
}

}  // namespace

ServerExamination examine_server(const ExaminationOptions& options) {
  const BrokenPipeIgnored no_signal;
  const auto limit = Clock::now() + std::chrono::seconds(options.seconds);
  const Context context = context_of(options);
  const Connection connection(SSL_new(context.get()));
  BIO* wire = BIO_new_connect(options.address.c_str());
  require(connection && wire != nullptr, "TLS cannot be used");
  SSL_set_bio(connection.get(), wire, wire);  // which owns it now
  BIO_set_nbio(wire, 1);
  const bool connected = connect(wire, limit);
  ERR_clear_error();
  if (!connected) return {};
  SSL_set_alpn_protos(connection.get(), kHttp2, sizeof kHttp2);
  if (!options.own.certificate.empty()) expect_host(connection.get(), options.address);
  int problem = finish(connection.get(), limit, [&] { return SSL_connect(connection.get()); });
  if (problem != SSL_ERROR_NONE) return judged(connection.get(), problem, options);
  // In TLS 1.3 the server judges us after our handshake is over: its verdict is the first thing to be read.
  char first = 0;
  if (!options.own.certificate.empty()) {
    problem = finish(connection.get(), limit, [&] { return SSL_read(connection.get(), &first, 1); });
  }
  if (problem != SSL_ERROR_NONE) return judged(connection.get(), problem, options);
  return {Kind::kSound, {}};
}

}  // namespace fedstein
