// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace fedstein {

// The page that asks for the token, without any script. `remark`: of our own words; empty: none.
std::string token_form(const std::string& remark);

}  // namespace fedstein
