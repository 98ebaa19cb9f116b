// SPDX-License-Identifier: Apache-2.0
#include "fedstein/stein/falling_step.h"

#include <algorithm>
#include <utility>

#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

class FallingState : public StepRule::State {
 public:
  FallingState(std::unique_ptr<StepRule::State> rule, Index steps, Index rows, Index columns)
      : rule_(std::move(rule)), steps_(steps), before_(rows, columns) {}

  void begin_step() override {
    rule_->begin_step();
    share_ = static_cast<Real>(std::max(0.0, 1 - static_cast<double>(done_) / static_cast<double>(steps_)));
    ++done_;
  }

  void move_columns(Index first, const ConstMatrixRef& direction, MatrixRef x) override {
    check_block("FallingStep", first, x, before_);
    auto before = before_.middleCols(first, x.cols());
    before = x;
    rule_->move_columns(first, direction, x);
    x = before + share_ * (x - before);
  }

  std::vector<Matrix> memory() const override {
    std::vector<Matrix> memory = rule_->memory();
    memory.push_back(Matrix::Constant(1, 1, static_cast<Real>(done_)));
    return memory;
  }
  void recall(const std::vector<Matrix>& memory) override {
    check_argument(
        !memory.empty() && memory.back().size() == 1, "FallingStep::recall", "memory has no step count at its end");
    rule_->recall({memory.begin(), memory.end() - 1});
    done_ = static_cast<Index>(memory.back()(0, 0));
  }

 private:
  std::unique_ptr<StepRule::State> rule_;
  Index steps_;
  Index done_ = 0;
  Real share_ = 1;  // of the step that has begun
  Matrix before_;
};

}  // namespace

FallingStep::FallingStep(const StepRule& rule, Index steps) : rule_(&rule), steps_(steps) {
  check_argument(steps >= 1, "FallingStep", "steps is " + std::to_string(steps) + "; it must be at least 1");
}

std::unique_ptr<StepRule::State> FallingStep::start(Index rows, Index columns) const {
  return std::make_unique<FallingState>(rule_->start(rows, columns), steps_, rows, columns);
}

}  // namespace fedstein
