// SPDX-License-Identifier: Apache-2.0
// The part of [data] that speaks of a text table, and a schema written back into it.
#pragma once

#include <optional>

#include "fedstein/config/resolution.h"
#include "fedstein/table/understand.h"

namespace fedstein {

// What the user says; the rest is for the file to show.
TableOptions table_options(const TableView& data, Mistakes& mistakes);

// The schema that [data] settles by itself, by its key `columns`; nothing where the file has to be looked at.
std::optional<TableSchema> settled_schema(const TableView& data, const TableOptions& options, Mistakes& mistakes);

// The schema as keys of [data], in the order in which people read them. settled_schema() gives the same schema again.
ValueTable schema_entries(const TableSchema& schema);
// The same as TOML.
std::string schema_toml(const TableSchema& schema);

// Puts what was found in files into the document, so that a run can be read again without them. Where a sweep makes
// several tables of one [data] there is no place for it, and the files are looked at again.
void write_back_tables(const Plan& plan, Document& document);

}  // namespace fedstein
