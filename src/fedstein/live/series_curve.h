// SPDX-License-Identifier: Apache-2.0
// A method's figures along its rounds, over any number of trials, in bounded memory: when there are too many rounds,
// every second one is dropped. What is kept is a round as it was, not a mean over rounds.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "fedstein/numeric/matrix.h"

namespace fedstein {

// Of several trials, one number at a time.
class Average {
 public:
  void add(double value);
  Index count() const { return count_; }
  double mean() const { return mean_; }
  double error() const;  // standard error; NaN for fewer than two

 private:
  Index count_ = 0;
  double mean_ = 0;
  double squares_ = 0;  // sum of squared distances from the mean
};

// What one trial says of one round.
struct RoundFigures {
  Index round = 0;
  double bytes = 0;  // exchanged up to its end
  double seconds = 0;
  std::map<std::string, double> figures = {};
};

class SeriesCurve {
 public:
  struct Row {
    Index place = 0;  // of the round among those that its trial has evaluated: 0, 1, ...
    Average bytes = {};
    Average seconds = {};
    std::map<std::string, Average> figures = {};
  };
  static constexpr std::size_t kMostFigures = 32;  // by name; further ones are left out

  // Keeps at most `most` rounds, and the last one.
  explicit SeriesCurve(std::size_t most);

  // `again`: the round was told before, by the one trial that there is: its figures are replaced.
  void note(const RoundFigures& told, Index place, bool again);

  // Figures of the one trial that there is, which came after their round; of a round that is not kept: nothing.
  void amend(Index round, const std::map<std::string, double>& figures);

  const std::map<Index, Row>& rows() const { return rows_; }  // by round
  Index stride() const { return stride_; }                    // one of so many evaluated rounds is kept
  bool knows(Index round) const { return rows_.contains(round); }

 private:
  void drop_the_old_last();
  void thin();

  std::size_t most_;
  Index stride_ = 1;
  std::map<Index, Row> rows_;
};

}  // namespace fedstein
