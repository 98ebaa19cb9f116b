// SPDX-License-Identifier: Apache-2.0
#include "fedstein/fetch/http.h"

#include <httplib.h>

#include <charconv>
#include <exception>

namespace fedstein {
namespace {

constexpr int kOk = 200;

std::string why(httplib::Error error) {
  switch (error) {
    case httplib::Error::Connection:
      return "no connection (refused, or no such host)";
    case httplib::Error::ConnectionTimeout:
      return "the host does not answer";
    case httplib::Error::Read:
      return "the transfer broke off or fell silent before its end";
    case httplib::Error::SSLConnection:
      return "no secure connection could be agreed on";
    case httplib::Error::SSLServerVerification:
      return "the host's certificate cannot be trusted";
    case httplib::Error::SSLLoadingCerts:
      return "this machine has no certificates to trust (package ca-certificates)";
    default:
      return "the transfer failed (" + httplib::to_string(error) + ")";
  }
}

std::optional<std::uint64_t> announced_length(const httplib::Response& response) {
  if (!response.has_header("Content-Length")) return std::nullopt;
  const std::string text = response.get_header_value("Content-Length");
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

Url parse_url(const std::string& address) {
  for (const char* scheme : {"http", "https"}) {
    const std::string start = std::string(scheme) + "://";
    if (address.rfind(start, 0) != 0) continue;
    const std::size_t slash = address.find_first_of("/?#", start.size());
    Url out{.scheme = scheme, .host = address.substr(start.size(), slash - start.size())};
    if (slash != std::string::npos) out.target = address.substr(slash, address.find('#') - slash);
    if (out.target.empty() || out.target.front() != '/') out.target.insert(0, "/");
    const bool printable = address.find_first_of(" \t\r\n") == std::string::npos;
    if (!out.host.empty() && out.host.find('@') == std::string::npos && printable) return out;
  }
  throw FetchError("'" + address + "' is no address to fetch from; expected http://HOST/... or https://HOST/...");
}

std::string resolve_redirect(const std::string& from, const std::string& location) {
  if (location.find("://") != std::string::npos) {
    const bool weaker = parse_url(from).scheme == "https" && parse_url(location).scheme != "https";
    if (weaker) throw FetchError(from + ": redirects from https to " + location + ", which is refused");
    return location;
  }
  const Url url = parse_url(from);
  if (location.rfind("//", 0) == 0) return url.scheme + ":" + location;
  if (location.rfind('/', 0) == 0) return url.scheme + "://" + url.host + location;
  const std::string path = url.target.substr(0, url.target.find('?'));
  return url.scheme + "://" + url.host + path.substr(0, path.rfind('/') + 1) + location;
}

HttpAnswer http_get(const std::string& address,
                    const TimeLimits& limits,
                    const OnLength& length,
                    const OnBytes& bytes) {
  const Url url = parse_url(address);
  httplib::Client client(url.scheme + "://" + url.host);
  client.set_connection_timeout(limits.connect_seconds);
  client.set_read_timeout(limits.silence_seconds);
  client.set_write_timeout(limits.silence_seconds);
  client.set_follow_location(false);
  client.set_decompress(false);  // a .gz file is wanted as it is, whatever the server calls its encoding
  client.enable_server_certificate_verification(true);

  HttpAnswer answer;
  std::exception_ptr thrown;  // nothing may be thrown through the library
  const auto guarded = [&](const auto& action) {
    try {
      action();
      return true;
    } catch (...) {
      thrown = std::current_exception();
      return false;
    }
  };
  const httplib::Result result = client.Get(
      url.target,
      {{"Accept-Encoding", "identity"}, {"User-Agent", "fedstein"}},
      [&](const httplib::Response& response) {
        answer.status = response.status;
        answer.location = response.get_header_value("Location");
        return response.status == kOk && guarded([&] { length(announced_length(response)); });
      },
      [&](const char* data, std::size_t count) { return guarded([&] {
                                                   bytes({data, count});
                                                 }); });
  if (thrown) std::rethrow_exception(thrown);
  if (answer.status != 0 && answer.status != kOk) return answer;
  if (!result) throw FetchError(address + ": " + why(result.error()));
  return answer;
}

}  // namespace fedstein
