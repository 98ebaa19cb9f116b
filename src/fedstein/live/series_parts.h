// SPDX-License-Identifier: Apache-2.0
// Curves and reliability as parts of the board. A curve is cut into pieces, so that a round that is added changes the
// last piece alone.
#pragma once

#include <string>
#include <vector>

#include "fedstein/live/board.h"
#include "fedstein/live/series_curve.h"
#include "fedstein/metrics/reliability_bin.h"

namespace fedstein {

struct SeriesFacts {
  std::size_t index = 0;
  std::size_t case_index = 0;
  std::string label = {};
  std::string method = {};
  bool centralised = false;
  Index trials = 0;  // that have begun
};

void show_series(Board::Parts& parts, const SeriesFacts& facts, const SeriesCurve& curve);
// No bins, or bins without a row: nothing.
void show_reliability(Board::Parts& parts,
                      const SeriesFacts& facts,
                      Index round,
                      const std::vector<ReliabilityBin>& bins);

}  // namespace fedstein
