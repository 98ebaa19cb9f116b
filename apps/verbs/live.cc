// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <condition_variable>
#include <filesystem>
#include <iostream>
#include <memory>
#include <mutex>

#include "command_line.h"
#include "fetch_status.h"
#include "live_server.h"
#include "stop_signal.h"
#include "verbs/verbs.h"

namespace fedstein {
namespace {

struct LiveArguments {
  std::string run = {};
  int port = 0;
  std::string token_file = {};
};

// The page that the run's own process serves, if it does.
std::optional<LivePlace> own_page(const std::string& folder) {
  if (folder.empty()) return std::nullopt;
  const auto place = live_place_of(folder);
  if (place && ask_server(*place, "/status")) return place;
  return std::nullopt;
}

void wait_for(const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any changed;
  std::unique_lock lock(mutex);
  changed.wait(lock, stop, [] { return false; });
}

void show(const LiveArguments& arguments) {
  const StopSignal signal;
  FollowedRun run(arguments.run);
  const std::string folder = std::filesystem::is_directory(arguments.run) ? arguments.run : "";
  if (const auto own = own_page(folder); own && arguments.port == 0) {
    std::cout << "live page: http://127.0.0.1:" << own->port << "/ (of the process that runs it)" << std::endl;
    return;
  }
  const std::unique_ptr<LivePage> page =
      followed_page({.folder = folder, .port = arguments.port, .token_file = arguments.token_file}, run);
  std::cout << "live page: " << page->url() << "\nCtrl-C ends the page; the run does not notice" << std::endl;
  wait_for(signal.token());
}

}  // namespace

void add_live(CLI::App& program, Outcome& /*outcome*/) {
  auto arguments = std::make_shared<LiveArguments>();
  CLI::App* verb =
      program.add_subcommand("live", "Shows a run in the browser while it goes on, whichever process it runs in");
  verb->add_option("run", arguments->run, "a run's folder, or a federation's state folder, also one on Flower")
      ->required()
      ->type_name("RUN");
  verb->add_option("--port", arguments->port, "port on this machine; default: any that is free")
      ->check(whole_number(1, 65535))
      ->type_name("PORT");
  verb->add_option("--live-token-file",
                   arguments->token_file,
                   "file with the token that viewers need; without it every user of this machine may look")
      ->type_name("FILE");
  verb->footer(
      "Examples:\n"
      "  fedstein live runs/first               a run in another terminal, or one that is over\n"
      "  fedstein live app/state --port 8080    a federation on Flower");
  verb->callback([arguments] { show(*arguments); });
}

}  // namespace fedstein
