// SPDX-License-Identifier: Apache-2.0
// What a server tells about itself: as JSON, as Prometheus text, and for people.
#pragma once

#include <map>
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
  double seconds_left = -1;                    // below 0: not known
  std::string trust_trouble = {};              // what is wrong with the revocation list; empty: nothing
};

std::string report_json(const ServerReport& report);
std::string report_metrics(const ServerReport& report);
// For people; `json` is what report_json wrote, or a run with --live.
std::string report_text(const std::string& json);
// The same in one line: round, agents, figures, time left.
std::string report_line(const std::string& json);
// Whether nothing more is to come.
bool is_over(const std::string& json);

}  // namespace fedstein
