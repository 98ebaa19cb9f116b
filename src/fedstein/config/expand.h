// SPDX-License-Identifier: Apache-2.0
// From one document to the points of an experiment: cases x datasets x swept values.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "fedstein/config/document.h"

namespace fedstein {

struct SweptKey {
  std::string path;
  bool at_first = true;  // of its list: where methods that do not feel the key are listed
};

// The document as it is for one case; dataset: of the list, one.
struct Point {
  std::string name = {};
  std::vector<std::pair<std::string, std::string>> coordinates = {};
  std::string case_name = {};
  Index line = 1;  // of the [[case]], for what has no better place
  std::vector<SweptKey> swept = {};
  Document document = {};  // tables and algorithms only
};

// How many points there are; as a number that cannot overflow.
double count_points(const Document& document);
void for_each_point(const Document& document, const std::function<void(const Point&)>& visit);

}  // namespace fedstein
