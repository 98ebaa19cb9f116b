// SPDX-License-Identifier: Apache-2.0
// What the program may show, and where.
#pragma once

#include <string>

namespace fedstein {

bool stdout_is_terminal();
bool stderr_is_terminal();

// Bold and colour: on a terminal, unless NO_COLOR is set or the terminal is dumb.
bool stdout_is_rich();

// Columns of the terminal; 80 where there is none.
int terminal_width();

// Rows and columns of the terminal that stdout is; 24 x 80 where that cannot be told.
struct ScreenSize {
  std::size_t rows = 24;
  std::size_t columns = 80;
};
ScreenSize screen_size();

// How wide a table may be: the terminal's columns, or 120 where it goes elsewhere.
std::size_t table_width();

// An environment variable, or `otherwise` when it is unset or empty.
std::string environment(const char* name, const std::string& otherwise = {});

// Where named datasets lie: $FEDSTEIN_DATA, or the folder `data`.
std::string data_folder();

}  // namespace fedstein
