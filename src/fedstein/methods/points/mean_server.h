// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/methods/points/point_method.h"

namespace fedstein {

// A server that needs nothing of a round's updates but their weighted mean. It can therefore fold a sum without seeing
// its parts. What a method does with the mean is take().
class MeanServer : public PointServer, private SumFold {
 public:
  std::string objection(const Update& update) const override;
  std::vector<Verdict> fold(Index round, const std::vector<Update>& updates) final;
  SumFold* sum_fold() override { return this; }

 protected:
  struct Shape {
    bool uniform = false;     // agents count the same; otherwise by their rows
    std::size_t answers = 1;  // an update has the shapes of so many of the belief's first matrices
  };
  // owner: names the method in saved state, a literal.
  MeanServer(const char* owner, const ServerContext& context, Belief start, const Shape& shape);

  // What an agent counts in the mean. It depends on the agent alone, never on who else takes part.
  virtual double count_of(Index agent) const { return shape_.uniform ? 1 : weight_of(agent); }
  // The next belief, from the means of the matrices that these agents sent. Computes first and ends with replace().
  virtual void take(const std::vector<DoubleMatrix>& mean, const std::vector<Index>& agents) = 0;

  // What these agents count, of what all count.
  double part_of_all(const std::vector<Index>& agents) const;
  // A point as the model allows it: within its bounds, and finite, or Divergence is thrown.
  Matrix allowed_point(const DoubleMatrix& values, const char* method) const;

 private:
  Belief expected() const;
  std::vector<double> weights(Index agent) const override;
  std::vector<Verdict> fold_sum(Index round,
                                const std::vector<DoubleMatrix>& sum,
                                const std::vector<Index>& agents) override;
  double count_of_these(const std::vector<Index>& agents) const;

  const Model* model_;
  Shape shape_;
  Index agents_;
};

// Settings of methods whose papers step plainly: point_settings() with step_rule = "plain" and learning_rate = 0.1.
std::vector<Setting> plain_point_settings();
// "rows": as FedAvg; "uniform": all agents count the same.
Setting weighting_setting();

}  // namespace fedstein
