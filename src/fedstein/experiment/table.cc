// SPDX-License-Identifier: Apache-2.0
#include "fedstein/experiment/table.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "fedstein/base/text.h"

namespace fedstein {
namespace {

constexpr const char* kBold = "\x1b[1m";
constexpr const char* kPlain = "\x1b[0m";

// Characters, not bytes: all but UTF-8's continuation bytes.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string padded(const std::string& text, std::size_t width, bool to_the_left) {
  const std::string gap(width - std::min(width, width_of(text)), ' ');
  return to_the_left ? text + gap : gap + text;
}

std::string without_trailing_blanks(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

}  // namespace

std::string to_text(const Table& table, bool rich) {
  const bool starred = !rich && std::any_of(table.rows.begin(), table.rows.end(), [](const std::vector<Cell>& row) {
    return std::any_of(row.begin(), row.end(), [](const Cell& cell) { return cell.best; });
  });
  const auto shown = [&](const Cell& cell, std::size_t column) {
    if (!starred || column < table.text_columns) return cell.text;
    return cell.text + (cell.best ? "*" : " ");
  };
  std::vector<std::size_t> widths;
  for (const std::string& name : table.header) widths.push_back(width_of(name));
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size() && i < widths.size(); ++i) {
      widths[i] = std::max(widths[i], width_of(shown(row[i], i)));
    }
  }
  std::string out;
  std::string line;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    line += (i > 0 ? "  " : "") + padded(table.header[i], widths[i], i < table.text_columns);
  }
  out += without_trailing_blanks(line);
  for (const auto& row : table.rows) {
    line.clear();
    for (std::size_t i = 0; i < row.size() && i < widths.size(); ++i) {
      const std::string cell = padded(shown(row[i], i), widths[i], i < table.text_columns);
      line += (i > 0 ? "  " : "") + (rich && row[i].best ? kBold + cell + kPlain : cell);
    }
    out += without_trailing_blanks(line);
  }
  return out;
}

std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    widest = std::max(widest, width_of(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return widest;
}

std::string bytes_text(double bytes) {
  constexpr std::array<const char*, 5> kUnits = {"B", "kB", "MB", "GB", "TB"};
  std::size_t unit = 0;
  while (bytes >= 1000 && unit + 1 < kUnits.size()) {
    bytes /= 1000;
    ++unit;
  }
  return fixed_text(bytes, bytes < 10 && unit > 0 ? 1 : 0) + " " + kUnits.at(unit);
}

std::string duration_text(double seconds) {
  const auto whole = std::llround(std::max(0.0, seconds));
  const std::string minutes =
      whole >= 3600 ? std::to_string(whole / 3600) + ":" + padded_text(whole / 60 % 60, 2) : std::to_string(whole / 60);
  return minutes + ":" + padded_text(whole % 60, 2);
}

}  // namespace fedstein
