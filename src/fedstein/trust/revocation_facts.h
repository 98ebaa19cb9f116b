// SPDX-License-Identifier: Apache-2.0
// What a revocation list says, and whether one may follow another.
#pragma once

#include <cstdint>
#include <set>
#include <string>

namespace fedstein {

struct RevocationFacts {
  std::set<std::string> serials = {};  // hexadecimal, upper case
  std::int64_t number = -1;            // the CRL number, which grows with every list; below 0: it has none
  std::int64_t this_update = 0;        // seconds since 1970
  std::int64_t next_update = 0;        // 0: none
};

// Of a list that the authority has signed. Throws TrustError.
RevocationFacts revocation_facts(const std::string& list_pem, const std::string& authority_pem);

// Why `next` must not replace `current`: it is older, and would let in whom the current one keeps out. Empty: it may.
// Where both lists have numbers these decide, whatever the authority's clock said; otherwise the time of issue.
std::string rollback(const RevocationFacts& current, const RevocationFacts& next);

}  // namespace fedstein
