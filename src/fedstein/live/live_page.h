// SPDX-License-Identifier: Apache-2.0
// The live page's server: the page itself, its events, and texts for programs. Everything can be read and nothing can
// be changed. Connections are few and short-lived; a viewer that reads slowly or not at all is dropped, and holds up
// neither the others nor the run.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "fedstein/live/board.h"

namespace fedstein {

struct LiveText {
  std::string type = "application/json";
  std::function<std::string()> text = {};
  // Why the answer is 503, which is then the text; empty: it is 200. Unset: never.
  std::function<std::string()> trouble = {};
  bool open_to_all = false;  // the token is not asked for
};

struct LivePageOptions {
  // Called about once a second, from a thread of the page's, while somebody looks.
  std::function<Board::Parts()> parts = {};
  std::map<std::string, LiveText> texts = {};  // by path: "/status"
  std::string token_file = {};                 // empty: everybody on this machine may look
  int port = 0;                                // on loopback; 0: `wish`, or any that is free
  std::string port_name = "port";              // the setting that `port` comes from
  int wish = 0;                                // 0: none
  int patience_seconds = 5;  // in which a viewer must take something; who does not comes back by itself
  // Where else it is served, over TLS and for holders of the token; HOST:PORT. Empty: nowhere.
  std::string address = {};
  std::string certificate = {};  // files, for `address`
  std::string key = {};
};

class LivePage {
 public:
  // Serves until it is destroyed; open pages are shown the last state before that. Throws AddressUnavailable for a port
  // that is taken, and what is wrong with the token's file.
  explicit LivePage(LivePageOptions options);
  ~LivePage();
  LivePage(const LivePage&) = delete;
  LivePage& operator=(const LivePage&) = delete;

  int port() const;  // on loopback
  // "http://127.0.0.1:41234/"
  std::string url() const;

 private:
  class Server;
  std::unique_ptr<Server> server_;
};

}  // namespace fedstein
