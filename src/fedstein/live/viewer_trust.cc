// SPDX-License-Identifier: Apache-2.0
#include "fedstein/live/viewer_trust.h"

#include <openssl/crypto.h>

#include <algorithm>

#include "fedstein/base/error.h"
#include "fedstein/files/read_file.h"
#include "fedstein/files/sha256.h"

namespace fedstein {
namespace {

constexpr std::size_t kShortest = 20;  // letters: more than anybody tries out over a network
constexpr std::size_t kLongest = 1000;

std::string digest_of(std::string_view purpose, std::string_view text) {
  Sha256 sum;
  sum.add(purpose);
  sum.add(text);
  return std::move(sum).hex();
}

// Takes as long whatever the texts are: they are digests of one length.
bool are_equal(const std::string& a, const std::string& b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::string_view without_port(std::string_view host) {
  if (host.starts_with('[')) {
    const std::size_t end = host.find(']');
    return end == std::string_view::npos ? host : host.substr(0, end + 1);
  }
  return host.substr(0, host.find(':'));
}

// Four numbers with dots, or something in brackets: no name, so nobody's server could make it stand for this machine.
bool is_address(std::string_view host) {
  if (host.starts_with('[') && host.ends_with(']')) {
    return host.find_first_not_of("[]0123456789abcdefABCDEF:.") == std::string_view::npos;
  }
  return std::count(host.begin(), host.end(), '.') == 3 && host.find_first_not_of("0123456789.") == host.npos;
}

}  // namespace

ViewerToken ViewerToken::from_file(const std::string& path) {
  std::string token = read_private_file(path);
  while (!token.empty() && (token.back() == '\n' || token.back() == '\r')) token.pop_back();
  const bool printable = std::all_of(token.begin(), token.end(), [](char c) { return c > ' ' && c < '\x7f'; });
  if (token.size() < kShortest || token.size() > kLongest || !printable) {
    throw Error(ErrorKind::kData,
                path + ": a token is one line of " + std::to_string(kShortest) + " to " + std::to_string(kLongest) +
                    " letters, digits and signs without blanks; make one with: openssl rand -hex 24");
  }
  ViewerToken out;
  out.digest_ = digest_of("fedstein token ", token);
  out.cookie_ = digest_of("fedstein cookie ", token);
  return out;
}

bool ViewerToken::is(std::string_view token) const {
  return needed() && token.size() <= kLongest && are_equal(digest_of("fedstein token ", token), digest_);
}

bool ViewerToken::in_cookies(std::string_view header) const {
  const std::string name = std::string(kViewerCookie) + "=";
  while (!header.empty()) {
    const std::size_t end = header.find(';');
    std::string_view one = header.substr(0, end);
    header = end == std::string_view::npos ? std::string_view() : header.substr(end + 1);
    one.remove_prefix(std::min(one.find_first_not_of(' '), one.size()));
    if (one.starts_with(name) && are_equal(std::string(one.substr(name.size())), cookie_)) return needed();
  }
  return false;
}

bool is_own_host(std::string_view host) {
  const std::string_view name = without_port(host);
  return is_address(name) || name == "localhost";
}

bool is_foreign(std::string_view origin, std::string_view fetch_site, std::string_view host) {
  if (fetch_site == "cross-site" || fetch_site == "same-site") return true;
  if (origin.empty()) return false;
  const std::size_t scheme = origin.find("://");
  return scheme == std::string_view::npos || origin.substr(scheme + 3) != host;
}

}  // namespace fedstein
