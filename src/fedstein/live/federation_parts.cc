// SPDX-License-Identifier: Apache-2.0
#include "fedstein/live/federation_parts.h"

#include <nlohmann/json.hpp>

#include "fedstein/live/series_parts.h"

namespace fedstein {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kShownEvents = 60;  // the latest: with all that the log keeps, a flood would fill every line

std::string line_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::int64_t total(const std::map<std::string, std::int64_t>& counts) {
  std::int64_t out = 0;
  for (const auto& [kind, count] : counts) out += count;
  return out;
}

// What changes seldom apart from what changes in every round.
void show_agent(Board::Parts& parts, std::size_t number, const AgentStatus& agent) {
  const std::string name = "agent." + std::to_string(number);
  parts[name] = line_of({{"name", agent.name},
                         {"state", state_of(agent)},
                         {"waited_for", agent.waited_for},
                         {"since", agent.away_since},
                         {"why", agent.bar.empty() ? agent.away_because : agent.bar},
                         {"rows", agent.rows}});
  // As web/src/live/parts.ts names them.
  parts[name + ".counts"] = line_of(Json::array({agent.last_folded,
                                                 agent.lapses,
                                                 agent.missed_deadlines,
                                                 agent.failures,
                                                 total(agent.refusals),
                                                 agent.bytes_in,
                                                 agent.bytes_out}));
}

Json events_json(const DeskStatus& desk) {
  Json out = Json::array();
  const std::size_t count = desk.events.size();
  for (std::size_t i = count > kShownEvents ? count - kShownEvents : 0; i < count; ++i) {
    const ServerEvent& event = desk.events[i];
    out.push_back({{"at", event.at},
                   {"kind", name_of(event.kind)},
                   {"agent", event.agent},
                   {"detail", event.detail},
                   {"reason", event.reason},
                   {"times", event.times}});
  }
  return out;
}

}  // namespace

const char* state_of(const AgentStatus& agent) {
  if (!agent.bar.empty()) return "barred";
  if (agent.left) return "left";
  if (!agent.enrolled) return "new";
  if (!agent.attached) return "away";
  return agent.waited_for ? "working" : "here";
}

void show_federation(Board::Parts& parts, const FederationFacts& facts, const DeskStatus& desk) {
  std::vector<std::string> troubles;
  for (const std::string& one : facts.troubles) {
    if (!one.empty()) troubles.push_back(one);
  }
  parts["federation"] = line_of({{"state",
                                  desk.finished ? "finished"
                                  : desk.begun  ? "running"
                                                : "enrolling"},
                                 {"round", desk.closed_round},
                                 {"rounds", facts.rounds},
                                 {"address", facts.address},
                                 {"strangers", total(desk.stranger_refusals)},
                                 {"troubles", troubles}});
  for (std::size_t i = 0; i < desk.agents.size(); ++i) show_agent(parts, i, desk.agents[i]);
  parts["events"] = line_of(events_json(desk));
  if (desk.evaluated) show_reliability(parts, {.label = facts.label}, desk.evaluated->round, desk.evaluated->sums.bins);
}

}  // namespace fedstein
