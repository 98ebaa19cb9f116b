// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace fedstein {

// Curves over a common range, drawn with characters: the first as a shaded area, the second as dots on top.
struct TerminalPlot {
  double from = 0;
  double to = 1;
  std::vector<double> shaded;   // heights at evenly spaced places, at least 2
  std::vector<double> dotted;   // likewise, same size
  std::vector<double> marks{};  // places shown as ticks under the axis
  int height = 12;              // lines of the drawing
};

// As many columns as there are heights; ends with an axis line, the marks, and the range.
std::string draw(const TerminalPlot& plot);

}  // namespace fedstein
