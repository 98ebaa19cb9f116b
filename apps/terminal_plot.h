// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace fedstein {

// Curves over a common range, drawn with characters: one as a shaded area, the others as lines over it.
struct TerminalPlot {
  struct Line {
    std::string mark;             // the character it is drawn with
    std::vector<double> heights;  // at evenly spaced places, as many as the area has
    bool joined = true;           // steep parts are filled, so that the line has no gaps
  };

  double from = 0;
  double to = 1;
  std::vector<double> shaded;   // heights of the area, at least 2
  std::vector<Line> lines{};    // later ones hide earlier ones
  std::vector<double> marks{};  // places shown as ticks on the axis
  int height = 12;              // rows of the drawing
};

// As many columns as there are heights; ends with the axis, its ticks, and the range.
std::string draw(const TerminalPlot& plot);

}  // namespace fedstein
