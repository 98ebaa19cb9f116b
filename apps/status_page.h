// SPDX-License-Identifier: Apache-2.0
// What a server tells about itself: as JSON, as Prometheus text, on a loopback port.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "fedstein/rpc/door_status.h"
#include "fedstein/serving/desk_status.h"

namespace fedstein {

struct ServerReport {
  DeskStatus desk = {};
  DoorStatus door = {};
  std::string name = {};
  std::string algorithm = {};
  std::string address = {};
  Index rounds = 0;
  std::map<std::string, double> figures = {};  // of the last round that has some
  std::string trust_trouble = {};              // what is wrong with the revocation list; empty: nothing
};

std::string report_json(const ServerReport& report);
std::string report_metrics(const ServerReport& report);
// For people; `json` is what report_json wrote.
std::string report_text(const std::string& json);

// Serves /status, /healthz and /metrics until it is destroyed.
class StatusPage {
 public:
  // health: why the server cannot do its work now; empty: it can. port 0: any. Throws AddressUnavailable when the port
  // is taken.
  StatusPage(int port, std::function<ServerReport()> report, std::function<std::string()> health);
  ~StatusPage();
  int port() const;

 private:
  class Server;
  std::unique_ptr<Server> server_;
};

// GET of a page on this machine; throws AddressUnavailable when nobody answers.
std::string fetch_status(int port, const std::string& page);

}  // namespace fedstein
