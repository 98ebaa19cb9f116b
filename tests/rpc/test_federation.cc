// SPDX-License-Identifier: Apache-2.0
#include "rpc/test_federation.h"

#include <unistd.h>

#include <algorithm>
#include <random>

#include "fedstein/federated/coordinator.h"
#include "fedstein/files/read_file.h"
#include "fedstein/files/whole_file.h"
#include "fedstein/methods/registry.h"
#include "fedstein/network/network_server.h"
#include "fedstein/numeric/check.h"
#include "fedstein/store/agent_folder.h"
#include "fedstein/trust/authority.h"
#include "support/hand_cranked.h"

namespace fedstein {
namespace {

constexpr std::uint64_t kSeed = 11;

Settings small_settings(const Algorithm& algorithm, const TestCase& which) {
  Settings settings(algorithm.settings);
  if (settings.has("particles")) settings.set("particles", which.particles);
  if (settings.has("local_steps")) settings.set("local_steps", Index{5});
  if (!which.setting.empty()) settings.set_from_text(which.setting);
  return settings;
}

struct Recorder : Observer {
  Next on_round(RoundRecord& record, const Particles& /*particles*/) override {
    records.push_back(record);
    return Next::kContinue;
  }
  std::vector<RoundRecord> records;
};

class TestWorkshop : public AgentWorkshop {
 public:
  TestWorkshop(const AgentArguments& arguments, AgentLink& link, AgentDisk& disk)
      : arguments_(arguments), federation_(arguments.which), link_(link), disk_(disk) {}

  AgentFacts prepare(const Charter& charter) override {
    agent_ = charter.agent;
    return {.algorithm = federation_.algorithm().name,
            .dimension = federation_.dimension(),
            .rows = federation_.rows(agent_),
            .features = arguments_.which.inputs,
            .statistics = {}};
  }
  std::unique_ptr<AgentSide> make_side(const Beginning& beginning) override {
    side_ = federation_.make_agent(agent_, beginning.total_rows);
    if (arguments_.lie) return std::make_unique<LyingAgent>(*side_, arguments_.lie);
    return std::move(side_);
  }
  std::string objection(const Task& task) const override { return objection_to(task.belief, federation_.shapes()); }
  // Comes after every upload: the place to send it again, as a network that doubles messages would.
  std::optional<EvaluationReport> evaluate(Index round, const Matrix& /*particles*/) override {
    if (arguments_.on_evaluate) arguments_.on_evaluate();
    if (arguments_.cannot_judge) throw InvalidArgument("log_densities holds nan in row 0");
    if (const auto bytes = disk_.read(); arguments_.replays && bytes) {
      if (const auto pending = agent_record_from(*bytes).pending) link_.upload(*pending);
    }
    if (round < 1) return std::nullopt;
    return EvaluationReport{.round = round,
                            .sums = {.rows = 20, .log_likelihood = -12, .bins = {{20, 10, 15}}, .brier = 8}};
  }
  void on_event(const std::string& event) override {
    if (arguments_.on_event) arguments_.on_event(event);
  }

