// SPDX-License-Identifier: Apache-2.0
// What the resolving of one point after another shares: where mistakes go, and which keys had an effect anywhere.
#pragma once

#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "fedstein/config/definitions.h"
#include "fedstein/config/expand.h"
#include "fedstein/config/parse.h"

namespace fedstein {

// Keys that have an effect in some cases only. One that has none in any case is a mistake: whoever wrote it expects
// one.
class Effects {
 public:
  void note(const Value& value, const std::string& key, bool has_effect, const std::string& why_not);
  void complain(Mistakes& mistakes) const;

 private:
  struct Seen {
    bool has_effect = false;
    std::string why_not = {};
  };
  std::map<std::pair<Index, std::string>, Seen> seen_;
};

struct Resolution {
  const ParseOptions& options;
  const Definitions& definitions;
  Mistakes& mistakes;
  Effects effects = {};
  std::map<std::string, std::string> data_objections = {};  // by dataset or path: why it cannot be read; empty: it can
  // Tables that were looked at, by path and what the user says of them.
  std::map<std::pair<std::string, TableOptions>, std::shared_ptr<const UnderstoodTable>> tables = {};
  std::exception_ptr table_problem =
      {};  // the first one: what is wrong with a file is said after the document's mistakes
};

// A table of a point, read by its definitions: what is absent or wrong is at the default of its preset (the first
// reading complained). Borrows the document.
class TableView {
 public:
  // definitions: needed for [model] alone, whose type a registry knows.
  TableView(const Document& document,
            const std::string& table,
            const Definitions& definitions = Definitions::standard());

  const Value* given(const std::string& key) const;  // null when absent or wrong
  bool is_wrong(const std::string& key) const;       // present, and not what the definition takes
  SettingValue at(const std::string& key) const;
  bool flag(const std::string& key) const { return std::get<bool>(at(key)); }
  Index integer(const std::string& key) const { return std::get<Index>(at(key)); }
  double number(const std::string& key) const { return std::get<double>(at(key)); }
  std::string text(const std::string& key) const { return std::get<std::string>(at(key)); }
  ValueList list(const std::string& key) const;
  const Section* section() const { return section_; }

 private:
  const Document* document_;
  std::string table_;
  const std::vector<Setting>* definitions_;
  const Section* section_ = nullptr;
};

}  // namespace fedstein
