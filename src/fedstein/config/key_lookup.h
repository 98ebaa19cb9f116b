// SPDX-License-Identifier: Apache-2.0
// From the place of a value to the definitions that speak of it.
#pragma once

#include <string>
#include <vector>

#include "fedstein/config/definitions.h"
#include "fedstein/config/document.h"

namespace fedstein {

// The method of an [[algorithm]]; null when its type is missing or unknown.
const Algorithm* method_of(const Section& algorithm, const Registry& registry);

// Several where methods or models share a key, or where it is not yet known which model it will be. `names`: what the
// key could have been.
struct Candidates {
  std::vector<const Setting*> settings = {};
  std::vector<std::string> names = {};
};
Candidates candidates_in_table(const Definitions& definitions,
                               const Document& document,
                               const std::string& table,
                               const std::string& key);
Candidates candidates_in_algorithm(const Definitions& definitions, const Section& algorithm, const std::string& key);

// Whether the value is one that the setting takes, and which those are.
bool accepts(const Setting& setting, const Value& value);
bool any_accepts(const Candidates& candidates, const Value& value);
std::string allowed_text(const Setting& setting);
// What to say of a value that it does not take: "did you mean 'score'? allowed: one of score, svgd, reference".
std::string refusal(const Setting& setting, const Value& value);

// Where a key stands that a table has not: "it belongs in [hyperparameters] or [evaluation]"; empty: nowhere.
std::string other_place_of(const Definitions& definitions, const std::string& key);
// What a path was meant to be that lacks its table, or misspells it: "federation.rounds"; empty: nobody knows.
std::string whole_path_of(const Definitions& definitions, const std::string& path);

}  // namespace fedstein
