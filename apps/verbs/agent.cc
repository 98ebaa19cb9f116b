// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <iostream>
#include <memory>

#include "fedstein/files/missing_input.h"
#include "fedstein/files/read_file.h"
#include "fedstein/network/agent_link_to.h"
#include "fedstein/numeric/check.h"
#include "fedstein/rpc/rpc_server.h"
#include "fedstein/serving/federation_agent.h"
#include "running.h"
#include "stop_signal.h"
#include "terminal.h"
#include "verbs/verbs.h"

namespace fedstein {
namespace {

struct AgentArguments {
  std::string server = {};
  AgentIdentity identity = {};
  std::string state = {};
  AgentData data = {};
  bool forget_factor = false;
  bool quiet = false;
};

// Where the rows come from, looked at before anybody is called.
void check_data(const AgentData& data) {
  check_argument(data.simulate || !data.file.empty(),
                 "agent",
                 "no data; give --data FILE, or --simulate for a share of the experiment's dataset");
  check_argument(
      !data.simulate || data.file.empty(), "agent", "--data and --simulate are both given; only one can be meant");
  check_argument(!data.simulate || data.test_file.empty(),
                 "agent",
                 "--test-data is given with --simulate, which tests on its share of the dataset; leave it out");
  check_argument(data.label_file.empty() || !data.file.empty(), "agent", "--labels is given without --data");
  check_argument(
      data.test_label_file.empty() || !data.test_file.empty(), "agent", "--test-labels is given without --test-data");
  for (const std::string& file : {data.file, data.label_file, data.test_file, data.test_label_file}) {
    if (!file.empty()) require_ordinary_file(file);
  }
}

int run(const AgentArguments& arguments) {
  require_tls_1_3();
  umask(S_IRWXG | S_IRWXO);  // what an agent keeps says something about its rows
  const StopSignal signal;
  check_data(arguments.data);
  FederationAgentOptions options{.state = arguments.state, .forget_factor = arguments.forget_factor};
  options.on_event = [](const std::string& event) { std::cerr << "agent: " + event + "\n"; };
  if (!arguments.quiet) {
    options.on_round = [](const std::string& line) { std::cout << line << std::endl; };
  }
  FederationAgent agent(agent_link_to(arguments.server, arguments.identity), arguments.data, std::move(options));
  const std::stop_callback on_stop(signal.token(), [&] { agent.stop(); });
  const AgentRunner::Ending ending = agent.run();
  std::cout << (ending == AgentRunner::Ending::kRunIsOver ? "the run is over\n" : "stopped; start again to go on\n");
  return 0;
}

}  // namespace

void add_agent(CLI::App& program, Outcome& outcome) {
  auto arguments = std::make_shared<AgentArguments>();
  CLI::App* verb = program.add_subcommand("agent", "Runs one agent of a networked federation, with its own data");
  verb->add_option("server", arguments->server, "the server")->required()->type_name("HOST:PORT");
  verb->add_option(
          "--data", arguments->data.file, "file with this agent's rows, laid out as the server's table [data] says")
      ->type_name("FILE");
  verb->add_option("--test-data",
                   arguments->data.test_file,
                   "file with test rows, to evaluate predictions on; only sums over all of them are sent, and none "
                   "over fewer than 10")
      ->type_name("FILE");
  verb->add_option("--labels", arguments->data.label_file, "for format idx: the file with the labels of --data")
      ->type_name("FILE");
  verb->add_option(
          "--test-labels", arguments->data.test_label_file, "for format idx: the file with the labels of --test-data")
      ->type_name("FILE");
  verb->add_option("--ignore",
                   arguments->data.table.ignore,
                   "columns of these files to leave out, because the federation does not know them")
      ->type_name("NAME");
  verb->add_flag(
      "--simulate", arguments->data.simulate, "use this agent's share of the experiment's dataset, instead of --data");
  arguments->data.data_folder = data_folder();
  verb->add_option("--data-folder",
                   arguments->data.data_folder,
                   "with --simulate: folder of the datasets; default: $FEDSTEIN_DATA")
      ->type_name("FOLDER");
  verb->add_option("--state", arguments->state, "folder in which the agent keeps its state between rounds")
      ->required()
      ->type_name("FOLDER");
  verb->add_option(
          "--certificate", arguments->identity.certificate, "the agent's certificate, NAME.crt of `fedstein ca issue`")
      ->type_name("FILE");
  verb->add_option("--key", arguments->identity.key, "the agent's private key, NAME.key")->type_name("FILE");
  verb->add_option("--authority", arguments->identity.authority, "the authority's certificate, ca.crt")
      ->type_name("FILE");
  verb->add_option(
          "--insecure", arguments->identity.insecure_name, "use no certificate, and this name; works on loopback only")
      ->type_name("NAME");
  verb->add_flag("--forget-factor",
                 arguments->forget_factor,
                 "give up a lost or outdated state. What this agent contributed before stays in the posterior, so its "
                 "data count twice from now on; the server records that. The old state is kept beside the new one");
  verb->add_flag("--quiet", arguments->quiet, "do not print a line per round");
  verb->footer(
      "Examples:\n"
      "  fedstein agent fed.example.org:7410 --data rows.csv --state state --certificate hospital-a.crt \\\n"
      "      --key hospital-a.key --authority ca.crt\n"
      "If the server cannot be reached the agent tries again. A mistake, such as a wrong certificate or no data, ends\n"
      "the agent with one sentence.\n"
      "SIGTERM and Ctrl-C stop the agent. Started again it continues; that holds after kill -9 too.");
  verb->callback([arguments, &outcome] { outcome.exit_code = run(*arguments); });
}

}  // namespace fedstein
