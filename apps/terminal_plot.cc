// SPDX-License-Identifier: Apache-2.0
#include "terminal_plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace fedstein {
namespace {

std::string axis(const TerminalPlot& plot) {
  const std::size_t columns = plot.shaded.size();
  std::vector<int> counts(columns, 0);
  for (const double mark : plot.marks) {
    const double place = (mark - plot.from) / (plot.to - plot.from) * static_cast<double>(columns - 1);
    if (place < 0 || place > static_cast<double>(columns - 1)) continue;
    ++counts[static_cast<std::size_t>(std::lround(place))];
  }
  std::string text;
  for (const int count : counts) text += count > 0 ? "┴" : "─";
  std::array<char, 256> ends{};
  std::snprintf(ends.data(), ends.size(), "%-*.3g%.3g", static_cast<int>(columns) - 2, plot.from, plot.to);
  return text + "\n" + ends.data() + "\n";
}

}  // namespace

std::string draw(const TerminalPlot& plot) {
  const double top = std::max(*std::max_element(plot.shaded.begin(), plot.shaded.end()),
                              *std::max_element(plot.dotted.begin(), plot.dotted.end()));
  const double unit = top > 0 ? plot.height / top : 0;
  std::string text;
  for (int line = plot.height - 1; line >= 0; --line) {
    for (std::size_t column = 0; column < plot.shaded.size(); ++column) {
      const bool dot = static_cast<int>(std::min(plot.dotted[column] * unit, plot.height - 0.5)) == line;
      const bool shade = plot.shaded[column] * unit > line + 0.5;
      text += dot ? "●" : shade ? "░" : " ";
    }
    text += "\n";
  }
  return text + axis(plot);
}

}  // namespace fedstein
