// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fedstein/registry/registry.h"

namespace fedstein {

// Every table and key of a configuration as Markdown, from the definitions that also check files; docs/reference.md is
// this text, and a test compares them.
std::string configuration_reference(const Registry& registry = Registry::standard());

}  // namespace fedstein
