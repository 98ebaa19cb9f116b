// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "command_line.h"
#include "fedstein/base/text.h"
#include "fedstein/files/read_file.h"
#include "fedstein/files/whole_file.h"
#include "fedstein/trust/authority.h"
#include "output_option.h"
#include "verbs/verbs.h"

namespace fedstein {
namespace {

struct CaArguments {
  std::string folder = "ca";
  std::string name = {};
  std::string out = ".";
  std::vector<std::string> hosts = {};
  int days = 0;
  bool server = false;
  bool force = false;
  bool json = false;
};

constexpr int kAuthorityDays = 3650;
constexpr int kCertificateDays = 365;

void init(const CaArguments& arguments) {
  if (std::filesystem::exists(arguments.folder + "/ca.key")) {
    throw AlreadyThere(arguments.folder + ": holds an authority already; it is never overwritten");
  }
  Authority::create(arguments.folder, arguments.name, arguments.days > 0 ? arguments.days : kAuthorityDays);
  std::cout << arguments.folder << ": authority '" << arguments.name << "'; keep ca.key to yourself\n";
}

// A key that was handed out is never replaced in silence, nor is a second one made for a name that has a good one.
void refuse_second(const CaArguments& arguments, const Authority& authority) {
  const std::string key = arguments.out + "/" + arguments.name + ".key";
  if (std::filesystem::exists(key)) {
    throw AlreadyThere(key + ": is there already; --force replaces it and its certificate");
  }
  const std::time_t now = std::time(nullptr);
  for (const Authority::Issued& issued : authority.list()) {
    if (issued.facts.name != arguments.name || issued.revoked || now > issued.facts.not_after) continue;
    throw AlreadyThere(arguments.folder + ": '" + arguments.name + "' has a certificate that is good until " +
                       utc_date(issued.facts.not_after) +
                       "; revoke it first, or say --force for another one beside it");
  }
}

// The authority's own files are never written over, whatever is forced and whatever the name is.
WriteOptions issued_rules(const CaArguments& arguments, FileMode mode) {
  std::vector<std::string> own;
  for (const char* name : {"/ca.key", "/ca.crt", "/ca.crl"}) own.push_back(arguments.folder + name);
  WriteOptions rules = output_rules(arguments.force, std::move(own));
  rules.mode = mode;
  return rules;
}

void issue(const CaArguments& arguments) {
  const Authority authority(arguments.folder);
  check_name(arguments.name);
  if (!arguments.force) refuse_second(arguments, authority);
  const std::string base = arguments.out + "/" + arguments.name;
  const std::string beside = arguments.out + "/ca.crt";
  const bool is_beside = std::filesystem::exists(beside) && read_file(beside) == authority.certificate();
  const WriteOptions secret = issued_rules(arguments, FileMode::kPrivate);
  const WriteOptions open = issued_rules(arguments, FileMode::kPublic);
  // Before a certificate is signed that nobody would get.
  check_output(base + ".key", secret);
  check_output(base + ".crt", open);
  if (!is_beside) check_output(beside, open);
  const KeyPair pair = authority.issue({.name = arguments.name,
                                        .role = arguments.server ? Role::kServer : Role::kAgent,
                                        .hosts = arguments.hosts,
                                        .days = arguments.days > 0 ? arguments.days : kCertificateDays});
  write_whole_file(base + ".key", pair.key, secret);
  write_whole_file(base + ".crt", pair.certificate, open);
  if (!is_beside) write_whole_file(beside, authority.certificate(), open);
  std::cout << base << ".crt, " << base << ".key: good until " << utc_date(facts_of(pair.certificate).not_after)
            << "\n";
}

void revoke(const CaArguments& arguments) {
  const int count = Authority(arguments.folder).revoke(arguments.name);
  std::cout << arguments.name << ": " << count << " certificates revoked; " << arguments.folder
            << "/ca.crl is the new list\n";
}

void list(const CaArguments& arguments) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  const std::time_t now = std::time(nullptr);
  for (const Authority::Issued& issued : Authority(arguments.folder).list()) {
    const CertificateFacts& facts = issued.facts;
    const char* state = issued.revoked ? "revoked" : now > facts.not_after ? "expired" : "good";
    if (arguments.json) {
      all.push_back({{"name", facts.name},
                     {"serial", facts.serial},
                     {"not_before", facts.not_before},
                     {"not_after", facts.not_after},
                     {"state", state}});
    } else {
      std::cout << std::left << std::setw(24) << facts.name << std::setw(9) << state << utc_date(facts.not_before)
                << " to " << utc_date(facts.not_after) << "  " << facts.serial << "\n";
    }
  }
  if (arguments.json) std::cout << all.dump(2) << "\n";
}

}  // namespace

void add_ca(CLI::App& program, Outcome& /*outcome*/) {
  CLI::App* verb = program.add_subcommand("ca", "Makes and revokes certificates for a networked federation");
  verb->require_subcommand(1);
  verb->footer(
      "Examples:\n"
      "  fedstein ca init --name my-federation\n"
      "  fedstein ca issue server --server --host fed.example.org --out keys\n"
      "  fedstein ca issue hospital-a --out keys\n"
      "  fedstein ca revoke hospital-a        takes effect with the next call\n"
      "  fedstein ca list");
  const auto add = [&](const char* name, const char* help, void (*action)(const CaArguments&)) {
    auto arguments = std::make_shared<CaArguments>();
    CLI::App* sub = verb->add_subcommand(name, help);
    sub->add_option("--folder", arguments->folder, "the authority's folder; default: ca")->type_name("FOLDER");
    sub->callback([arguments, action] { action(*arguments); });
    return std::pair{sub, arguments};
  };
  const auto [make, made] = add("init", "Makes a new certificate authority", init);
  made->name = "fedstein-ca";
  make->add_option("--name", made->name, "the authority's name; default: fedstein-ca")->type_name("NAME");
  make->add_option("--days", made->days, "days until it expires; default: 3650")->check(whole_number(1, 36500));

  const auto [issuing, issued] = add("issue", "Makes a key and its certificate, for an agent or the server", issue);
  issuing->add_option("name", issued->name, "the agent's name; it is its identity in the federation")
      ->required()
      ->type_name("NAME");
  issuing->add_flag("--server", issued->server, "make a server's certificate instead of an agent's");
  issuing
      ->add_option("--host",
                   issued->hosts,
                   "with --server: a host name or address by which agents reach the server; may be repeated")
      ->type_name("HOST");
  issuing->add_option("--days", issued->days, "days until it expires; default: 365")->check(whole_number(1, 36500));
  issuing->add_flag("--force", issued->force, "issue even if the name has a valid certificate, or the key file exists");
  issuing->add_option("--out", issued->out, "folder for NAME.crt, NAME.key and ca.crt; default: the current folder")
      ->type_name("FOLDER");

  const auto [revoking, revoked] = add("revoke", "Revokes all certificates of a name", revoke);
  revoking->add_option("name", revoked->name, "name of the agent or server")->required()->type_name("NAME");

  const auto [listing, listed] = add("list", "Lists every certificate issued", list);
  listing->add_flag("--json", listed->json, "print JSON");
}

}  // namespace fedstein
