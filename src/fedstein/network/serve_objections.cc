// SPDX-License-Identifier: Apache-2.0
#include "fedstein/network/serve_objections.h"

#include "fedstein/files/access.h"
#include "fedstein/files/read_file.h"
#include "fedstein/numeric/check.h"
#include "fedstein/rpc/address.h"
#include "fedstein/trust/identity.h"

namespace fedstein {
namespace {

class Objections {
 public:
  explicit Objections(std::string file) : file_(std::move(file)) {}

  void add(const std::string& key, const std::string& what, ErrorKind kind = ErrorKind::kConfiguration) {
    objections_.push_back({{file_, "server." + key, what}, kind});
  }
  std::vector<ServeObjection> all() && { return std::move(objections_); }

  // What the file holds; nothing where that was an objection.
  template <typename Read>
  std::string contents(const std::string& key, const std::string& path, const Read& read) {
    if (path.empty()) {
      add(key, "is missing; a server needs certificate, key, authority and revocations, or --insecure on loopback");
      return "";
    }
    try {
      return read(path);
    } catch (const Error& error) {
      add(key, std::string("names ") + error.what(), error.kind());
    }
    return "";
  }

 private:
  std::string file_;
  std::vector<ServeObjection> objections_;
};

void object_to_trust(const ServerPlan& server, Objections& out) {
  const KeyPair own{out.contents("certificate", server.certificate, read_file),
                    out.contents("key", server.key, read_private_file)};
  const std::string authority = out.contents("authority", server.authority, read_file);
  out.contents("revocations", server.revocations, read_file);
  if (own.certificate.empty() || own.key.empty() || authority.empty()) return;
  try {
    check_identity(own, authority, Role::kServer);
  } catch (const Error& error) {
    out.add("certificate", "is '" + server.certificate + "'; " + error.what(), error.kind());
  }
}

// Who else than this machine's users may look at the live page.
void object_to_viewers(const ServerPlan& server, bool insecure, Objections& out) {
  if (!server.live_token_file.empty()) out.contents("live_token_file", server.live_token_file, read_private_file);
  if (server.live_address.empty()) return;
  try {
    check_address("", server.live_address, 1);
  } catch (const InvalidArgument&) {
    out.add("live_address",
            "is '" + server.live_address + "'; allowed: HOST:PORT or [ADDRESS]:PORT, with a port of 1 to 65535");
  }
  if (server.live_token_file.empty()) {
    out.add("live_address", "needs live_token_file, a file with the token that viewers must know");
  }
  if (insecure)
    out.add("live_address", "needs the server's certificate; with --insecure the page is on loopback alone");
}

}  // namespace

std::vector<ServeObjection> serve_objections(const ServerPlan& server, bool insecure, const std::string& file) {
  Objections out(file);
  try {
    check_address("", server.address, 0);
  } catch (const InvalidArgument&) {
    out.add("address", "is '" + server.address + "'; allowed: HOST:PORT or [ADDRESS]:PORT, with a port of 0 to 65535");
  }
  if (!insecure) object_to_trust(server, out);
  object_to_viewers(server, insecure, out);
  if (const std::string why = unwritable_because(server.state); !why.empty()) {
    out.add("state", "is '" + server.state + "'; " + why, ErrorKind::kInputOutput);
  }
  return std::move(out).all();
}

}  // namespace fedstein
