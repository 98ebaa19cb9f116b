// SPDX-License-Identifier: Apache-2.0
#include "shell_words.h"

namespace fedstein {

std::string shell_quoted(const std::string& text) {
  if (text.find_first_of(" '\"\\$*?[](){}<>|&;#~`\n") == std::string::npos && !text.empty()) return text;
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

void add_selection(CLI::App& verb, std::vector<std::string>& cases, std::vector<std::string>& methods) {
  verb.add_option("--case", cases, "run only this case; * stands for any text; may be repeated")
      ->allow_extra_args(false)
      ->type_name("NAME");
  verb.add_option("--method", methods, "run only the method with this label; * stands for any text; may be repeated")
      ->allow_extra_args(false)
      ->type_name("NAME");
}

}  // namespace fedstein
