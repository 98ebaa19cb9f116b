// SPDX-License-Identifier: Apache-2.0
// Words of a configuration for values of the data folder that have no names there.
#pragma once

#include <string>
#include <string_view>

#include "fedstein/data/layout.h"
#include "fedstein/data/scaling.h"

namespace fedstein {

// Of a name that the definitions list.
FileFormat format_named(std::string_view name);
ScalingRule scaling_named(std::string_view name);
LabelKind label_kind_named(std::string_view name);

std::string format_name(FileFormat format);
std::string scaling_name(ScalingRule rule);

}  // namespace fedstein
