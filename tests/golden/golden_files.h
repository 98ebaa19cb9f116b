// SPDX-License-Identifier: Apache-2.0
// Golden cases: JSON files made by tests/golden/make_golden.py, an independent double-precision program.
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fedstein/numeric/matrix.h"

namespace fedstein {

using Json = nlohmann::json;

struct GoldenFile {
  std::string path;
  std::string name;  // file name without its ending
  std::string kind;  // its "case"
  Json content;
};

// Every *.json of a folder, by name. Throws std::runtime_error naming the file when one is missing, broken or without a
// "case".
std::vector<GoldenFile> read_golden_folder(const std::string& folder);

// A list of rows -> matrix; a list of numbers -> vector.
DoubleMatrix golden_matrix(const Json& rows);
DoubleVector golden_vector(const Json& numbers);
Matrix real_matrix(const Json& rows);

// What to do with a case of a kind: GoogleTest assertions on its content.
using GoldenCheck = std::function<void(const Json&)>;
using GoldenChecks = std::map<std::string, GoldenCheck>;

// The kinds that each folder can check.
GoldenChecks stein_checks();

}  // namespace fedstein
