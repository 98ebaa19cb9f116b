// SPDX-License-Identifier: Apache-2.0
// The forms in which a server's report is written.
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "fedstein/metrics/calibration.h"
#include "status_page.h"

namespace fedstein {
namespace {

using Json = nlohmann::ordered_json;

// The federated reliability diagram: the sum of what agents sent, of the newest belief that anybody judged.
struct FederatedCalibration {
  Index version = -1;
  std::vector<ReliabilityBin> bins = {};
};

FederatedCalibration calibration_of(const DeskStatus& desk) {
  FederatedCalibration out;
  for (const AgentStatus& agent : desk.agents) {
    if (!agent.calibration.bins.empty()) out.version = std::max(out.version, agent.calibration.version);
  }
  for (const AgentStatus& agent : desk.agents) {
    const auto& bins = agent.calibration.bins;
    if (bins.empty() || agent.calibration.version != out.version) continue;
    if (out.bins.empty()) out.bins.resize(bins.size());
    if (out.bins.size() != bins.size()) continue;
    for (std::size_t i = 0; i < bins.size(); ++i) {
      out.bins[i].count += bins[i].count;
      out.bins[i].correct += bins[i].correct;
      out.bins[i].confidence_sum += bins[i].confidence_sum;
    }
  }
  return out;
}

Json calibration_json(const DeskStatus& desk) {
  const FederatedCalibration sum = calibration_of(desk);
  std::int64_t rows = 0;
  for (const ReliabilityBin& bin : sum.bins) rows += bin.count;
  if (rows == 0) return nullptr;
  double expected = 0;
  double largest = 0;
  Json bins = Json::array();
  for (const ReliabilityBin& bin : sum.bins) {
    bins.push_back({{"count", bin.count}, {"correct", bin.correct}, {"confidence_sum", bin.confidence_sum}});
    if (bin.count == 0) continue;
    const double gap = std::abs(static_cast<double>(bin.correct) - bin.confidence_sum) / static_cast<double>(bin.count);
    expected += gap * static_cast<double>(bin.count) / static_cast<double>(rows);
    largest = std::max(largest, gap);
  }
  return {{"version", sum.version}, {"rows", rows}, {"ece", expected}, {"mce", largest}, {"bins", bins}};
}

Json agent_json(const AgentStatus& agent) {
  Json out{{"name", agent.name},
           {"enrolled", agent.enrolled},
           {"attached", agent.attached},
           {"left", agent.left},
           {"rows", agent.rows},
           {"last_folded", agent.last_folded},
           {"lapses", agent.lapses},
           {"bytes_in", agent.bytes_in},
           {"bytes_out", agent.bytes_out},
           {"refusals", agent.refusals}};
  out["lease_left_seconds"] = agent.lease_left_seconds < 0 ? Json(nullptr) : Json(agent.lease_left_seconds);
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
                 {"calibration", calibration_json(desk)},
                 {"stranger_refusals", desk.stranger_refusals},
                 {"agents", agents}};
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
  out.family("figure", "gauge", "The last round's figures.");
  for (const auto& [name, value] : report.figures) out.sample("name=\"" + name + "\"", value);
  if (const Json calibration = calibration_json(desk); !calibration.is_null()) {
    out.family("calibration_error", "gauge", "Of the agents' test rows together.");
    out.sample("kind=\"expected\"", calibration["ece"].get<double>());
    out.sample("kind=\"maximum\"", calibration["mce"].get<double>());
  }
  return out.text();
}

std::string report_text(const std::string& json) {
  const Json report = Json::parse(json);
  std::ostringstream out;
  out << report["name"].get<std::string>() << " (" << report["algorithm"].get<std::string>() << ") at "
      << report["address"].get<std::string>() << ": " << report["state"].get<std::string>() << ", round "
      << report["round"] << " of " << report["rounds"] << "\n";
  for (const auto& [name, value] : report["figures"].items()) out << "  " << name << " " << value << "\n";
  if (const Json& calibration = report["calibration"]; !calibration.is_null()) {
    out << "  federated calibration over " << calibration["rows"] << " test rows: ece " << calibration["ece"]
        << ", mce " << calibration["mce"] << "\n";
  }
  for (const Json& agent : report["agents"]) {
    std::int64_t refusals = 0;
    for (const auto& [kind, count] : agent["refusals"].items()) refusals += count.get<std::int64_t>();
    const char* state = agent["left"].get<bool>()       ? "left"
                        : agent["attached"].get<bool>() ? "here"
                        : agent["enrolled"].get<bool>() ? "away"
                                                        : "not enrolled";
    out << "  " << agent["name"].get<std::string>() << ": " << state << ", " << agent["rows"]
        << " rows, last counted in round " << agent["last_folded"] << ", " << agent["lapses"] << " lapses, " << refusals
        << " refusals, " << agent["bytes_in"] << " bytes in, " << agent["bytes_out"] << " out";
    if (!agent["lease_left_seconds"].is_null()) out << ", lease " << agent["lease_left_seconds"] << " s";
    out << "\n";
  }
  return out.str();
}

}  // namespace fedstein
