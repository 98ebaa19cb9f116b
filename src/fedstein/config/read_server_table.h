// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/config/mistakes.h"
#include "fedstein/config/server_plan.h"
#include "fedstein/config/value.h"

namespace fedstein {

// The value of the key `server` of a document; null: it has none. What is wrong with it goes to `mistakes`, and that as
// well as what is absent has its default.
ServerPlan read_server_table(const Value* server, Mistakes& mistakes);

}  // namespace fedstein
