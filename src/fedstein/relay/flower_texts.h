// SPDX-License-Identifier: Apache-2.0
// The files of a Flower app as texts. Private.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace fedstein {

// With @key@ in their place; what is put in is not looked at again.
std::string filled_in(std::string_view text, const std::map<std::string, std::string>& values);

// Keys: name, module, publisher, state, agents. TOML strings are escaped already.
extern const std::string_view kFlowerProject;
// Keys: imports, own.
extern const std::string_view kFlowerModule;

}  // namespace fedstein
