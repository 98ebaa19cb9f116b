// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>

#include "federation_plan.h"
#include "fedstein/config/parse.h"
#include "fedstein/federated/coordinator.h"
#include "fedstein/files/read_file.h"
#include "fedstein/numeric/check.h"
#include "fedstein/rpc/address.h"
#include "fedstein/rpc/rpc_server.h"
#include "fedstein/store/sqlite_journal.h"
#include "run_choice.h"
#include "served_posterior.h"
#include "serving_record.h"
#include "status_page.h"
#include "stop_signal.h"
#include "terminal.h"
#include "verbs/verbs.h"

namespace fedstein {
namespace {

constexpr const char* kJournalName = "journal.sqlite";

struct ServeArguments {
  std::string file = {};
  std::string state = {};
  std::string address = {};
  std::string data = {};
  bool insecure = false;
};

// The server half of the algorithm; before enrolment with one row each, for its shapes.
std::unique_ptr<ServerSide> make_server(const FederationPlan& federation,
                                        const Model& model,
                                        const std::vector<Index>& rows) {
  const ServerContext context{.model = &model, .rows = rows, .seed = federation.seed};
  return federation.algorithm().method->make_server(context, federation.algorithm().settings);
}

std::optional<ServerTrust> trust_of(const ServerPlan& plan, bool insecure) {
  if (insecure) return std::nullopt;
  check(!plan.certificate.empty() && !plan.key.empty() && !plan.authority.empty() && !plan.revocations.empty(),
        "[server]",
        "certificate, key, authority and revocations must all be given, or --insecure on loopback");
  return ServerTrust{
      {read_file(plan.certificate), read_private_file(plan.key)}, read_file(plan.authority), plan.revocations};
}

// What is in the state folder already; what comes there is the owner's by the process's umask.
void close_to_others(const std::string& state) {
  for (const std::string name : {kStoreName, kJournalName}) {
    for (const char* ending : {"", "-wal", "-shm", "-lock"}) keep_to_owner(state + "/" + name + ending);
  }
}

// The one line by which people and scripts see that the server is there.
void announce(const FederationPlan& federation, const std::string& address, Index closed_round) {
  const Index rounds = federation.algorithm().rounds;
  std::cout << "serving " << federation.plan.name << " at " << address << ", ";
  if (closed_round >= rounds) {
    std::cout << "all " << rounds << " rounds are done; for " << to_text(federation.server.linger_seconds)
              << " s agents that ask are told so";
  } else {
    std::cout << "round " << closed_round + 1 << " of " << rounds << ", agents";
    for (const std::string& name : federation.server.agents) std::cout << " " << name;
  }
  std::cout << std::endl;
}

// The configuration with the command line's word on it. An address of the file is the file's mistake.
FederationPlan plan_of(const ServeArguments& arguments) {
  FederationPlan federation = load_federation(arguments.file, arguments.data);
  if (!arguments.state.empty()) federation.server.state = arguments.state;
  if (!arguments.address.empty()) {
    check_address("--address", arguments.address, 0);
    federation.server.address = arguments.address;
  }
  try {
    check_address("", federation.server.address, 0);
  } catch (const InvalidArgument&) {
    throw BadConfiguration(
        {{arguments.file,
          "server.address",
          "is '" + federation.server.address + "'; allowed: HOST:PORT or [ADDRESS]:PORT, with a port of 0 to 65535"}});
  }
  return federation;
}

int serve(const ServeArguments& arguments) {
  setenv("GRPC_SSL_CIPHER_SUITES", kTls13OnlyCipherSuites, 1);
  umask(S_IRWXG | S_IRWXO);  // beliefs, updates and statistics of others are nobody else's business
  StopSignal signal;
  const FederationPlan federation = plan_of(arguments);
  const ServerPlan& plan = federation.server;
  const RowShape shape = row_shape(federation);
  const std::unique_ptr<Model> model = federation.make_model(shape.features, shape.classes);
  const std::string charter = federation.charter(shape.features, shape.classes);
  const std::vector<Index> one_each(static_cast<std::size_t>(federation.agents), 1);
  const Belief belief = make_server(federation, *model, one_each)->plan(1, {0}).front().belief;
  const std::optional<ServerTrust> trust = trust_of(plan, arguments.insecure);

  std::error_code problem;
  std::filesystem::create_directories(plan.state, problem);
  if (problem) throw StoreError(plan.state + ": cannot be made: " + problem.message());
  close_to_others(plan.state);
  std::string agreed = charter;
  for (const std::string& name : plan.agents) agreed += "# " + name + "\n";
  SqliteJournal journal(plan.state + "/" + kJournalName, agreed);
  const JournalContents contents = journal.load();
  ServerDesk desk({.agents = plan.agents,
                   .document = charter,
                   .algorithm = federation.algorithm().method->name,
                   .dimension = model->dimension(),
                   .lease_seconds = plan.lease_seconds,
                   .on_lapse = plan.skips_lapsed ? OnLapse::kSkip : OnLapse::kWait,
                   .quorum = plan.quorum,
                   .limits = {.most_bytes = payload_cap(belief), .norm_bound = plan.norm_bound}},
                  journal);
  constexpr std::int64_t kHeaders = 64 << 10;  // everything in a message that is not a belief
  RpcServer server({.address = plan.address,
                    .trust = trust,
                    .most_message_bytes = payload_cap(belief) + kHeaders,
                    .on_refusal = [](const std::string& who,
                                     const std::string& why) { std::cerr << "refused " + who + ": " + why + "\n"; }},
                   desk);
  ServingRecord record(federation, plan.state, contents.closed_round);
  const std::string address = plan.address.substr(0, plan.address.rfind(':') + 1) + std::to_string(server.port());
  std::optional<StatusPage> page;
  if (plan.metrics_port > 0) {
    page.emplace(static_cast<int>(plan.metrics_port), [&] {
      return ServerReport{desk.status(),
                          federation.plan.name,
                          federation.algorithm().label,
                          address,
                          federation.algorithm().rounds,
                          record.last_figures()};
    });
  }
  announce(federation, address, contents.closed_round);
  signal.watch([&] { desk.stop(); });
  try {
    std::vector<Index> rows;
    std::vector<std::string> statistics;
    for (const Enrolment& enrolment : desk.wait_for_enrolment()) {
      rows.push_back(enrolment.rows);
      statistics.push_back(enrolment.statistics);
    }
    const std::unique_ptr<ServerSide> side = make_server(federation, *model, rows);
    if (!contents.server_state.empty()) side->restore(contents.server_state);
    desk.begin(*side);
    CoordinatorOptions options{.first_round = contents.closed_round + 1, .rounds = federation.algorithm().rounds};
    if (plan.deadline_seconds > 0) options.patience = std::chrono::duration<double>(plan.deadline_seconds);
    coordinate(*side, *make_scheduler(federation.algorithm().scheduler, rows, federation.seed), desk, record, options);
    record.finish(side->particles());
    std::cout << save_served_posterior({&federation, shape, rows, statistics, arguments.data}, side->particles())
              << std::endl;
    const auto linger = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(plan.linger_seconds));
    desk.finish({federation.algorithm().rounds, {side->particles()}}, Clock::now() + linger);
    record.calibrate(desk.status());
    std::cout << "the run is over: " << federation.algorithm().rounds << " rounds; " << plan.state << "\n";
    desk.stop();
  } catch (const ServingStopped& stopped) {
    std::cout << stopped.what() << "\n";
  }
  return 0;
}

}  // namespace

void add_serve(CLI::App& program, Outcome& outcome) {
  auto arguments = std::make_shared<ServeArguments>();
  CLI::App* verb = program.add_subcommand("serve", "The server of a networked federation");
  verb->add_option("file", arguments->file, "an experiment with one [[algorithm]], one trial and a table [server]")
      ->required()
      ->type_name("FILE.toml");
  verb->add_option("--state", arguments->state, "another state folder than [server] has")->type_name("FOLDER");
  verb->add_option("--address", arguments->address, "another address than [server] has")->type_name("HOST:PORT");
  arguments->data = data_folder();
  verb->add_flag("--insecure", arguments->insecure, "no certificates; loopback only");
  std::string keys = "Keys of the table [server]:\n";
  for (const Setting& setting : server_settings()) keys += "  " + setting.key + ": " + setting.help + "\n";
  verb->footer(
      "Examples:\n"
      "  fedstein serve federation.toml\n"
      "Stops with SIGTERM or Ctrl-C and goes on when it is started again; kill -9 does no harm.\n" +
      keys);
  verb->callback([arguments, &outcome] { outcome.exit_code = serve(*arguments); });
}

}  // namespace fedstein
