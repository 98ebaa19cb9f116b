// SPDX-License-Identifier: Apache-2.0
// The forms in which a server's report is written.
#include <nlohmann/json.hpp>
#include <sstream>

#include "fedstein/base/error.h"
#include "fedstein/base/text.h"
#include "fedstein/experiment/table.h"
#include "status_page.h"

namespace fedstein {
namespace {

using Json = nlohmann::ordered_json;

Json evaluation_json(const DeskStatus& desk) {
  if (!desk.evaluated) return nullptr;
  Json agents = Json::array();
  for (const Index agent : desk.evaluated->agents) agents.push_back(desk.agents[static_cast<std::size_t>(agent)].name);
  return {{"round", desk.evaluated->round},
          {"rows", desk.evaluated->sums.rows},
          {"agents", agents},
          {"figures", desk.evaluated->figures()}};
}

Json calibration_json(const DeskStatus& desk) {
  if (!desk.evaluated || desk.evaluated->sums.bins.empty()) return nullptr;
  Json bins = Json::array();
  for (const ReliabilityBin& bin : desk.evaluated->sums.bins) {
    bins.push_back({{"count", bin.count}, {"correct", bin.correct}, {"confidence_sum", bin.confidence_sum}});
  }
  const std::map<std::string, double> figures = desk.evaluated->figures();
  return {{"version", desk.evaluated->round},
          {"rows", desk.evaluated->sums.rows},
          {"accuracy", figures.at("accuracy")},
          {"ece", figures.at("ece")},
          {"mce", figures.at("mce")},
          {"bins", bins}};
}

Json agent_json(const AgentStatus& agent) {
  Json out{{"name", agent.name},
           {"enrolled", agent.enrolled},
           {"attached", agent.attached},
           {"left", agent.left},
           {"rows", agent.rows},
           {"last_folded", agent.last_folded},
           {"waited_for", agent.waited_for},
           {"barred", agent.bar},
           {"lapses", agent.lapses},
           {"missed_deadlines", agent.missed_deadlines},
           {"failures", agent.failures},
           {"evaluated_round", agent.evaluated_round},
           {"test_rows", agent.evaluated_rows},
           {"bytes_in", agent.bytes_in},
           {"bytes_out", agent.bytes_out},
           {"refusals", agent.refusals}};
  out["lease_left_seconds"] = agent.lease_left_seconds < 0 ? Json(nullptr) : Json(agent.lease_left_seconds);
  return out;
}

Json event_json(const ServerEvent& event) {
  return {{"at", event.at},
          {"kind", name_of(event.kind)},
          {"agent", event.agent},
          {"detail", event.detail},
          {"reason", event.reason},
          {"times", event.times}};
}

Json door_json(const DoorStatus& door) {
  Json out{{"open", door.open},
           {"unidentified", door.unidentified},
           {"accepted", door.accepted},
           {"closed",
            {{"silent", door.closed_silent},
             {"crowded", door.closed_crowded},
             {"surplus", door.closed_surplus},
             {"greedy", door.closed_greedy}}},
           {"failed_handshakes", door.failed_handshakes},
           {"failed_accepts", door.failed_accepts}};
  out["trouble"] = door.trouble.empty() ? Json(nullptr) : Json(door.trouble);
  return out;
}

// Prometheus asks for quotes and backslashes to be escaped; names of ours have neither.
class MetricsText {
 public:
  void family(const char* name, const char* kind, const char* help) {
    name_ = name;
    text_ << "# HELP fedstein_" << name << " " << help << "\n# TYPE fedstein_" << name << " " << kind << "\n";
  }
  template <typename Number>
  void sample(const std::string& labels, Number value) {
    text_ << "fedstein_" << name_ << (labels.empty() ? "" : "{" + labels + "}") << " " << value << "\n";
  }
  std::string text() const { return text_.str(); }

