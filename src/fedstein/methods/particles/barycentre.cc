// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/particles/barycentre.h"

#include <limits>

#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();

// |x.row(n) - y.row(m)|^2, from differences in double: particles may lie close to each other and far from 0.
DoubleMatrix transport_costs(const DoubleMatrix& x, const Particles& y) {
  DoubleMatrix cost(x.rows(), y.rows());
  for (Index m = 0; m < y.rows(); ++m) {
    cost.col(m) = (x.rowwise() - y.row(m).cast<double>()).rowwise().squaredNorm();
  }
  return cost;
}

// Takes one row more into an assignment that is already best for the rows before it. Columns and rows have prices whose
// sum is at most the cost everywhere and equal to it where they are matched; the path from the new row to a free column
// on which the least is lost is found as Dijkstra finds it.
class Matching {
 public:
  explicit Matching(const DoubleMatrix& cost)
      : cost_(&cost), row_price_(size(), 0), column_price_(size(), 0), row_of_(size(), -1) {}

  void add(Index row) {
    std::vector<double> loss(size(), kFar);  // of the best path to a column
    std::vector<Index> from(size(), -1);     // the column before it on that path; -1: the new row itself
    std::vector<bool> done(size(), false);
    Index last = -1;  // the column reached
    double reached = 0;
    for (Index at = row; at >= 0; at = row_of_[index(last)]) {
      Index nearest = -1;
      for (Index m = 0; m < cost_->cols(); ++m) {
        if (done[index(m)]) continue;
        const double here = reached + (*cost_)(at, m) - row_price_[index(at)] - column_price_[index(m)];
        if (here < loss[index(m)]) {
          loss[index(m)] = here;
          from[index(m)] = last;
        }
        if (nearest < 0 || loss[index(m)] < loss[index(nearest)]) nearest = m;
      }
      last = nearest;
      reached = loss[index(last)];
      done[index(last)] = true;
    }
    row_price_[index(row)] += reached;
    for (Index m = 0; m < cost_->cols(); ++m) {
      if (!done[index(m)]) continue;
      column_price_[index(m)] += loss[index(m)] - reached;
      if (row_of_[index(m)] >= 0) row_price_[index(row_of_[index(m)])] += reached - loss[index(m)];
    }
    while (from[index(last)] >= 0) {
      row_of_[index(last)] = row_of_[index(from[index(last)])];
      last = from[index(last)];
    }
    row_of_[index(last)] = row;
  }

  std::vector<Index> columns() const {
    std::vector<Index> out(size());
    for (std::size_t m = 0; m < size(); ++m) out[index(row_of_[m])] = static_cast<Index>(m);
    return out;
  }

 private:
  static std::size_t index(Index i) { return static_cast<std::size_t>(i); }
  std::size_t size() const { return index(cost_->rows()); }

  const DoubleMatrix* cost_;
  std::vector<double> row_price_, column_price_;
  std::vector<Index> row_of_;  // each column's; -1: free
};

}  // namespace

std::vector<Index> assignment(const DoubleMatrix& cost) {
  check_argument(cost.rows() == cost.cols() && cost.allFinite(), "assignment", [&] {
    return "cost is " + std::to_string(cost.rows()) + " x " + std::to_string(cost.cols()) +
           "; it must be square and finite";
  });
  Matching matching(cost);
  for (Index row = 0; row < cost.rows(); ++row) matching.add(row);
  return matching.columns();
}

Particles barycentre(const std::vector<const Particles*>& sets,
                     const std::vector<double>& weights,
                     const Particles& start) {
  check_argument(sets.size() == weights.size() && !sets.empty(), "barycentre", "needs one weight for every set");
  for (const Particles* set : sets) check_same_shape("barycentre", "a set", *set, "start", start);
  DoubleMatrix x = start.cast<double>();
  std::vector<std::vector<Index>> before;
  for (int turn = 0; turn < kMostTurns; ++turn) {
    std::vector<std::vector<Index>> plans;
    DoubleMatrix next = DoubleMatrix::Zero(x.rows(), x.cols());
    for (std::size_t k = 0; k < sets.size(); ++k) {
      if (weights[k] == 0) continue;
      const DoubleMatrix cost = transport_costs(x, *sets[k]);
      if (!cost.allFinite())
        throw Divergence("barycentre: particles are too far apart for their distances to be finite");
      plans.push_back(assignment(cost));
      for (Index n = 0; n < x.rows(); ++n) {
        next.row(n) += weights[k] * sets[k]->row(plans.back()[static_cast<std::size_t>(n)]).cast<double>();
      }
    }
    x = std::move(next);
    if (plans == before) break;
    before = std::move(plans);
  }
  return x.cast<Real>();
}

}  // namespace fedstein
