// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <set>
#include <string>

#include "fedstein/trust/certificate.h"
#include "fedstein/trust/revocation_facts.h"

namespace fedstein {

// Why a caller is not let in.
struct Objection {
  enum class Kind {
    kNone,     // it is let in
    kPassing,  // a matter of clocks: theirs, ours or the certificate's; may be gone at the next call
    kFinal,    // the certificate is revoked
  };
  Kind kind = Kind::kNone;
  std::string reason = {};
};

struct RevocationOptions {
  std::string list_path = {};
  std::string authority_pem = {};
  std::function<std::int64_t()> now = {};  // seconds since 1970; none: the system's clock
  // Called when something begins to be wrong with the list, with a sentence, when it is wrong in another way, and with
  // an empty text when all is well again. From any thread that asks for an objection; must not ask the list itself.
  std::function<void(const std::string& trouble)> on_trouble = {};
};

// Judges the certificates of callers at every call: a connection that was welcome yesterday is not for that welcome
// today. The list is read again whenever its file changes, so a revocation takes effect with the next call. A file that
// is missing, half written, not signed by the authority or older than the list in force changes nothing: the last good
// list stays in force, and the trouble is told. For any number of threads.
class RevocationList {
 public:
  // Throws TrustError without a good list to begin with.
  explicit RevocationList(RevocationOptions options);

  Objection objection(const CertificateFacts& facts) const;
  // What is wrong with the list's file at the moment; empty: nothing.
  std::string trouble() const;

 private:
  std::int64_t now() const;
  void refresh() const;
  void take_in(const std::string& bytes) const;
  void tell(const std::string& trouble) const;

  RevocationOptions options_;
  mutable std::mutex mutex_;   // of everything below
  mutable std::string stamp_;  // of the file when it was last looked at; empty: look again
  mutable std::string bytes_;  // of the file then
  mutable RevocationFacts in_force_;
  mutable std::string file_trouble_;
  mutable std::string told_;
};

}  // namespace fedstein
