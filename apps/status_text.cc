// SPDX-License-Identifier: Apache-2.0
// A server's report for people.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "fedstein/base/error.h"
#include "fedstein/base/text.h"
#include "fedstein/experiment/table.h"
#include "server_report.h"

namespace fedstein {
namespace {

using Json = nlohmann::ordered_json;

// Four digits tell people enough; --json has them all.
std::string figure_text(const Json& value) {
  if (!value.is_number()) return "not finite";
  return digits_text(value.get<double>(), 4);
}

std::string counts_text(const Json& refusals) {
  std::string out;
  for (const auto& [kind, count] : refusals.items()) {
    out += (out.empty() ? "" : ", ") + std::to_string(count.get<std::int64_t>()) + " " + kind;
  }
  return out.empty() ? "none" : out;
}

std::string event_text(const Json& event) {
  const auto word = [&](const char* key) { return event[key].get<std::string>(); };
  const bool is_notice = word("kind") == "notice";
  std::string out = "  " + word("at") + " " + word("kind") + " ";
  if (!is_notice) out += (word("agent").empty() ? "a stranger" : word("agent")) + " ";
  out += "(" + word("detail") + "): " + word("reason");
  if (const auto times = event["times"].get<std::int64_t>(); times > 1) out += " (" + std::to_string(times) + " times)";
  return out + "\n";
}

std::string agent_text(const Json& agent) {
  std::ostringstream out;
  const char* state = !agent.at("barred").get<std::string>().empty() ? "barred"
                      : agent.at("left").get<bool>()                 ? "left"
                      : agent.at("attached").get<bool>()             ? "here"
                      : agent.at("enrolled").get<bool>()             ? "away"
                                                                     : "not enrolled";
  out << "  " << agent.at("name").get<std::string>() << ": " << state << ", " << agent.at("rows")
      << " rows, last counted in round " << agent.at("last_folded") << ", " << agent.at("lapses") << " lapses, "
      << agent.at("missed_deadlines") << " missed deadlines, " << agent.at("failures")
      << " failures, refusals: " << counts_text(agent.at("refusals")) << ", "
      << bytes_text(agent.at("bytes_in").get<double>()) << " in, " << bytes_text(agent.at("bytes_out").get<double>())
      << " out";
  if (const auto since = agent.at("away_since").get<std::string>(); !since.empty()) {
    out << ", away since " << since << ": " << agent.at("away_because").get<std::string>();
  }
  if (agent.at("waited_for").get<bool>()) out << ", the round waits for it";
  if (!agent.at("lease_left_seconds").is_null())
    out << ", lease " << figure_text(agent.at("lease_left_seconds")) << " s";
  return out.str() + "\n";
}

std::string left_text(const Json& report) {
  const Json& seconds = report.at("seconds_left");
  return seconds.is_null() ? "" : ", about " + duration_text(seconds.get<double>()) + " left";
}

// Of `fedstein run --live`.
std::string run_text(const Json& report) {
  std::ostringstream out;
  out << report.at("name").get<std::string>() << ": " << report.at("state").get<std::string>() << ", "
      << report.at("jobs_done") << " of " << report.at("jobs") << " jobs done, round " << report.at("rounds_done")
      << " of " << report.at("rounds") << left_text(report) << "\n";
  if (report.at("jobs_failed") > 0) out << "  " << report.at("jobs_failed") << " jobs failed\n";
  return out.str();
}

constexpr const char* kNoServer = "what answers at this port is no fedstein server, or one of another version";

}  // namespace

std::string report_line(const std::string& json) try {
  if (json_nesting(json) > kMostJsonNesting) throw Error(ErrorKind::kUnavailable, kNoServer);
  const Json report = Json::parse(json);
  if (report.at("kind") == "run") {
    std::string out = run_text(report);
    out.pop_back();
    std::replace(out.begin(), out.end(), '\n', ',');
    return out;
  }
  std::ostringstream out;
  out << report.at("state").get<std::string>() << ", round " << report.at("round") << " of " << report.at("rounds");
  std::size_t here = 0;
  std::string away;
  for (const Json& agent : report.at("agents")) {
    if (agent.at("attached").get<bool>()) ++here;
    if (agent.at("enrolled").get<bool>() && !agent.at("attached").get<bool>()) {
      away += (away.empty() ? "" : ", ") + agent.at("name").get<std::string>();
    }
  }
  out << ", " << here << " of " << report.at("agents").size() << " agents here";
  if (!away.empty()) out << " (away: " << away << ")";
  for (const auto& [name, value] : report.at("figures").items()) out << ", " << name << " " << figure_text(value);
  out << left_text(report);
  return out.str();
} catch (const Json::exception&) {
  throw Error(ErrorKind::kUnavailable, kNoServer);
}

bool is_over(const std::string& json) {
  const Json report = Json::parse(json, nullptr, false);
  if (!report.is_object() || !report.contains("state")) return false;
  return report["state"] == "finished" || report["state"] == "stopped";
}

std::string report_text(const std::string& json) try {
  if (json_nesting(json) > kMostJsonNesting) throw Error(ErrorKind::kUnavailable, kNoServer);
  const Json report = Json::parse(json);
  if (report.at("kind") == "run") return run_text(report);
  std::ostringstream out;
  out << report.at("name").get<std::string>() << " (" << report.at("algorithm").get<std::string>() << ") at "
      << report.at("address").get<std::string>() << ": " << report.at("state").get<std::string>() << ", round "
      << report.at("round") << " of " << report.at("rounds") << left_text(report) << "\n";
  for (const auto& [name, value] : report.at("figures").items())
    out << "  " << name << " " << figure_text(value) << "\n";
  if (const Json& evaluation = report.at("evaluation"); !evaluation.is_null()) {
    out << "  evaluated: the belief after round " << evaluation.at("round") << ", by " << evaluation.at("agents").size()
        << " of " << report.at("agents").size() << " agents\n";
  }
  out << "  numbers exchanged: " << bytes_text(report.at("payload_up").get<double>()) << " to the server, "
      << bytes_text(report.at("payload_down").get<double>()) << " to agents\n";
  if (const Json& calibration = report.at("calibration"); !calibration.is_null()) {
    out << "  federated calibration over " << calibration.at("rows") << " test rows: ece "
        << figure_text(calibration.at("ece")) << ", mce " << figure_text(calibration.at("mce")) << "\n";
  }
  for (const Json& agent : report.at("agents")) out << agent_text(agent);
  const Json& door = report.at("connections");
  std::int64_t closed = 0;
  for (const auto& [reason, count] : door.at("closed").items()) closed += count.get<std::int64_t>();
  out << "  connections: " << door.at("open") << " open, " << door.at("unidentified")
      << " of them without an agent's call; " << closed << " closed"
      << (closed > 0 ? ": " + counts_text(door.at("closed")) : "") << "\n";
  if (door.at("failed_handshakes") > 0) out << "  failed handshakes: " << door.at("failed_handshakes") << "\n";
  if (!door.at("trouble").is_null()) out << "  trouble: " << door.at("trouble").get<std::string>() << "\n";
  if (!report.at("stranger_refusals").empty()) {
    out << "  strangers refused: " << counts_text(report.at("stranger_refusals")) << "\n";
  }
  if (const auto trouble = report.at("trust_trouble").get<std::string>(); !trouble.empty()) {
    out << "  warning: " << trouble << "\n";
  }
  constexpr std::size_t kShown = 10;
  const Json& events = report.at("events");
  const std::size_t first = events.size() > kShown ? events.size() - kShown : 0;
  if (!events.empty()) out << "  latest events" << (first > 0 ? ", of more that --json has" : "") << ":\n";
  for (std::size_t i = first; i < events.size(); ++i) out << event_text(events[i]);
  return out.str();
} catch (const Json::exception&) {
  throw Error(ErrorKind::kUnavailable, kNoServer);
}

}  // namespace fedstein
