// SPDX-License-Identifier: Apache-2.0
#include "live_server.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "fedstein/live/federation_parts.h"
#include "fedstein/live/live_place.h"

namespace fedstein {
namespace {

int last_port_of(const std::string& folder) {
  if (folder.empty()) return 0;
  const auto place = live_place_of(folder);
  return place ? place->port : 0;
}

// Written from anywhere, read from anywhere.
void write_place(const std::string& folder, const LivePage& page, const std::string& token_file) {
  const std::string file = token_file.empty() ? "" : std::filesystem::absolute(token_file).string();
  write_live_place(folder, {page.port(), file});
}

std::string run_json(const std::string& name, const LiveRun::Totals& totals) {
  const nlohmann::ordered_json out{
      {"kind", "run"},
      {"name", name},
      {"state", totals.state},
      {"jobs", totals.jobs},
      {"jobs_done", totals.jobs_done},
      {"jobs_failed", totals.jobs_failed},
      {"rounds", totals.rounds},
      {"rounds_done", totals.rounds_done},
      {"seconds_left",
       totals.seconds_left < 0 ? nlohmann::ordered_json() : nlohmann::ordered_json(totals.seconds_left)}};
  return out.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace

ServerReport report_of(const NetworkServer& network, const LiveRun& run) {
  const FederationPlan& federation = network.server().federation();
  return {network.server().desk().status(),
          network.door().door(),
          federation.plan.name,
          federation.algorithm().label,
          network.address(),
          federation.algorithm().rounds,
          network.server().last_figures(),
          run.totals().seconds_left,
          network.door().trust_trouble()};
}

std::unique_ptr<LivePage> federation_page(NetworkServer& network, const std::shared_ptr<LiveRun>& run) {
  const FederationPlan& federation = network.server().federation();
  const ServerPlan& plan = federation.server;
  LivePageOptions options{.token_file = plan.live_token_file,
                          .port = static_cast<int>(plan.metrics_port),
                          .port_name = "metrics_port",
                          .wish = last_port_of(plan.state),
                          .address = plan.live_address,
                          .certificate = plan.certificate,
                          .key = plan.key};
  options.parts = [&network, run] {
    const FederationPlan& asked = network.server().federation();
    Board::Parts parts;
    run->show(parts);
    show_federation(parts,
                    {.address = network.address(),
                     .rounds = asked.algorithm().rounds,
                     .label = asked.algorithm().label,
                     .troubles = {network.trouble(), network.door().trust_trouble()}},
                    network.server().desk().status());
    return parts;
  };
  options.texts["/status"] = {.text = [&network, run] { return report_json(report_of(network, *run)); }};
  options.texts["/metrics"] = {.type = "text/plain; version=0.0.4",
                               .text = [&network, run] { return report_metrics(report_of(network, *run)); }};
  options.texts["/healthz"] = {.type = "text/plain",
                               .text = [] { return std::string("ok\n"); },
                               .trouble = [&network] { return network.trouble(); },
                               .open_to_all = true};
  auto page = std::make_unique<LivePage>(std::move(options));
  write_place(plan.state, *page, plan.live_token_file);
  return page;
}

std::unique_ptr<LivePage> run_page(const RunPageOptions& asked, const std::shared_ptr<LiveRun>& run) {
  LivePageOptions options{
      .token_file = asked.token_file, .port = asked.port, .port_name = "--live", .wish = last_port_of(asked.folder)};
  options.parts = [run] {
    Board::Parts parts;
    run->show(parts);
    return parts;
  };
  options.texts["/status"] = {.text = [run] { return run_json(run->name(), run->totals()); }};
  auto page = std::make_unique<LivePage>(std::move(options));
  write_place(asked.folder, *page, asked.token_file);
  return page;
}

std::unique_ptr<LivePage> followed_page(const RunPageOptions& asked, FollowedRun& run) {
  LivePageOptions options{
      .token_file = asked.token_file, .port = asked.port, .port_name = "--port", .wish = last_port_of(asked.folder)};
  options.parts = [&run] {
    Board::Parts parts;
    run.show(parts);
    return parts;
  };
  options.texts["/status"] = {.text = [&run] { return run_json(run.name(), run.totals()); }};
  return std::make_unique<LivePage>(std::move(options));
}

}  // namespace fedstein
