// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <memory>
#include <set>
#include <sstream>
#include <utility>

#include "fedstein/base/exit_codes.h"
#include "fedstein/base/text.h"
#include "fedstein/config/parse.h"
#include "fedstein/files/missing_input.h"
#include "fedstein/files/read_file.h"
#include "fedstein/network/network_server.h"
#include "fedstein/network/serve_objections.h"
#include "fedstein/numeric/check.h"
#include "fedstein/rpc/address.h"
#include "live_server.h"
#include "log_writer.h"
#include "stop_signal.h"
#include "terminal.h"
#include "verbs/verbs.h"

namespace fedstein {
namespace {

struct ServeArguments {
  std::string file = {};
  std::string state = {};
  std::string address = {};
  std::string data = {};
  std::vector<std::string> drop_enrolments = {};
  bool insecure = false;
  bool quiet = false;
};

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

// Where else the live page is, and what it takes to see it.
std::string elsewhere(const ServerPlan& server) {
  std::string out;
  if (!server.live_address.empty()) out += " and https://" + server.live_address + "/";
  if (!server.live_token_file.empty()) out += ", for those who have the token in " + server.live_token_file;
  return out;
}

// The command line's word on the table [server].
void override_with(const ServeArguments& arguments, ServerPlan& server) {
  if (!arguments.state.empty()) server.state = arguments.state;
  if (!arguments.address.empty()) server.address = arguments.address;
}

// Everything that is wrong at once: with the file, and with what it names. A table [server] is looked at even where the
// rest of the file cannot be made out.
FederationPlan plan_of(const ServeArguments& arguments) {
  require_file(arguments.file);
  if (!arguments.address.empty()) check_address("--address", arguments.address, 0);
  const std::string document = read_file(arguments.file);
  FederationPlan federation;
  std::vector<Mistake> mistakes;
  try {
    federation = parse_federation(document, arguments.file, arguments.data);
    row_shape(federation);
  } catch (const InvalidArgument& error) {
    mistakes.push_back({arguments.file, "", error.what()});
  } catch (const BadConfiguration& error) {
    mistakes = error.mistakes();
    federation.server = server_table_of(document);
  }
  override_with(arguments, federation.server);
  std::set<ErrorKind> kinds;
  if (!mistakes.empty()) kinds.insert(ErrorKind::kConfiguration);
  for (const ServeObjection& one : serve_objections(federation.server, arguments.insecure, arguments.file)) {
    mistakes.push_back(one.mistake);
    kinds.insert(one.kind);
  }
  if (mistakes.empty()) return federation;
  const BadConfiguration all(mistakes);
  if (kinds.size() > 1) throw all;
  throw Error(*kinds.begin(), all.what());  // such as certificates that are not there, and nothing else
}

// A round as one line: who took part, who did not.
std::string round_line(const RoundRecord& record, const FederationPlan& federation) {
  std::ostringstream out;
  out << "round " << record.round << " of " << federation.algorithm().rounds << ": " << record.folded.size() << " of "
      << record.scheduled.size() << (record.scheduled.size() == 1 ? " update" : " updates");
  const char* before = " from ";
  for (const Index agent : record.folded) {
    out << before << federation.server.agents.at(static_cast<std::size_t>(agent));
    before = ", ";
  }
  out << std::fixed << std::setprecision(2) << ", " << record.seconds << " s";
  for (const Failure& failure : record.failures) {
    out << "; " << federation.server.agents.at(static_cast<std::size_t>(failure.agent)) << " " << name_of(failure.kind)
        << ": " << failure.reason;
  }
  return out.str();
}

// What the agents' test rows say of the latest belief that they have evaluated; empty: nothing yet.
std::string evaluation_text(const NetworkServer& network) {
  const std::optional<EvaluatedRound> found = network.server().desk().status().evaluated;
  if (!found) return {};
  const std::map<std::string, double> figures = found->figures();
  std::string out = "after round " + std::to_string(found->round) + ": ";
  const char* const first = found->sums.bins.empty() ? "rmse" : "accuracy";
  out += first + (" " + digits_text(figures.at(first), 4));
  out += ", log-likelihood " + digits_text(figures.at("log_likelihood"), 4);
  const std::size_t agents = found->agents.size();
  return out + ", " + std::to_string(found->sums.rows) + " test rows of " + std::to_string(agents) +
         (agents == 1 ? " agent" : " agents");
}

// How the run ended, as exit code: rounds without anybody's update are no success.
int conclude(const ServedRun& run, const std::string& state) {
  std::cout << run.posterior << "\nthe run is over: " << run.rounds << " rounds; " << state << std::endl;
  if (run.lost_rounds == 0) return 0;
  std::cerr << "serve: " << run.lost_rounds << " of " << run.rounds << " rounds took nobody's update in"
            << (run.loss.empty() ? "" : "; the last one: " + run.loss) << "\n";
  return kExitNegative;
}

int serve(const ServeArguments& arguments) {
  require_tls_1_3();
  umask(S_IRWXG | S_IRWXO);  // beliefs, updates and statistics of others are nobody else's business
  const StopSignal signal;
  LogWriter log;
  NetworkServerOptions options{.server = {.data_folder = arguments.data, .drop_enrolments = arguments.drop_enrolments},
                               .insecure = arguments.insecure};
  options.server.on_event = [&log](const std::string& line) { log.write(line); };
  const NetworkServer* running = nullptr;
  options.server.on_round = [&](const RoundRecord& record, const FederationPlan& federation) {
    if (arguments.quiet) return;
    const std::string evaluation = running == nullptr ? "" : evaluation_text(*running);
    std::cout << round_line(record, federation) << (evaluation.empty() ? "" : "; " + evaluation) << std::endl;
  };
  NetworkServer network(plan_of(arguments), std::move(options));
  running = &network;
  const FederationPlan& federation = network.server().federation();
  const auto live = std::make_shared<LiveRun>(
      LiveKind::kFederation, federation.plan, network.server().store(), network.server().stored_run());
  network.server().store().watch(live);
  const std::unique_ptr<LivePage> page = federation_page(network, live);
  announce(federation, network.address(), network.server().closed_round());
  std::cout << "live page: " << page->url() << elsewhere(federation.server) << std::endl;
  const std::stop_callback on_stop(signal.token(), [&] { network.stop(); });
  try {
    const ServedRun run = network.run();
    if (const std::string evaluation = evaluation_text(network); !arguments.quiet && !evaluation.empty()) {
      std::cout << evaluation << "\n";
    }
    live->end("finished");
    return conclude(run, federation.server.state);
  } catch (const ServingStopped& stopped) {
    live->end("stopped");
    std::cout << stopped.what() << "\n";
    return 0;
  }
}

}  // namespace

void add_serve(CLI::App& program, Outcome& outcome) {
  auto arguments = std::make_shared<ServeArguments>();
  CLI::App* verb = program.add_subcommand("serve", "Runs the server of a networked federation");
  verb->add_option("file", arguments->file, "an experiment with one [[algorithm]], one trial and a table [server]")
      ->required()
      ->type_name("FILE.toml");
  verb->add_option("--state", arguments->state, "state folder, instead of that in [server]")->type_name("FOLDER");
  verb->add_option("--address", arguments->address, "address, instead of that in [server]")->type_name("HOST:PORT");
  arguments->data = data_folder();
  verb->add_flag("--insecure", arguments->insecure, "use no certificates; works on loopback only");
  verb->add_option("--drop-enrolment",
                   arguments->drop_enrolments,
                   "before the first round: forget what this agent reported about its rows, so that it can enrol "
                   "again; may be repeated")
      ->type_name("NAME");
  verb->add_flag("--quiet", arguments->quiet, "do not print a line per round");
  std::string keys = "Keys of the table [server]:\n";
  for (const Setting& setting : server_settings()) keys += "  " + setting.key + ": " + setting.help + "\n";
  verb->footer(
      "Examples:\n"
      "  fedstein serve federation.toml\n"
      "  fedstein serve federation.toml --drop-enrolment hospital-a     it enrolled with a wrong file\n"
      "Prints a line for each round. Refusals, lapses, missed deadlines and failures go to the standard error.\n"
      "Exit code 1: some rounds had no accepted update.\n"
      "SIGTERM and Ctrl-C stop the server. Started again it continues; that holds after kill -9 too.\n" +
      keys);
  verb->callback([arguments, &outcome] { outcome.exit_code = serve(*arguments); });
}

}  // namespace fedstein
