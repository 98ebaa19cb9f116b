// SPDX-License-Identifier: Apache-2.0
#include "fetch_status.h"

#include <httplib.h>

#include "fedstein/base/error.h"
#include "fedstein/files/read_file.h"
#include "fedstein/rpc/address.h"

namespace fedstein {
namespace {

constexpr const char* kUsualFolder = "federation";  // of a table [server] without the key `state`

std::string token_in(const std::string& file) {
  std::string token = read_private_file(file);
  while (!token.empty() && (token.back() == '\n' || token.back() == '\r')) token.pop_back();
  return token;
}

}  // namespace

LivePlace place_of_server(const std::string& folder, int port) {
  if (port > 0) return {.port = port};
  const std::string where = folder.empty() ? kUsualFolder : folder;
  if (const auto found = live_place_of(where)) return *found;
  if (folder.empty()) {
    throw Error(ErrorKind::kMissing,
                std::string("status: there is no folder '") + kUsualFolder +
                    "' of a server here; name the server's state folder (key `state` of [server]), a run's folder, or "
                    "give --port");
  }
  throw Error(ErrorKind::kMissing,
              "status: " + folder +
                  " is no state folder of a server that has been started, and no folder of a run with --live (it holds "
                  "no live.json); `fedstein live FOLDER` shows any run in the browser");
}

std::optional<std::string> ask_server(const LivePlace& place, const std::string& page) {
  httplib::Client client("127.0.0.1", place.port);
  constexpr time_t kSeconds = 5;
  client.set_connection_timeout(kSeconds);
  client.set_read_timeout(kSeconds);
  if (!place.token_file.empty()) client.set_bearer_token_auth(token_in(place.token_file).c_str());
  const httplib::Result result = client.Get(page.c_str());
  constexpr int kUnauthorized = 401;
  if (result && result->status == kUnauthorized) {
    throw Error(ErrorKind::kRefused,
                "status: the server wants a token; name its state folder instead of its port, which says where the "
                "token is");
  }
  constexpr int kGood = 200;
  if (!result || result->status != kGood) return std::nullopt;
  return result->body;
}

std::string fetch_status(const LivePlace& place, const std::string& page) {
  const auto found = ask_server(place, page);
  if (found) return *found;
  throw AddressUnavailable("status: nothing answers at port " + std::to_string(place.port) +
                           " of this machine: the server or the run has ended, was stopped, or is at another port. "
                           "`fedstein status FOLDER` finds the port of one that goes on, and `fedstein compare FOLDER` "
                           "shows what came of one that has ended");
}

}  // namespace fedstein
