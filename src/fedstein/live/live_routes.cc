// SPDX-License-Identifier: Apache-2.0
#include "fedstein/live/live_routes.h"

#include <memory>
#include <string_view>

#include "fedstein/live/live_template.h"
#include "fedstein/live/token_form.h"

namespace fedstein {
namespace {

using Request = httplib::Request;
using Response = httplib::Response;
using Handled = httplib::Server::HandlerResponse;

constexpr int kSeeOther = 303;
constexpr int kUnauthorized = 401;
constexpr int kForbidden = 403;
constexpr int kNotAllowed = 405;
constexpr int kLengthRequired = 411;
constexpr int kNoSuchRange = 416;
constexpr int kUnavailable = 503;

Handled refuse(Response& response, int status, const std::string& sentence) {
  response.status = status;
  response.set_content(sentence + "\n", "text/plain");
  return Handled::Handled;
}

bool knows_token(const ViewerToken& token, const Request& request) {
  if (!token.needed()) return true;
  constexpr std::string_view kBearer = "Bearer ";
  const std::string given = request.get_header_value("Authorization");
  if (given.starts_with(kBearer) && token.is(std::string_view(given).substr(kBearer.size()))) return true;
  return token.in_cookies(request.get_header_value("Cookie"));
}

Handled ask_for_token(Response& response, const std::string& remark) {
  response.status = kUnauthorized;
  response.set_header("WWW-Authenticate", "Bearer");
  response.set_content(token_form(remark), "text/html; charset=utf-8");
  return Handled::Handled;
}

// The library's bound on what is sent holds for bodies that say how long they are, and for those alone.
bool says_its_length(const Request& request) {
  return request.has_header("Content-Length") && !request.has_header("Transfer-Encoding") &&
         !request.has_header("Content-Encoding");
}

// Before anything is answered: is it this machine that is meant, is it the page itself that asks, and who asks?
Handled admit(const LiveRoutes& live, const Request& request, Response& response) {
  const std::string host = request.get_header_value("Host");
  if (!live.tls && !is_own_host(host)) {
    return refuse(
        response,
        kForbidden,
        "this page is served to addresses of this machine and to localhost, not to '" + host.substr(0, 80) + "'");
  }
  const bool is_page = request.path == "/";  // a link from elsewhere may lead here
  if (!is_page && is_foreign(request.get_header_value("Origin"), request.get_header_value("Sec-Fetch-Site"), host)) {
    return refuse(response, kForbidden, "a page of another site may not read this one");
  }
  const bool enters = request.method == "POST" && request.path == "/token";
  if (enters && says_its_length(request)) return Handled::Unhandled;
  if (enters) return refuse(response, kLengthRequired, "a token is sent as it is, with its length");
  if (request.method != "GET" && request.method != "HEAD") {
    return refuse(response, kNotAllowed, "this page can only be read");
  }
  // A header of a few thousand ranges would be answered with as many copies of the page.
  if (!request.ranges.empty()) return refuse(response, kNoSuchRange, "this page is sent as a whole");
  const auto text = live.texts->find(request.path);
  const bool open_to_all = text != live.texts->end() && text->second.open_to_all;
  if (open_to_all || knows_token(*live.token, request)) return Handled::Unhandled;
  if (is_page) return ask_for_token(response, "");
  return refuse(response, kUnauthorized, "a token is needed: header Authorization: Bearer TOKEN");
}

void take_token(const LiveRoutes& live, const Request& request, Response& response) {
  if (!live.token->is(request.get_param_value("token"))) {
    ask_for_token(response, "This is not the token. It is in the file that the server's operator has made.");
    return;
  }
  response.status = kSeeOther;
  response.set_header("Set-Cookie",
                      std::string(kViewerCookie) + "=" + live.token->cookie() +
                          "; Path=/; HttpOnly; SameSite=Strict; Max-Age=2592000" + (live.tls ? "; Secure" : ""));
  response.set_header("Location", "/");
}

// Until the viewer is gone or the board is closed. Returns false when the connection is of no more use.
bool tell(const Board& board, std::uint64_t& seen, httplib::DataSink& sink) {
  constexpr std::chrono::milliseconds kStep(500);
  constexpr int kStepsToBeat = 10;  // a page that hears nothing for longer knows that its connection is dead
  for (int step = 0; step < kStepsToBeat; ++step) {
    board.wait_beyond(seen, kStep);
    const bool over = board.closed();
    const BoardEvent event = board.since(seen);
    seen = event.version;
    if (!event.text.empty() && !sink.write(event.text.data(), event.text.size())) return false;
    if (over) {
      sink.done();
      return true;
    }
    if (!event.text.empty()) return true;
    if (!sink.is_writable()) return false;
  }
  constexpr std::string_view kBeat = "event: beat\ndata: {}\n\n";
  return sink.write(kBeat.data(), kBeat.size());
}

void stream(const LiveRoutes& live, const Request& request, Response& response) {
  if (!live.sampler->enter()) {
    response.set_header("Retry-After", "10");
    refuse(response, kUnavailable, "as many pages are open as this server serves; it is tried again by itself");
    return;
  }
  const std::string after =
      request.has_param("after") ? request.get_param_value("after") : request.get_header_value("Last-Event-ID");
  response.set_chunked_content_provider(
      "text/event-stream",
      [board = live.board, seen = live.board->version_of(after)](std::size_t, httplib::DataSink& sink) mutable {
        return tell(*board, seen, sink);
      },
      [sampler = live.sampler](bool) { sampler->leave(); });
}

void answer(const LiveText& text, Response& response) {
  const std::string trouble = text.trouble ? text.trouble() : std::string();
  if (!trouble.empty()) response.status = kUnavailable;
  response.set_content(trouble.empty() ? text.text() : trouble + "\n", text.type.c_str());
}

}  // namespace

void add_live_routes(httplib::Server& http, const LiveRoutes& live) {
  http.set_default_headers({{"Cache-Control", "no-store"},
                            {"Content-Security-Policy", "frame-ancestors 'none'"},
                            {"Cross-Origin-Resource-Policy", "same-origin"},
                            {"Referrer-Policy", "same-origin"},
                            {"X-Content-Type-Options", "nosniff"},
                            {"X-Frame-Options", "DENY"}});
  http.set_pre_routing_handler(
      [live](const Request& request, Response& response) { return admit(live, request, response); });
  http.Get("/", [](const Request&, Response& response) {
    const std::string_view page = live_template();
    response.set_content(page.data(), page.size(), "text/html; charset=utf-8");
  });
  http.Get("/events", [live](const Request& request, Response& response) { stream(live, request, response); });
  http.Post("/token", [live](const Request& request, Response& response) { take_token(live, request, response); });
  // For a page that could not open its events: an event source does not say why.
  http.Get("/viewers", [live](const Request&, Response& response) {
    if (!live.sampler->has_room()) response.status = kUnavailable;
    response.set_content(live.sampler->has_room() ? "there is room\n" : "there is no room\n", "text/plain");
  });
  for (const auto& [path, text] : *live.texts) {
    http.Get(path, [&text = text](const Request&, Response& response) { answer(text, response); });
  }
}

}  // namespace fedstein
