// SPDX-License-Identifier: Apache-2.0
// The three things that an authority signs.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "fedstein/trust/certificate.h"

namespace fedstein {

// The authority's own certificate: may sign others, and nothing below them.
KeyPair self_signed(const std::string& name, int days);

struct SigningRequest {
  std::string name = {};
  Role role = Role::kAgent;
  std::vector<std::string> hosts = {};
  int days = 365;
};
// A new key with its certificate; the name stands in it twice (common name, alternative name).
KeyPair signed_by(const KeyPair& authority, const SigningRequest& request);

// The revocation list with these serial numbers, itself the authority's `number`th.
std::string signed_list(const std::set<std::string>& serials, std::int64_t number, const KeyPair& authority);

}  // namespace fedstein