 private:
  std::string name_;
  std::ostringstream text_;
};

}  // namespace

std::string report_json(const ServerReport& report) {
  const DeskStatus& desk = report.desk;
  Json agents = Json::array();
  for (const AgentStatus& agent : desk.agents) agents.push_back(agent_json(agent));
  Json events = Json::array();
  for (const ServerEvent& event : desk.events) events.push_back(event_json(event));
  const Json out{{"name", report.name},
                 {"run", desk.run},
                 {"algorithm", report.algorithm},
                 {"address", report.address},
                 {"state",
                  desk.finished ? "finished"
                  : desk.begun  ? "running"
                                : "enrolling"},
                 {"round", desk.closed_round},
                 {"rounds", report.rounds},
                 {"payload_up", desk.payload_up},
                 {"payload_down", desk.payload_down},
                 {"figures", report.figures},
                 {"evaluation", evaluation_json(desk)},
                 {"calibration", calibration_json(desk)},
                 {"stranger_refusals", desk.stranger_refusals},
                 {"connections", door_json(report.door)},
                 {"trust_trouble", report.trust_trouble},
                 {"agents", agents},
                 {"events", events}};
  return out.dump(2) + "\n";
}

std::string report_metrics(const ServerReport& report) {
  MetricsText out;
  const DeskStatus& desk = report.desk;
  const auto label = [](const AgentStatus& agent) { return "agent=\"" + agent.name + "\""; };
  out.family("rounds_closed", "counter", "Rounds that are over.");
  out.sample("", desk.closed_round);
  out.family("rounds_planned", "gauge", "Rounds that the run has in all.");
  out.sample("", report.rounds);
  out.family("payload_bytes_total", "counter", "Numbers exchanged, without headers.");
  out.sample("direction=\"up\"", desk.payload_up);
  out.sample("direction=\"down\"", desk.payload_down);
  out.family("agent_attached", "gauge", "1 while the agent's line is open.");
  for (const AgentStatus& agent : desk.agents) out.sample(label(agent), agent.attached ? 1 : 0);
  out.family("agent_last_folded_round", "gauge", "The last round that took the agent's update in.");
  for (const AgentStatus& agent : desk.agents) out.sample(label(agent), agent.last_folded);
  out.family("agent_lapses_total", "counter", "Leases that ran out.");
  for (const AgentStatus& agent : desk.agents) out.sample(label(agent), agent.lapses);
  out.family("agent_missed_deadlines_total", "counter", "Rounds whose deadline passed without the agent's update.");
  for (const AgentStatus& agent : desk.agents) out.sample(label(agent), agent.missed_deadlines);
  out.family("agent_failures_total", "counter", "Updates and settlings that failed at the agent.");
  for (const AgentStatus& agent : desk.agents) out.sample(label(agent), agent.failures);
  out.family("agent_barred", "gauge", "1 while the agent cannot take part: its certificate is revoked.");
  for (const AgentStatus& agent : desk.agents) out.sample(label(agent), agent.bar.empty() ? 0 : 1);
  out.family("agent_bytes_total", "counter", "Messages, as they travel inside TLS.");
  for (const AgentStatus& agent : desk.agents) {
    out.sample(label(agent) + ",direction=\"in\"", agent.bytes_in);
    out.sample(label(agent) + ",direction=\"out\"", agent.bytes_out);
  }
  out.family("refusals_total", "counter", "Calls and uploads that were turned away.");
  for (const AgentStatus& agent : desk.agents) {
    for (const auto& [kind, count] : agent.refusals) out.sample(label(agent) + ",kind=\"" + kind + "\"", count);
  }
  for (const auto& [kind, count] : desk.stranger_refusals) out.sample("agent=\"\",kind=\"" + kind + "\"", count);
  out.family("revocation_list_trouble", "gauge", "1 while the revocation list's file cannot be used.");
  out.sample("", report.trust_trouble.empty() ? 0 : 1);
  const DoorStatus& door = report.door;
  out.family("connections", "gauge", "Open connections.");
  out.sample("identified=\"yes\"", door.open - door.unidentified);
  out.sample("identified=\"no\"", door.unidentified);
  out.family("connections_closed_total", "counter", "Connections that the server closed for what they cost.");
  out.sample("reason=\"silent\"", door.closed_silent);
  out.sample("reason=\"crowded\"", door.closed_crowded);
  out.sample("reason=\"surplus\"", door.closed_surplus);
  out.sample("reason=\"greedy\"", door.closed_greedy);
  out.family("accepts_failed_total", "counter", "Connections that could not be accepted.");
  out.sample("", door.failed_accepts);
  out.family("accepting", "gauge", "1 while connections can be accepted.");
  out.sample("", door.trouble.empty() ? 1 : 0);
  out.family("figure", "gauge", "The latest figures; those of evaluated_round are a round older than the others.");
  for (const auto& [name, value] : report.figures) out.sample("name=\"" + name + "\"", value);
  if (desk.evaluated) {
    out.family("evaluated_round", "gauge", "The round whose belief the agents' figures are of.");
    out.sample("", desk.evaluated->round);
    out.family("evaluated_rows", "gauge", "Test rows of the agents that have evaluated it.");
    out.sample("", desk.evaluated->sums.rows);
  }
  if (const Json calibration = calibration_json(desk); !calibration.is_null()) {
    out.family("calibration_error", "gauge", "Of the agents' test rows together.");
    out.sample("kind=\"expected\"", calibration["ece"].get<double>());
    out.sample("kind=\"maximum\"", calibration["mce"].get<double>());
  }
  return out.text();
}

namespace {

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
  if (agent.at("waited_for").get<bool>()) out << ", the round waits for it";
  if (!agent.at("lease_left_seconds").is_null())
    out << ", lease " << figure_text(agent.at("lease_left_seconds")) << " s";
  return out.str() + "\n";
}

constexpr const char* kNoServer = "what answers at this port is no fedstein server, or one of another version";

}  // namespace

std::string report_text(const std::string& json) try {
  if (json_nesting(json) > kMostJsonNesting) throw Error(ErrorKind::kUnavailable, kNoServer);
  const Json report = Json::parse(json);
  std::ostringstream out;
  out << report.at("name").get<std::string>() << " (" << report.at("algorithm").get<std::string>() << ") at "
      << report.at("address").get<std::string>() << ": " << report.at("state").get<std::string>() << ", round "
      << report.at("round") << " of " << report.at("rounds") << "\n";
  for (const auto& [name, value] : report.at("figures").items())
    out << "  " << name << " " << figure_text(value) << "\n";
  if (const Json& evaluation = report.at("evaluation"); !evaluation.is_null()) {
    out << "  evaluated: the belief after round " << evaluation.at("round") << ", by " << evaluation.at("agents").size()
        << " of " << report.at("agents").size() << " agents\n";
  }
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
