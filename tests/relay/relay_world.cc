// SPDX-License-Identifier: Apache-2.0
#include "relay/relay_world.h"

#include <sstream>
#include <utility>

#include "fedstein/algorithm/federation.h"
#include "fedstein/methods/registry.h"
#include "fedstein/store/agent_folder.h"
#include "support/random_matrix.h"

namespace fedstein {
namespace {

constexpr Index kFeatures = 3;

std::string line_of(const Algorithm& algorithm, const std::string& key, const std::string& value) {
  for (const Setting& setting : algorithm.settings) {
    if (setting.key == key) return key + " = " + value + "\n";
  }
  return {};
}

// KEY=VALUE as TOML.
std::string toml_of(const Algorithm& algorithm, const std::string& text) {
  if (text.empty()) return {};
  const std::size_t equals = text.find('=');
  const std::string key = text.substr(0, equals);
  const std::string value = text.substr(equals + 1);
  for (const Setting& setting : algorithm.settings) {
    if (setting.key == key && !setting.choices.empty()) return key + " = \"" + value + "\"\n";
  }
  return key + " = " + value + "\n";
}

}  // namespace

const std::vector<Fate>& all_fates() {
  static const std::vector<Fate> kAll = {Fate::kLostTask,
                                         Fate::kLostReply,
                                         Fate::kEngineFails,
                                         Fate::kEngineFailsLate,
                                         Fate::kServerDies,
                                         Fate::kServerDiesLate,
                                         Fate::kDoubled};
  return kAll;
}

RelayWorld::RelayWorld(RelayCase which) : which_(std::move(which)) {
  for (Index k = 0; k < which_.agents; ++k) {
    OwnRows own{random_matrix(14 + 11 * k, kFeatures, 7 + static_cast<std::uint64_t>(k)), Vector(14 + 11 * k)};
    for (Index row = 0; row < own.x.rows(); ++row) own.y(row) = own.x(row, 0) - own.x(row, 1) > 0.2 ? 1 : -1;
    rows_.push_back(std::move(own));
    nodes["node-" + std::to_string(k)] = {.name = name_of(k), .state = state_of(k), .rows_of = k};
  }
  options.hub.probe_seconds = 0.2;
  options.hub.first_pause_seconds = 0.01;
  options.hub.most_pause_seconds = 0.1;
}

FederationPlan RelayWorld::plan() const {
  const Algorithm& algorithm = algorithm_named(which_.algorithm);
  std::string scheduler = which_.scheduler;
  if (scheduler.empty()) scheduler = algorithm.parallel ? "all" : "round-robin";
  std::ostringstream text;
  text << "[experiment]\nname = \"relayed\"\npreset = \"paper\"\ndataset = \"rows.csv\"\nseed = 5\ntrials = 1\n"
       << "agents = " << which_.agents << "\nscaling = \"" << which_.scaling << "\"\n[federation]\nscheduler = \""
       << scheduler << "\"\n"
       << (scheduler == "fraction" ? "fraction = 0.67\n" : "") << "rounds = " << which_.rounds
       << "\n[evaluation]\nbins = 5\n[[algorithm]]\ntype = \"" << which_.algorithm << "\"\n"
       << line_of(algorithm, "particles", "4") << line_of(algorithm, "local_steps", "5")
       << toml_of(algorithm, which_.setting) << "[server]\nfeatures = " << kFeatures << "\nlinger_seconds = 20\n"
       << "state = \"" << server_state() << "\"\n"
       << which_.server_table;
  return parse_federation(text.str(), "the test", {});
}

AgentData RelayWorld::data(Index agent) const {
  return {.rows = rows_[static_cast<std::size_t>(agent)]};
}

void RelayWorld::tell(const std::string& line) {
  const std::lock_guard lock(mutex_);
  told_.push_back(line);
}

bool RelayWorld::was_told(const std::string& part) const {
  return all_told().find(part) != std::string::npos;
}

std::string RelayWorld::all_told() const {
  const std::lock_guard lock(mutex_);
  std::string out;
  for (const std::string& line : told_) out += line + "\n";
  return out;
}

std::vector<RoundRecord> RelayWorld::records() const {
  const std::lock_guard lock(mutex_);
  return records_;
}

Parcel RelayWorld::answer_of(const std::string& node, const Parcel& message) {
  const Station& station = nodes.at(node);
  AgentRelay agent(data(station.rows_of),
                   {.name = station.name,
                    .state = station.state,
                    .forget_factor = station.forget_factor,
                    .on_event = [&](const std::string& line) { tell(station.name + ": " + line); }});
  return agent.answer(message);
}

ServerRelay& RelayWorld::server() {
  if (server_) return *server_;
  ServerRelayOptions these = options;
  these.server.on_event = [this](const std::string& line) { tell(line); };
  these.server.on_round = [this](const RoundRecord& record, const FederationPlan&) {
    const std::lock_guard lock(mutex_);
    records_.push_back(record);
  };
  server_ = std::make_unique<ServerRelay>(plan(), these);
  return *server_;
}

void RelayWorld::deliver(const RelayDispatch& dispatch) {
  const Fate now = fate ? fate(++events_, dispatch) : Fate::kDelivered;
  if (now == Fate::kLostTask) return;
  if (now == Fate::kServerDies) return server_.reset();
  if (now == Fate::kEngineFails) return server().fail(dispatch.serial, Failure::Kind::kLost, "the node is unavailable");
  Parcel answer = answer_of(dispatch.node, dispatch.parcel);
  if (tamper) answer = tamper(dispatch, std::move(answer));
  if (now == Fate::kLostReply) return;
  if (now == Fate::kServerDiesLate) return server_.reset();
  if (now == Fate::kEngineFailsLate) return server().fail(dispatch.serial, Failure::Kind::kBroken, "it has crashed");
  server().take(dispatch.serial, answer);
  if (now == Fate::kDoubled) server().take(dispatch.serial, answer);
}

bool RelayWorld::crank(const std::function<bool()>& done, double seconds) {
  const auto until = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  while (!done()) {
    if (Clock::now() > until) return false;
    std::vector<RelayNode> present;
    for (const auto& [id, station] : nodes) present.push_back({id, station.key});
    server().see(present);
    if (server().is_over()) return done();
    for (const RelayDispatch& dispatch : server().dispatches(0.02)) {
      deliver(dispatch);
      if (!server_) break;  // its other messages died with it
    }
  }
  return true;
}

ServedRun RelayWorld::run() {
  if (!crank([&] { return server().is_over(); }, 60)) throw std::runtime_error("no end:\n" + all_told());
  ServedRun out = server().result();
  server_.reset();
  return out;
}

RelayWorld::Result RelayWorld::in_process() const {
  const FederationPlan federation = plan();
  const AlgorithmPlan& algorithm = federation.algorithm();
  const auto model = federation.make_model(kFeatures, 2);
  std::vector<Batch> shards;
  std::vector<Index> rows;
  for (const OwnRows& own : rows_) {
    shards.push_back({own.x, own.y});
    rows.push_back(own.x.rows());
  }
  Federation local(*algorithm.method, algorithm.settings, *model, shards, {.seed = federation.seed});
  const auto scheduler = make_scheduler(algorithm.scheduler, rows, federation.seed);
  local.run({.rounds = algorithm.rounds, .scheduler = scheduler.get()});
  Result out{local.particles(), {}};
  for (Index k = 0; k < local.agents(); ++k) out.states.push_back(local.agent(k).save());
  return out;
}

std::vector<std::string> RelayWorld::states() const {
  std::vector<std::string> out;
  for (Index k = 0; k < which_.agents; ++k) {
    out.push_back(agent_record_from(*AgentFolder(state_of(k)).read()).side_state);
  }
  return out;
}

}  // namespace fedstein
