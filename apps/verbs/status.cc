// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "command_line.h"
#include "fetch_status.h"
#include "server_report.h"
#include "status_watch.h"
#include "verbs/verbs.h"

namespace fedstein {

void add_status(CLI::App& program, Outcome& /*outcome*/) {
  struct Arguments {
    std::string folder = {};
    int port = 0;
    bool json = false;
    bool watch = false;
    double every = 1;
  };
  auto arguments = std::make_shared<Arguments>();
  CLI::App* verb = program.add_subcommand("status", "Shows the state of a server on this machine, or of a live run");
  verb->add_option("folder",
                   arguments->folder,
                   "the server's state folder, or the folder of a run with --live; default: federation")
      ->type_name("FOLDER");
  verb->add_option("--port", arguments->port, "the server's metrics_port, instead of a folder")
      ->check(CLI::Range(1, 65535))
      ->type_name("PORT");
  verb->add_flag("--watch", arguments->watch, "go on showing it: the live page as text");
  verb->add_option("--every", arguments->every, "seconds between two looks of --watch; default: 1")
      ->check(number_between(0.1))
      ->type_name("SECONDS");
  verb->add_flag("--json", arguments->json, "print JSON; with --watch, a line whenever something has changed");
  verb->footer(
      "Examples:\n"
      "  fedstein status federation\n"
      "  fedstein status federation --watch\n"
      "  fedstein status runs/first --watch       of fedstein run first.toml --live\n"
      "  fedstein status --json --port 9000\n"
      "  curl http://127.0.0.1:9000/metrics       the same for Prometheus");
  verb->callback([arguments] {
    const LivePlace place = place_of_server(arguments->folder, arguments->port);
    if (arguments->watch) {
      watch_status(place, {.json = arguments->json, .every = arguments->every});
      return;
    }
    const std::string report = fetch_status(place, "/status");
    std::cout << (arguments->json ? report : report_text(report));
  });
}

}  // namespace fedstein