 private:
  AgentArguments arguments_;
  TestFederation federation_;
  AgentLink& link_;
  AgentDisk& disk_;
  Index agent_ = 0;
  std::unique_ptr<AgentSide> side_;  // behind the lie
};

}  // namespace

TestFederation::TestFederation(const TestCase& which)
    : which_(which),
      algorithm_(&algorithm_named(which.algorithm)),
      model_(which.inputs),
      settings_(small_settings(*algorithm_, which)) {
  for (Index k = 0; k < which.agents; ++k) {
    Rng rng({.seed = kSeed, .agent = static_cast<std::uint64_t>(k), .round = 0, .purpose = Purpose::kTest});
    Matrix x(8 + 11 * k, which.inputs);  // some have much, some little
    rng.fill_normal(x);
    Vector y(x.rows());
    for (Index row = 0; row < x.rows(); ++row) y(row) = x(row, 0) - x(row, 1) > 0 ? 1 : -1;
    x_.push_back(std::move(x));
    y_.push_back(std::move(y));
  }
}

bool TestFederation::parallel() const {
  return which_.schedule.empty() ? algorithm_->parallel : which_.schedule == "fraction";
}

std::vector<BeliefShape> TestFederation::shapes() const {
  return belief_shapes(*algorithm_, settings_, model_, which_.agents);
}

Index TestFederation::total_rows() const {
  Index total = 0;
  for (Index k = 0; k < which_.agents; ++k) total += rows(k);
  return total;
}

std::unique_ptr<Scheduler> TestFederation::scheduler() const {
  if (parallel()) return std::make_unique<RandomFraction>(which_.agents, which_.fraction, kSeed);
  return std::make_unique<RoundRobin>(which_.agents);
}

std::unique_ptr<ServerSide> TestFederation::make_server() const {
  ServerContext context{.model = &model_, .rows = {}, .seed = kSeed};
  for (Index k = 0; k < which_.agents; ++k) context.rows.push_back(rows(k));
  return algorithm_->make_server(context, settings_);
}

std::unique_ptr<AgentSide> TestFederation::make_agent(Index k, Index total_rows) const {
  const AgentContext context =
      context_of(model_, shard(static_cast<std::size_t>(k)), k, {which_.agents, total_rows}, kSeed);
  return algorithm_->make_agent(context, settings_);
}

std::vector<std::vector<Index>> TestFederation::scheduled() const {
  std::vector<std::vector<Index>> rounds;
  for (Index round = 1; round <= which_.rounds; ++round) rounds.push_back(scheduler()->pick(round));
  return rounds;
}

TestFederation::Result TestFederation::run_in_process() const {
  return run_in_process(scheduled());
}

TestFederation::Result TestFederation::run_in_process(const std::vector<std::vector<Index>>& realised) const {
  std::vector<Batch> shards;
  for (std::size_t k = 0; k < x_.size(); ++k) shards.push_back(shard(k));
  Federation local(*algorithm_, settings_, model_, shards, {.seed = kSeed});
  HandCrankedTransport transport(local.agent_pointers());
  Index round = 0;
  for (const std::vector<Index>& agents : scheduled()) {
    const std::vector<Index>& there = realised.at(static_cast<std::size_t>(round++));
    for (const Index agent : agents) {
      if (std::find(there.begin(), there.end(), agent) != there.end()) continue;
      transport.arrange(round, agent, HandCrankedTransport::Mishap::kDropTask);
    }
  }
  Recorder recorder;
  coordinate(local.server(), *scheduler(), transport, recorder, {.rounds = which_.rounds});
  Result out{local.server().particles(), {}};
  for (Index k = 0; k < local.agents(); ++k) out.states.push_back(local.agent(k).save());
  return out;
}

void make_certificates(const std::string& folder, Index agents) {
  Authority::create(folder, "test-ca", 30);
  const Authority authority(folder);
  const auto keep = [&](const Authority::Request& request) {
    const KeyPair pair = authority.issue(request);
    write_whole_file(folder + "/" + request.name + ".crt", pair.certificate);
    write_whole_file(folder + "/" + request.name + ".key", pair.key, {.mode = FileMode::kPrivate});
  };
  keep({.name = "server", .role = Role::kServer, .hosts = {"localhost", "127.0.0.1"}});
  for (Index k = 0; k < agents; ++k) keep({.name = TestFederation::name_of(k)});
}

KeyPair certificate_of(const std::string& folder, const std::string& name) {
  return {read_file(folder + "/" + name + ".crt"), read_file(folder + "/" + name + ".key")};
}

FederationPlan TestFederation::plan(const std::string& state) const {
  const std::string text =
      "[experiment]\nname = \"test\"\npreset = \"paper\"\ndataset = \"rows.csv\"\nscaling = \"none\"\ntrials = "
      "1\nagents = " +
      std::to_string(which_.agents) + "\n[federation]\nrounds = " + std::to_string(which_.rounds) +
      "\n[[algorithm]]\ntype = \"" + which_.algorithm + "\"\n[server]\nfeatures = " + std::to_string(which_.inputs) +
      "\nstate = \"" + state + "\"\n";
  FederationPlan out = parse_federation(text, "test", {});
  AlgorithmPlan& algorithm = out.plan.cases.front().algorithms.front();
  algorithm.settings = settings_;
  algorithm.scheduler = {.kind = parallel() ? "fraction" : "round-robin", .fraction = which_.fraction};
  out.plan.cases.front().evaluation.bins = 1;  // what TestWorkshop sends
  out.seed = kSeed;
  return out;
}

ServeResult serve(const ServeArguments& arguments) {
  FederationPlan plan = TestFederation(arguments.which).plan(arguments.state);
  plan.server.address = arguments.address;
  plan.server.lease_seconds = arguments.lease_seconds;
  plan.server.deadline_seconds = arguments.patience;
  plan.server.quorum = arguments.quorum;
  plan.server.skips_lapsed = arguments.on_lapse == OnLapse::kSkip;
  plan.server.norm_bound = arguments.norm_bound;
  plan.server.update_bound = arguments.update_bound;
  plan.server.linger_seconds = arguments.linger;
  if (!arguments.certificates.empty()) {
    plan.server.certificate = arguments.certificates + "/server.crt";
    plan.server.key = arguments.certificates + "/server.key";
    plan.server.authority = arguments.certificates + "/ca.crt";
    plan.server.revocations = arguments.certificates + "/ca.crl";
  }
  ServeResult out;
  NetworkServer network(
      std::move(plan),
      {.server = {.on_event = arguments.on_event,
                  .on_round = [&](const RoundRecord& record, const FederationPlan&) { out.records.push_back(record); }},
       .insecure = arguments.certificates.empty(),
       .now = arguments.now});
  if (arguments.on_serving) arguments.on_serving(network.port(), network.server().desk());
  out.particles = network.run().particles;
  out.status = network.server().desk().status();
  return out;
}

AgentLinkOptions link_options(const AgentArguments& arguments) {
  const std::string name = TestFederation::name_of(arguments.agent);
  AgentLinkOptions options{.server = arguments.server, .insecure_name = name};
  options.call_seconds = 5;
  std::random_device random;
  options.instance = (std::uint64_t{random()} << 32) + random() + 1;
  options.most_backoff_seconds = arguments.most_backoff_seconds;
  if (!arguments.certificates.empty()) {
    options.own = certificate_of(arguments.certificates, name);
    options.authority = read_file(arguments.certificates + "/ca.crt");
  }
  return options;
}

AgentRunner::Ending run_agent(const AgentArguments& arguments) {
  GrpcAgentLink link(link_options(arguments));
  AgentFolder disk(arguments.state);
  TestWorkshop workshop(arguments, link, disk);
  AgentRunner runner(link,
                     disk,
                     workshop,
                     {.forget_factor = arguments.forget_factor,
                      .first_backoff_seconds = 0.01,
                      .most_backoff_seconds = arguments.most_backoff_seconds,
                      .jitter_seed = static_cast<std::uint64_t>(getpid())});
  return runner.run();
}

std::string side_state_in(const std::string& state_folder) {
  return agent_record_from(*AgentFolder(state_folder).read()).side_state;
}

}  // namespace fedstein
