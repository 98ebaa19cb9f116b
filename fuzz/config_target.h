// SPDX-License-Identifier: Apache-2.0
// What the fuzzer of configurations does with its bytes: a document, or, behind a NUL, --set values one a line. Every
// run must end with a plan, whose document gives the same plan again, or with BadConfiguration.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "fedstein/config/parse.h"

namespace fedstein {

inline void demand_printable(const std::string& text) {
  for (const char c : text) {
    const bool prints = static_cast<unsigned char>(c) >= 0x20 && c != 0x7f;
    if (!prints && c != '\n') throw std::logic_error("a message does not print");
  }
}

inline void fuzz_config(std::string_view bytes) {
  ParseOptions options;
  options.check_data = false;
  options.most_cases = 50;  // more only take longer
  const std::size_t end = std::min(bytes.find('\0'), bytes.size());
  std::string_view rest = bytes.substr(std::min(end + 1, bytes.size()));
  while (!rest.empty()) {
    const std::size_t line = std::min(rest.find('\n'), rest.size());
    options.overrides.emplace_back(rest.substr(0, line));
    rest.remove_prefix(std::min(line + 1, rest.size()));
  }
  for (const bool quick : {false, true}) {
    options.quick = quick;
    try {
      const Plan plan = parse_plan(bytes.substr(0, end), "input", options);
      const Plan again = parse_plan(plan.document, "input", {.check_data = false});
      if (to_json(again) != to_json(plan)) throw std::logic_error("the document gives another plan");
      if (describe(plan).empty()) throw std::logic_error("there is nothing to say about a plan");
    } catch (const BadConfiguration& error) {
      if (error.mistakes().empty()) throw std::logic_error("refused without a reason");
      demand_printable(error.what());
    }
  }
}

}  // namespace fedstein
