// SPDX-License-Identifier: Apache-2.0
// One GET over http or https. The only file pair that sees the HTTP library.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "fedstein/fetch/download.h"

namespace fedstein {

// An address in its parts. Throws FetchError for what is neither http://HOST/... nor https://HOST/...
struct Url {
  std::string scheme = {};
  std::string host = {};  // with its port, where one is given
  std::string target = {};
};
Url parse_url(const std::string& address);

// Where `location`, as a redirect gives it, leads from `from`.
std::string resolve_redirect(const std::string& from, const std::string& location);

struct HttpAnswer {
  int status = 0;
  std::string location = {};  // of a redirect
};

// Called once before the first byte of a 200: its announced length, when there is one.
using OnLength = std::function<void(std::optional<std::uint64_t>)>;
using OnBytes = std::function<void(std::string_view)>;

// Follows no redirect. Bodies of other answers than 200 are not read. What the callbacks throw comes out; so does
// FetchError when the connection fails, or ends before the announced length.
HttpAnswer http_get(const std::string& address, const TimeLimits& limits, const OnLength& length, const OnBytes& bytes);

}  // namespace fedstein
