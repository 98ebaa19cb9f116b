// SPDX-License-Identifier: Apache-2.0
#include "fedstein/config/server_plan.h"

#include "fedstein/config/key_lookup.h"
#include "fedstein/config/mistakes.h"
#include "fedstein/config/toml_text.h"

namespace fedstein {
namespace {

Setting text(const char* key, const char* standard, const char* help) {
  return {.key = key, .standard = std::string(standard), .help = help};
}

std::vector<Setting> make_settings() {
  const ServerPlan standard;
  return {
      text("address", "127.0.0.1:7410", "HOST:PORT to serve at; port 0: any that is free"),
      text("state", "federation", "folder of the journal and the run store; a restart goes on from it"),
      text("certificate", "", "the server's certificate, a PEM file"),
      text("key", "", "its private key"),
      text("authority", "", "the authority that has signed the agents' certificates, ca.crt"),
      text("revocations", "", "its revocation list, ca.crl; read again whenever it changes"),
      {.key = "agents",
       .standard = std::string(),
       .help = "the agents' names, as in their certificates; when absent, agent-0, agent-1, ...",
       .plurality = Plurality::kList,
       .when_absent = WhenAbsent::kElsewhere},
      {.key = "lease_seconds",
       .standard = standard.lease_seconds,
       .help = "without a heartbeat for so long an agent has lapsed",
       .least = 0.1},
      {.key = "deadline_seconds",
       .standard = standard.deadline_seconds,
       .help = "after which a round goes on with the updates it has; 0: never. An agent that misses it gets half the time in "
               "its next round",
       .least = 0},
      {.key = "quorum",
       .standard = standard.quorum,
       .help = "share of a round's agents whose updates it must have before it goes on at the deadline; 0: none",
       .least = 0,
       .most = 1},
      {.key = "on_lapse",
       .standard = std::string("wait"),
       .help = "an agent that has lapsed: wait for it until the deadline, or skip it at once",
       .choices = {"wait", "skip"}},
      {.key = "norm_bound",
       .standard = standard.norm_bound,
       .help = "largest norm of a row of an update; 0: no bound",
       .least = 0},
      {.key = "update_bound",
       .standard = standard.update_bound,
       .help = "how many times the size of the belief, or of what the other agents sent, an update may have; 0: no bound",
       .least = 0},
      {.key = "most_rows",
       .standard = standard.most_rows,
       .help = "how many rows one agent may enrol with, for training or for its test figures",
       .least = 1},
      {.key = "linger_seconds",
       .standard = standard.linger_seconds,
       .help = "how long agents may take to say goodbye after the last round",
       .least = 0},
      {.key = "metrics_port",
       .standard = standard.metrics_port,
       .help = "loopback port of /status, /healthz and /metrics; 0: none",
       .least = 0,
       .most = 65535},
      {.key = "features",
       .standard = standard.features,
       .help = "columns of the agents' rows; 0: those of the named dataset",
       .least = 0},
      {.key = "classes",
       .standard = standard.classes,
       .help = "of a multiclass dataset that is a file; 0: those of the named dataset",
       .least = 0},
  };
}

// Whether a line begins a table, and which: "[server]" gives "server".
std::string heading(std::string_view line) {
  const std::size_t start = line.find_first_not_of(" \t");
  if (start == std::string_view::npos || line[start] != '[') return {};
  const std::size_t end = line.find(']');
  std::string name(line.substr(start + 1, end == std::string_view::npos ? end : end - start - 1));
  std::erase_if(name, [](char c) { return c == ' ' || c == '\t' || c == '['; });
  return name.empty() ? "?" : name;
}

class Reader {
 public:
  Reader(const ValueTable& table, Mistakes& mistakes) : table_(table), mistakes_(mistakes), values_(server_settings()) {
    for (const Entry& entry : table) {
      const Setting* setting = nullptr;
      std::vector<std::string> names;
      for (const Setting& one : server_settings()) {
        names.push_back(one.key);
        if (one.key == entry.key) setting = &one;
      }
      if (setting == nullptr) {
        mistakes.add(entry.value.line, "server." + entry.key, "is no key of this table" + instead_of(entry.key, names));
      } else if (!accepts(*setting, entry.value)) {
        mistakes.refuse(entry.value, "server." + entry.key, "allowed: " + allowed_text(*setting));
      } else if (SettingValue value; to_setting(entry.value, *setting, value)) {
        values_.set(entry.key, value);
      }
    }
  }
  const Settings& values() const { return values_; }
  std::vector<std::string> list(const std::string& key) const {
    std::vector<std::string> out;
    const Value* value = find(table_, key);
    if (value == nullptr || value->list() == nullptr) return out;
    for (const Value& one : *value->list()) {
      if (one.text() != nullptr) out.push_back(*one.text());
    }
    return out;
  }

 private:
  const ValueTable& table_;
  Mistakes& mistakes_;
  Settings values_;
};

}  // namespace

const std::vector<Setting>& server_settings() {
  static const std::vector<Setting> settings = make_settings();
  return settings;
}

ServerDocument split_server_table(std::string_view document) {
  ServerDocument out;
  bool inside = false;
  while (!document.empty()) {
    const std::size_t end = document.find('\n');
    const std::string_view line = document.substr(0, end);
    document.remove_prefix(end == std::string_view::npos ? document.size() : end + 1);
    if (const std::string name = heading(line); !name.empty() && !(inside && line.find('=') != line.npos)) {
      inside = name == "server";
    }
    // A blank line in the other half keeps the numbers.
    (inside ? out.server : out.experiment) += line;
    out.server += '\n';
    out.experiment += '\n';
  }
  return out;
}

ServerPlan parse_server_plan(const std::string& server_part, const std::string& file) {
  Mistakes mistakes(file);
  const auto root = read_toml(server_part, mistakes);
  mistakes.throw_if_any();
  const Value* found = find(*root, "server");
  const ValueTable nothing;
  const Reader reader(found != nullptr && found->table() != nullptr ? *found->table() : nothing, mistakes);
  mistakes.throw_if_any();
  const Settings& values = reader.values();
  return {.address = values.text("address"),
          .state = values.text("state"),
          .certificate = values.text("certificate"),
          .key = values.text("key"),
          .authority = values.text("authority"),
          .revocations = values.text("revocations"),
          .agents = reader.list("agents"),
          .lease_seconds = values.number("lease_seconds"),
          .deadline_seconds = values.number("deadline_seconds"),
          .quorum = values.number("quorum"),
          .skips_lapsed = values.text("on_lapse") == "skip",
          .norm_bound = values.number("norm_bound"),
          .update_bound = values.number("update_bound"),
          .most_rows = values.integer("most_rows"),
          .linger_seconds = values.number("linger_seconds"),
          .metrics_port = values.integer("metrics_port"),
          .features = values.integer("features"),
          .classes = values.integer("classes")};
}

}  // namespace fedstein
