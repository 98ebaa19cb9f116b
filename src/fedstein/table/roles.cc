// SPDX-License-Identifier: Apache-2.0
#include "fedstein/table/roles.h"

#include <unordered_map>
#include <unordered_set>

#include "fedstein/base/counted.h"
#include "fedstein/data/error.h"
#include "fedstein/table/names.h"

namespace fedstein {
namespace {

class RoleFinder {
 public:
  RoleFinder(const std::vector<std::string>& names, const std::string& file)
      : names_(names), file_(file), taken_(names.size(), nullptr) {
    for (const std::string& name : names) places_.emplace(name, places_.size());
  }

  // The column, which from now on is `role` and nothing else.
  std::size_t take(const ColumnName& column, const char* role) {
    const std::size_t place = find(column, role);
    if (taken_[place] != nullptr && std::string_view(taken_[place]) != role) {
      fail_file(file_,
                shown_column(names_[place]) + " is given as " + taken_[place] + " and as " + role +
                    "; a column can be one of them only");
    }
    taken_[place] = role;
    return place;
  }
  bool is_taken(std::size_t place) const { return taken_[place] != nullptr; }

 private:
  std::size_t find(const ColumnName& column, const char* role) const {
    if (const Index* number = std::get_if<Index>(&column)) {
      if (*number >= 0 && *number < static_cast<Index>(names_.size())) return static_cast<std::size_t>(*number);
      fail_file(file_,
                std::string(role) + " is column " + std::to_string(*number) + ", counted from 0; the table has " +
                    counted(names_.size(), "column"));
    }
    const std::string& name = std::get<std::string>(column);
    if (const auto found = places_.find(name); found != places_.end()) return found->second;
    fail_file(file_, std::string(role) + ": there is no column " + in_quotes(name) + instead_of_column(name, names_));
  }

  const std::vector<std::string>& names_;
  const std::string& file_;
  std::unordered_map<std::string_view, std::size_t> places_;
  std::vector<const char*> taken_;
};

}  // namespace

const char* ColumnRoles::name_of(std::size_t column) const {
  if (ignored[column]) return "ignored";
  if (column == label) return "label";
  return static_cast<Index>(column) == group ? "group" : "feature";
}

ColumnRoles find_roles(const std::vector<std::string>& names,
                       const TableOptions& options,
                       bool leaves_last,
                       const std::string& file) {
  ColumnRoles roles{.ignored = std::vector<bool>(names.size(), false),
                    .categorical = std::vector<bool>(names.size(), false)};
  RoleFinder finder(names, file);
  for (const ColumnName& column : options.ignore) roles.ignored[finder.take(column, "ignore")] = true;
  if (options.group) roles.group = static_cast<Index>(finder.take(*options.group, "group"));
  for (const ColumnName& column : options.categorical) roles.categorical[finder.take(column, "categorical")] = true;
  if (options.label) roles.label = finder.take(*options.label, "label");
  if (leaves_last && !finder.is_taken(names.size() - 1)) {
    roles.ignored.back() = true;
    finder.take(static_cast<Index>(names.size() - 1), "ignore");
  }
  if (options.label) return roles;
  // The last one that is nothing else yet; one that was agreed on as a feature is no label.
  std::unordered_set<std::string_view> agreed;
  for (const TableColumn& column : options.columns) agreed.insert(column.name);
  for (std::size_t k = names.size(); k-- > 0;) {
    if (finder.is_taken(k) || agreed.contains(names[k])) continue;
    roles.label = k;
    return roles;
  }
  fail_file(file, "no column is left for the label; expected one that is neither ignored nor anything else");
}

}  // namespace fedstein
