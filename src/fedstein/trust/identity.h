// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fedstein/trust/certificate.h"

namespace fedstein {

// Everything about a participant's own files that can be found wrong before a byte is sent: the key is another
// certificate's, the certificate is not signed by this authority, expired, not yet valid, or made for the other role.
// Throws TrustError, one sentence.
void check_identity(const KeyPair& own, const std::string& authority_pem, Role role);

}  // namespace fedstein
