// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace fedstein {

// Text in columns for a terminal.
struct Cell {
  std::string text = {};
  bool best = false;  // shown in bold
};

struct Table {
  std::vector<std::string> header = {};
  std::vector<std::vector<Cell>> rows = {};
  std::size_t text_columns = 1;  // the first columns are text, to the left; the others numbers, to the right
};

// rich: bold by escape sequences; else the best have a * behind them. UTF-8 is counted by characters.
std::string to_text(const Table& table, bool rich);

// In characters, of the widest line of a text.
std::size_t widest_line(const std::string& text);

// 12.3 kB, 4.5 MB
std::string bytes_text(double bytes);
// 0:07, 12:34, 1:02:03
std::string duration_text(double seconds);

}  // namespace fedstein
