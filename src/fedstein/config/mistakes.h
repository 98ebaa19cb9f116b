// SPDX-License-Identifier: Apache-2.0
// Collects what is wrong with a configuration, so that all of it can be said at once.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "fedstein/config/parse.h"
#include "fedstein/config/value.h"

namespace fedstein {

class Mistakes {
 public:
  explicit Mistakes(std::string file) : file_(std::move(file)) {}

  // `what` goes on after the key: "is 0; allowed: an integer of at least 1". Said before: not said again.
  void add(Index line, const std::string& key, const std::string& what);
  // About the whole document.
  void add(const std::string& what);
  // "is VALUE; WHY".
  void refuse(const Value& value, const std::string& key, const std::string& why) {
    add(value.line, key, "is " + shown(value) + "; " + why);
  }

  bool empty() const { return mistakes_.empty(); }
  std::size_t size() const { return mistakes_.size(); }
  void throw_if_any() const;

 private:
  void add(Mistake mistake);

  std::string file_;
  std::vector<Mistake> mistakes_;
  std::set<std::string> said_;
};

// "a, b, c"
std::string listed(const std::vector<std::string>& names);
// Where all tables, keys and their values are told.
inline constexpr const char* kWhereAllKeys = "`fedstein schema --markdown` shows all";
inline constexpr const char* kWhereAllDatasets = "`fedstein data list` shows all";
// "; did you mean 'rounds'? allowed: rounds, scheduler, fraction"; long lists name that place. Words of other programs
// are known: of clients and agents, `clients` means the second.
std::string instead_of_key(std::string_view wrong, const std::vector<std::string>& names);
// Our word for a key that other programs call so: "agents" for "clients"; empty: none is known.
std::string word_for(std::string_view key);

}  // namespace fedstein
