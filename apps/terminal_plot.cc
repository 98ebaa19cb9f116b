// SPDX-License-Identifier: Apache-2.0
#include "terminal_plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace fedstein {
namespace {

constexpr double kVisible = 0.2;  // of a row: a line that is lower is left out

using Canvas = std::vector<std::vector<std::string>>;  // by row from below, and column

double highest(const std::vector<double>& heights) {
  return *std::max_element(heights.begin(), heights.end());
}

int row_of(double height, double unit, int rows) {
  return static_cast<int>(std::clamp(height * unit, 0.0, rows - 0.5));
}

void draw_line(const TerminalPlot::Line& line, double unit, Canvas& canvas) {
  const auto rows = static_cast<int>(canvas.size());
  int before = row_of(line.heights.front(), unit, rows);
  for (std::size_t column = 0; column < line.heights.size(); ++column) {
    const int row = row_of(line.heights[column], unit, rows);
    const int away = before < row ? -1 : 1;  // from this row towards the one before
    const int gap = std::max(std::abs(row - before) - 1, 0);
    before = row;
    if (line.heights[column] * unit < kVisible) continue;
    const int last = row + (line.joined ? away * gap : 0);
    for (int at = std::min(row, last); at <= std::max(row, last); ++at) {
      canvas[static_cast<std::size_t>(at)][column] = line.mark;
    }
  }
}

std::string axis(const TerminalPlot& plot) {
  const std::size_t columns = plot.shaded.size();
  std::vector<bool> marked(columns, false);
  for (const double mark : plot.marks) {
    const double place = (mark - plot.from) / (plot.to - plot.from) * static_cast<double>(columns);
    if (place >= 0 && place < static_cast<double>(columns)) marked[static_cast<std::size_t>(place)] = true;
  }
  std::string text;
  for (const bool tick : marked) text += tick ? "┴" : "─";
  std::array<char, 32> first{}, last{};
  std::snprintf(first.data(), first.size(), "%.3g", plot.from);
  std::snprintf(last.data(), last.size(), "%.3g", plot.to);
  const std::string left = first.data(), right = last.data();
  const std::size_t gap = columns > left.size() + right.size() ? columns - left.size() - right.size() : 1;
  return text + "\n" + left + std::string(gap, ' ') + right + "\n";
}

}  // namespace

std::string draw(const TerminalPlot& plot) {
  const auto rows = static_cast<std::size_t>(plot.height);
  double top = highest(plot.shaded);
  for (const TerminalPlot::Line& line : plot.lines) top = std::max(top, highest(line.heights));
  const double unit = top > 0 ? plot.height / top : 0;

  Canvas canvas(rows, std::vector<std::string>(plot.shaded.size(), " "));
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < plot.shaded.size(); ++column) {
      if (plot.shaded[column] * unit > static_cast<double>(row) + 0.5) canvas[row][column] = "░";
    }
  }
  for (const TerminalPlot::Line& line : plot.lines) draw_line(line, unit, canvas);

  std::string text;
  for (std::size_t row = rows; row-- > 0;) {
    for (const std::string& cell : canvas[row]) text += cell;
    text += "\n";
  }
  return text + axis(plot);
}

}  // namespace fedstein
