// SPDX-License-Identifier: Apache-2.0
#include "fedstein/config/server_plan.h"

#include <map>

#include "fedstein/config/key_lookup.h"
#include "fedstein/config/read_server_table.h"
#include "fedstein/config/toml_text.h"
#include "fedstein/files/plain_name.h"

namespace fedstein {
namespace {

Setting text(const char* key, const char* standard, const char* help) {
  return {.key = key, .standard = std::string(standard), .help = help};
}

std::vector<Setting> make_settings() {
  const ServerPlan standard;
  return {
      text("address", "127.0.0.1:7410", "HOST:PORT to serve at; port 0: any free port"),
      text("state", "federation", "folder of the journal and the run store; a restarted server continues from it"),
      text("certificate", "", "the server's certificate, a PEM file"),
      text("key", "", "the server's private key"),
      text("authority", "", "certificate of the authority that signed the agents' certificates, ca.crt"),
      text("revocations", "", "the authority's revocation list, ca.crl; read again whenever it changes"),
      {.key = "agents",
       .standard = std::string(),
       .help = "the agents' names, as in their certificates; when absent, agent-0, agent-1, ...",
       .plurality = Plurality::kList,
       .when_absent = WhenAbsent::kElsewhere},
      {.key = "lease_seconds",
       .standard = standard.lease_seconds,
       .help = "seconds without a heartbeat after which an agent counts as lapsed",
       .least = 0.1},
      {.key = "deadline_seconds",
       .standard = standard.deadline_seconds,
       .help = "seconds after which a round ends with the updates it has; 0: no deadline. An agent that misses the "
               "deadline gets half the time in its next round",
       .least = 0},
      {.key = "quorum",
       .standard = standard.quorum,
       .help =
           "share of a round's agents whose updates must be there for the round to end at the deadline; 0: none needed",
       .least = 0,
       .most = 1},
      {.key = "on_lapse",
       .standard = std::string("wait"),
       .help = "what to do with an agent that has lapsed: wait for it until the deadline, or skip it at once",
       .choices = {"wait", "skip"}},
      {.key = "norm_bound",
       .standard = standard.norm_bound,
       .help = "largest allowed norm of a row of an update; 0: no bound",
       .least = 0},
      {.key = "update_bound",
       .standard = standard.update_bound,
       .help = "largest allowed size of an update, as a multiple of the size of the belief or of the other agents' "
               "updates; 0: no bound",
       .least = 0},
      {.key = "most_rows",
       .standard = standard.most_rows,
       .help = "largest number of rows of one agent, for training or for its test figures",
       .least = 1},
      {.key = "linger_seconds",
       .standard = standard.linger_seconds,
       .help = "seconds that agents have to say goodbye after the last round",
       .least = 0},
      {.key = "metrics_port",
       .standard = standard.metrics_port,
       .help =
           "port on loopback of the live page, /status, /healthz and /metrics; 0: a free one, that of the last start "
           "where it can be had",
       .least = 0,
       .most = 65535},
      text("live_address", "", "HOST:PORT where the live page is served over TLS to others; empty: nowhere"),
      text("live_token_file",
           "",
           "file with the token that viewers of the live page need, on loopback too; live_address needs one"),
      {.key = "features",
       .standard = standard.features,
       .help = "number of columns of the agents' rows; 0: as the named dataset",
       .least = 0},
      {.key = "classes",
       .standard = standard.classes,
       .help = "number of classes, for a multiclass dataset that is a file; 0: as the named dataset",
       .least = 0},
  };
}

Settings read_values(const ValueTable& table, Mistakes& mistakes) {
  Settings values(server_settings());
  for (const Entry& entry : table) {
    const Setting* setting = nullptr;
    std::vector<std::string> names;
    for (const Setting& one : server_settings()) {
      names.push_back(one.key);
      if (one.key == entry.key) setting = &one;
    }
    if (setting == nullptr) {
      mistakes.add(
          entry.value.line, "server." + entry.key, "is no key of this table" + instead_of_key(entry.key, names));
    } else if (!accepts(*setting, entry.value)) {
      mistakes.refuse(entry.value, "server." + entry.key, refusal(*setting, entry.value));
    } else if (SettingValue value; to_setting(entry.value, *setting, value)) {
      values.set(entry.key, value);
    }
  }
  return values;
}

// Every agent's place in the federation is its name: a name twice would leave one place empty for ever, and one that no
// certificate can have would too.
std::vector<std::string> read_agents(const ValueTable& table, Mistakes& mistakes) {
  std::vector<std::string> out;
  const Value* value = find(table, "agents");
  if (value == nullptr || value->list() == nullptr) return out;
  std::map<std::string, std::size_t> places;
  for (const Value& one : *value->list()) {
    if (one.text() == nullptr) continue;  // refused already
    out.push_back(*one.text());
    const std::string& name = out.back();
    const auto [first, is_new] = places.try_emplace(name, out.size());
    if (!is_new) {
      mistakes.add(one.line,
                   "server.agents",
                   "names '" + shown_text(name) + "' twice, at positions " + std::to_string(first->second) + " and " +
                       std::to_string(out.size()) + "; every agent needs a name of its own");
    } else if (!is_plain_name(name)) {
      mistakes.add(one.line,
                   "server.agents",
                   "has '" + shown_text(name) + "' at position " + std::to_string(out.size()) +
                       ", which no certificate can name; allowed: " + kPlainNameRule);
    }
  }
  return out;
}

}  // namespace

const std::vector<Setting>& server_settings() {
  static const std::vector<Setting> settings = make_settings();
  return settings;
}

ServerPlan read_server_table(const Value* server, Mistakes& mistakes) {
  const ValueTable nothing;
  if (server != nullptr && server->table() == nullptr) {
    mistakes.add(server->line, "server", "is written otherwise; write one table [server]");
  }
  const ValueTable& table = server != nullptr && server->table() != nullptr ? *server->table() : nothing;
  const Settings values = read_values(table, mistakes);
  return {.address = values.text("address"),
          .state = values.text("state"),
          .certificate = values.text("certificate"),
          .key = values.text("key"),
          .authority = values.text("authority"),
          .revocations = values.text("revocations"),
          .agents = read_agents(table, mistakes),
          .lease_seconds = values.number("lease_seconds"),
          .deadline_seconds = values.number("deadline_seconds"),
          .quorum = values.number("quorum"),
          .skips_lapsed = values.text("on_lapse") == "skip",
          .norm_bound = values.number("norm_bound"),
          .update_bound = values.number("update_bound"),
          .most_rows = values.integer("most_rows"),
          .linger_seconds = values.number("linger_seconds"),
          .metrics_port = values.integer("metrics_port"),
          .live_address = values.text("live_address"),
          .live_token_file = values.text("live_token_file"),
          .features = values.integer("features"),
          .classes = values.integer("classes")};
}

ServerPlan server_table_of(std::string_view document) {
  Mistakes unheard("");
  const std::optional<ValueTable> root = read_toml(document, unheard);
  return read_server_table(root ? find(*root, "server") : nullptr, unheard);
}

}  // namespace fedstein
