// SPDX-License-Identifier: Apache-2.0
// Every federated method, and each with every other value of every setting that is a choice: what a setting does must
// not depend on where a federation's agents run.
#pragma once

#include <cctype>
#include <string>
#include <vector>

#include "fedstein/methods/registry.h"

namespace fedstein {

// A method, perhaps with one setting KEY=VALUE that differs from its default.
struct MethodVariant {
  std::string algorithm = {};
  std::string setting = {};
};

// As a test's parameter: the method, perhaps with a blank and KEY=VALUE behind it.
inline MethodVariant method_variant(const std::string& text) {
  const std::size_t blank = text.find(' ');
  return {text.substr(0, blank), blank == std::string::npos ? "" : text.substr(blank + 1)};
}

inline std::vector<std::string> other_choices(const Algorithm& algorithm) {
  std::vector<std::string> out;
  for (const Setting& setting : algorithm.settings) {
    if (const auto* standard = std::get_if<bool>(&setting.standard)) {
      out.push_back(setting.key + "=" + (*standard ? "false" : "true"));
    }
    for (const std::string& choice : setting.choices) {
      if (choice != std::get<std::string>(setting.standard)) out.push_back(setting.key + "=" + choice);
    }
  }
  return out;
}

// Those that a server without rows can run: fedbe needs some.
inline std::vector<std::string> method_variants() {
  std::vector<std::string> out;
  for (const Algorithm& algorithm : algorithms()) {
    if (algorithm.centralised || algorithm.name == "fedbe") continue;
    out.push_back(algorithm.name);
    for (const std::string& choice : other_choices(algorithm)) out.push_back(algorithm.name + " " + choice);
  }
  return out;
}

// What GoogleTest can call it.
inline std::string variant_test_name(std::string text) {
  for (char& c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return text;
}

}  // namespace fedstein
