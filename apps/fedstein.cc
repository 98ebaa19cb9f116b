// SPDX-License-Identifier: Apache-2.0
// The command line: verbs, their errors as one sentence, and exit codes in the manner of sysexits.h.
#include <sysexits.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>
#include <new>

#include "cpu_levels.h"
#include "fedstein/config/parse.h"
#include "fedstein/data/error.h"
#include "fedstein/exchange/agent_link.h"
#include "fedstein/federated/state.h"
#include "fedstein/files/file_error.h"
#include "fedstein/numeric/check.h"
#include "fedstein/numeric/config.h"
#include "fedstein/rpc/rpc_server.h"
#include "fedstein/store/run_facts.h"
#include "fedstein/trust/certificate.h"
#include "missing_input.h"
#include "verbs/verbs.h"

namespace fedstein {
namespace {

// With the instructions that run, and those that could: the way to notice that a better program is not installed.
std::string version_text() {
  std::string text = std::string("fedstein " FEDSTEIN_VERSION ", ") + (FEDSTEIN_REAL_IS_DOUBLE ? "double" : "single") +
                     " precision, " FEDSTEIN_BUILT_FOR;
  const std::string better = better_level(FEDSTEIN_BUILT_FOR, supported_levels());
  if (!better.empty()) text += " (this processor also runs " + better + ")";
  return text;
}

int run(int argc, char** argv) {
  CLI::App program("Federated generalized Bayesian learning with Stein particles.", "fedstein");
  program.set_version_flag("--version", version_text());
  program.require_subcommand(1);
  program.get_formatter()->column_width(32);
  program.footer(
      "Examples:\n"
      "  fedstein reproduce list                 the paper's figures and tables by name\n"
      "  fedstein reproduce toy-1d --quick       one of them, small\n"
      "  fedstein run experiment.toml            an experiment of your own\n"
      "  fedstein compare runs/experiment        its methods side by side\n"
      "Environment: FEDSTEIN_DATA is the folder of the datasets (data, where it is not set), NO_COLOR turns colours "
      "off,\n"
      "FEDSTEIN_CPU=x86-64-v3 and the like choose among the programs of the package for x86-64.\n"
      "Exit codes, the same for all verbs:\n"
      "  0   done\n"
      "  1   done, with a negative answer: a claim or a job failed\n"
      "  64  the command line is wrong\n"
      "  65  a data file, a certificate, a key or a saved state is not what it should be\n"
      "  66  a file or run that the command line names is not there\n"
      "  69  somebody else is not available: a download's host, a server, a port that is taken\n"
      "  73  a file would be overwritten; --force allows it where there is one\n"
      "  74  a file or a run store cannot be read or written\n"
      "  77  a server refuses an agent, or an agent a server\n"
      "  78  the configuration is wrong\n"
      "  130 interrupted");
  Outcome outcome;
  for (const auto add : kVerbs) add(program, outcome);
  // CLI11 would say that a subcommand is missing, which it is not.
  const auto is_called = [&](const CLI::App* verb) { return verb->check_name(argv[1]); };
  if (argc > 1 && argv[1][0] != '-' && program.get_subcommands(is_called).empty()) {
    std::cerr << "fedstein: there is no verb '" << argv[1] << "'; `fedstein --help` lists those there are\n";
    return EX_USAGE;
  }
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int code = program.exit(error);
    return code == 0 ? 0 : EX_USAGE;
  }
  return outcome.exit_code;
}

int complain(const std::exception& error, int code) {
  std::cerr << "fedstein: " << error.what() << "\n";
  return code;
}

}  // namespace
}  // namespace fedstein

int main(int argc, char** argv) {
  using namespace fedstein;
  try {
    return run(argc, argv);
  } catch (const BadConfiguration& error) {
    return complain(error, EX_CONFIG);
  } catch (const MissingInput& error) {
    return complain(error, EX_NOINPUT);
  } catch (const AddressUnavailable& error) {
    return complain(error, EX_UNAVAILABLE);
  } catch (const AlreadyThere& error) {
    return complain(error, EX_CANTCREAT);
  } catch (const WriteError& error) {
    return complain(error, EX_IOERR);
  } catch (const DataError& error) {
    return complain(error, EX_DATAERR);
  } catch (const BadState& error) {
    return complain(error, EX_DATAERR);
  } catch (const UnreadableFile& error) {
    return complain(error, EX_NOINPUT);
  } catch (const FileError& error) {
    return complain(error, EX_DATAERR);
  } catch (const TrustError& error) {
    return complain(error, EX_DATAERR);
  } catch (const TurnedAway& error) {
    return complain(error, EX_NOPERM);
  } catch (const StoreError& error) {
    return complain(error, EX_IOERR);
  } catch (const InvalidArgument& error) {
    return complain(error, EX_USAGE);
  } catch (const std::bad_alloc& error) {
    std::cerr << "fedstein: out of memory\n";
    return EX_OSERR;
  } catch (const std::exception& error) {
    return complain(error, EX_SOFTWARE);
  }
}
