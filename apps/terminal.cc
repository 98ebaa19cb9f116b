// SPDX-License-Identifier: Apache-2.0
#include "terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

#include "fedstein/experiment/comparison.h"

namespace fedstein {

bool stdout_is_terminal() {
  return isatty(STDOUT_FILENO) == 1;
}

bool stderr_is_terminal() {
  return isatty(STDERR_FILENO) == 1;
}

bool stdout_is_rich() {
  return stdout_is_terminal() && environment("NO_COLOR").empty() && environment("TERM") != "dumb";
}

int terminal_width() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

ScreenSize screen_size() {
  winsize size{};
  const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0;
  return known ? ScreenSize{size.ws_row, size.ws_col} : ScreenSize{};
}

std::size_t table_width() {
  winsize size{};
  const bool known = stdout_is_terminal() && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : kTableWidth;
}

std::string environment(const char* name, const std::string& otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr || *value == '\0' ? otherwise : value;
}

std::string data_folder() {
  return environment("FEDSTEIN_DATA", "data");
}

}  // namespace fedstein
