// SPDX-License-Identifier: Apache-2.0
// The parts of a posterior's header that say how new files are read.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "fedstein/data/layout.h"
#include "fedstein/table/table_schema.h"

namespace fedstein {

// Throws InvalidArgument for a word that no label kind has.
LabelKind labels_named(const std::string& name);

nlohmann::ordered_json table_json(const TableSchema& table);
nlohmann::ordered_json layout_json(const FileLayout& layout);

// Throw InvalidArgument or a JSON exception for what no table_json() or layout_json() wrote. Whether the parts fit
// together is not looked at: check_posterior() does.
TableSchema table_from(const nlohmann::ordered_json& json);
FileLayout layout_from(const nlohmann::ordered_json& json);

}  // namespace fedstein
