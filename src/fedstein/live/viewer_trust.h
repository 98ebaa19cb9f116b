// SPDX-License-Identifier: Apache-2.0
// Who may look at a live page. A page on loopback is for this machine's users, or for those of them who have a token;
// elsewhere it is served over TLS, for holders of the token alone.
#pragma once

#include <string>
#include <string_view>

namespace fedstein {

// A secret that viewers must know.
class ViewerToken {
 public:
  ViewerToken() = default;  // none is needed
  // The file's one line. Throws for a file that others can read, and for a token that could be guessed.
  static ViewerToken from_file(const std::string& path);

  bool needed() const { return !cookie_.empty(); }
  // What somebody typed, or what a program sends as "Authorization: Bearer TOKEN".
  bool is(std::string_view token) const;
  // What a browser keeps instead of the token; the same after a restart.
  const std::string& cookie() const { return cookie_; }
  bool in_cookies(std::string_view header) const;

 private:
  std::string digest_;
  std::string cookie_;
};

// Whether a request's header Host names the machine itself: an address or localhost, with or without a port. A web site
// whose name resolves to this machine (DNS rebinding) is told nothing. Over TLS the certificate's name does this.
bool is_own_host(std::string_view host);

// Whether a request comes from a page of another site. Origin and Sec-Fetch-Site as the browser sent them; empty: it
// did not.
bool is_foreign(std::string_view origin, std::string_view fetch_site, std::string_view host);

inline constexpr const char* kViewerCookie = "fedstein-live";

}  // namespace fedstein
