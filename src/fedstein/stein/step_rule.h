// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "fedstein/numeric/matrix.h"

namespace fedstein {

// Turns directions into steps. The rule itself is immutable settings; what it remembers between steps lives in a State
// that belongs to one loop of one round, so nothing leaks from a loop into the next.
class StepRule {
 public:
  class State {
   public:
    virtual ~State() = default;
    // x += step along `direction`; both N x d. Does not allocate.
    void step(const ConstMatrixRef& direction, MatrixRef x);

    // The same by blocks of columns, so that a block can move while it is in the cache: begin_step() once, then
    // move_columns() for blocks that cover all columns, `first` being a block's first one. Blocks may move at once.
    virtual void begin_step() = 0;
    virtual void move_columns(Index first, const ConstMatrixRef& direction, MatrixRef x) = 0;

    // All that the state remembers, for loops that are interrupted and saved; recall() of it continues to the bit.
    virtual std::vector<Matrix> memory() const = 0;
    virtual void recall(const std::vector<Matrix>& memory) = 0;

   protected:
    // Throws unless `block` from column `first` on lies within the particles that `memory` was made for.
    static void check_block(const char* rule, Index first, const ConstMatrixRef& block, const Matrix& memory);
  };

  virtual ~StepRule() = default;
  // A fresh state for particles of N x d.
  virtual std::unique_ptr<State> start(Index rows, Index columns) const = 0;
};

// The paper's "AdaGrad with momentum", which is RMSProp started without bias:
//
//   acc = phi^2 on the first step, then acc = momentum acc + (1 - momentum) phi^2
//   x  += learning_rate / (epsilon + sqrt(acc)) phi
class AdaGrad : public StepRule {
 public:
  struct Options {
    double learning_rate = 0.05;  // table:hyperparams, binary classification; 0.001 for the networks
    double epsilon = 1e-9;        // likewise; 1e-6 for the networks
    double momentum = 0.9;
  };
  AdaGrad() : AdaGrad(Options{}) {}
  explicit AdaGrad(const Options& options);
  std::unique_ptr<State> start(Index rows, Index columns) const override;
  const Options& options() const { return options_; }

 private:
  Options options_;
};

// Adam (Kingma and Ba 2015), ascending: m and v are the bias-corrected means of phi and phi^2,
//
//   x += learning_rate m / (sqrt(v) + epsilon).
class Adam : public StepRule {
 public:
  struct Options {
    double learning_rate = 0.01;
    double beta1 = 0.9;
    double beta2 = 0.999;
    double epsilon = 1e-8;
  };
  Adam() : Adam(Options{}) {}
  explicit Adam(const Options& options);
  std::unique_ptr<State> start(Index rows, Index columns) const override;
  const Options& options() const { return options_; }

 private:
  Options options_;
};

// x += learning_rate phi.
class PlainStep : public StepRule {
 public:
  explicit PlainStep(double learning_rate);
  std::unique_ptr<State> start(Index rows, Index columns) const override;
  double learning_rate() const { return learning_rate_; }

 private:
  double learning_rate_;
};

// x += rates * phi, coordinate by coordinate: plain steps under a diagonal preconditioner.
class DiagonalStep : public StepRule {
 public:
  // rates: of each coordinate, finite and at least 0; at 0 it stands still.
  explicit DiagonalStep(RowVector rates);
  std::unique_ptr<State> start(Index rows, Index columns) const override;
  const RowVector& rates() const { return rates_; }

 private:
  RowVector rates_;
};

// The paper's choice for binary classification and the toys: AdaGrad with its default options.
const StepRule& default_step_rule();

}  // namespace fedstein
