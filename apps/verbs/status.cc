// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "status_page.h"
#include "verbs/verbs.h"

namespace fedstein {

void add_status(CLI::App& program, Outcome& /*outcome*/) {
  struct Arguments {
    int port = 7411;
    bool json = false;
  };
  auto arguments = std::make_shared<Arguments>();
  CLI::App* verb = program.add_subcommand("status", "Shows the state of a server on this machine");
  verb->add_option("--port", arguments->port, "the server's metrics_port; default: 7411")
      ->check(CLI::Range(1, 65535))
      ->type_name("PORT");
  verb->add_flag("--json", arguments->json, "print JSON");
  verb->footer(
      "Examples:\n"
      "  fedstein status\n"
      "  fedstein status --json --port 9000\n"
      "  curl http://127.0.0.1:7411/metrics      the same for Prometheus");
  verb->callback([arguments] {
    const std::string report = fetch_status(arguments->port, "/status");
    std::cout << (arguments->json ? report : report_text(report));
  });
}

}  // namespace fedstein
