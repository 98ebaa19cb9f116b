// SPDX-License-Identifier: Apache-2.0
#include "fedstein/stein/step_rule.h"

#include <cmath>

#include "fedstein/numeric/check.h"
#include "fedstein/numeric/parallel.h"

namespace fedstein {
namespace {

constexpr Index kColumnsPerPiece = 4096;

using Numbers = Eigen::Array<Real, Eigen::Dynamic, 1>;
using Flat = Eigen::Map<Numbers>;
using ConstFlat = Eigen::Map<const Numbers>;

void check_fraction(const char* function, const char* argument, double value) {
  check_argument(value >= 0 && value < 1,
                 function,
                 std::string(argument) + " is " + to_text(value) + "; it must be at least 0 and below 1");
}

// Memories are the matrices of a state and its step count, which a Real holds exactly up to 2^24.
Matrix count_as_matrix(Index steps) {
  return Matrix::Constant(1, 1, static_cast<Real>(steps));
}

void check_memory(const char* function, const std::vector<Matrix>& memory, const Matrix& like, std::size_t matrices) {
  check_argument(memory.size() == matrices + 1 && memory.back().size() == 1,
                 function,
                 "memory has " + std::to_string(memory.size()) + " parts; it must have " + std::to_string(matrices) +
                     " and a step count");
  for (std::size_t i = 0; i < matrices; ++i) check_same_shape(function, "memory", memory[i], "the particles", like);
}

class AdaGradState : public StepRule::State {
 public:
  AdaGradState(const AdaGrad::Options& options, Index rows, Index columns)
      : learning_rate_(static_cast<Real>(options.learning_rate)),
        epsilon_(static_cast<Real>(options.epsilon)),
        momentum_(static_cast<Real>(options.momentum)),
        mean_square_(Matrix::Zero(rows, columns)) {}

  void begin_step() override {
    keep_ = steps_ == 0 ? Real{0} : momentum_;
    ++steps_;
  }

  void move_columns(Index first, const ConstMatrixRef& direction, MatrixRef x) override {
    check_block("AdaGrad", first, direction, mean_square_);
    const Index columns = x.cols();
    const auto move = [&](const Real* phi, Real* acc, Real* place, Index count) {
      move_numbers(ConstFlat(phi, count), Flat(acc, count), Flat(place, count));
    };
    if (columns == mean_square_.cols() && x.outerStride() == columns && direction.outerStride() == columns) {
      // As one long row: short rows one by one would be mostly beginnings and ends.
      move(direction.data(), mean_square_.data(), x.data(), x.size());
      return;
    }
    for (Index n = 0; n < x.rows(); ++n) {
      move(direction.row(n).data(), mean_square_.row(n).data() + first, x.row(n).data(), columns);
    }
  }

  std::vector<Matrix> memory() const override { return {mean_square_, count_as_matrix(steps_)}; }
  void recall(const std::vector<Matrix>& memory) override {
    check_memory("AdaGrad::recall", memory, mean_square_, 1);
    mean_square_ = memory[0];
    steps_ = static_cast<Index>(memory[1](0, 0));
  }

 private:
  void move_numbers(const ConstFlat& phi, Flat acc, Flat place) const {
    acc = keep_ * acc + (1 - keep_) * phi.square();
    place += learning_rate_ / (epsilon_ + acc.sqrt()) * phi;
  }

  Real learning_rate_;
  Real epsilon_;
  Real momentum_;
  Real keep_ = 0;  // of the accumulator, in the step that has begun
  Index steps_ = 0;
  Matrix mean_square_;
};

class AdamState : public StepRule::State {
 public:
  AdamState(const Adam::Options& options, Index rows, Index columns)
      : options_(options), mean_(Matrix::Zero(rows, columns)), mean_square_(Matrix::Zero(rows, columns)) {}

  void begin_step() override { ++steps_; }

  void move_columns(Index first, const ConstMatrixRef& direction, MatrixRef x) override {
    check_block("Adam", first, direction, mean_);
    const auto beta1 = static_cast<Real>(options_.beta1);
    const auto beta2 = static_cast<Real>(options_.beta2);
    const auto rate =
        static_cast<Real>(options_.learning_rate / (1 - std::pow(options_.beta1, static_cast<double>(steps_))));
    const auto correction = static_cast<Real>(1 / (1 - std::pow(options_.beta2, static_cast<double>(steps_))));
    const auto epsilon = static_cast<Real>(options_.epsilon);
    const auto phi = direction.array();
    auto m = mean_.middleCols(first, x.cols()).array();
    auto v = mean_square_.middleCols(first, x.cols()).array();
    m = beta1 * m + (1 - beta1) * phi;
    v = beta2 * v + (1 - beta2) * phi.square();
    x.array() += rate * m / ((v * correction).sqrt() + epsilon);
  }

  std::vector<Matrix> memory() const override { return {mean_, mean_square_, count_as_matrix(steps_)}; }
  void recall(const std::vector<Matrix>& memory) override {
    check_memory("Adam::recall", memory, mean_, 2);
    mean_ = memory[0];
    mean_square_ = memory[1];
    steps_ = static_cast<Index>(memory[2](0, 0));
  }

 private:
  Adam::Options options_;
  Index steps_ = 0;
  Matrix mean_;
  Matrix mean_square_;
};

class PlainState : public StepRule::State {
 public:
  explicit PlainState(double learning_rate) : learning_rate_(static_cast<Real>(learning_rate)) {}

  void begin_step() override {}
  void move_columns(Index /*first*/, const ConstMatrixRef& direction, MatrixRef x) override {
    x += learning_rate_ * direction;
  }

  std::vector<Matrix> memory() const override { return {}; }
  void recall(const std::vector<Matrix>& memory) override {
    check_argument(memory.empty(), "PlainStep::recall", "memory is not empty; plain steps have none");
  }

 private:
  Real learning_rate_;
};

class DiagonalState : public StepRule::State {
 public:
  explicit DiagonalState(const RowVector& rates) : rates_(rates) {}

  void begin_step() override {}
  void move_columns(Index first, const ConstMatrixRef& direction, MatrixRef x) override {
    const auto rates = rates_.segment(first, x.cols()).array();
    for (Index n = 0; n < x.rows(); ++n) x.row(n).array() += rates * direction.row(n).array();
  }

  std::vector<Matrix> memory() const override { return {}; }
  void recall(const std::vector<Matrix>& memory) override {
    check_argument(memory.empty(), "DiagonalStep::recall", "memory is not empty; diagonal steps have none");
  }

 private:
  RowVector rates_;
};

}  // namespace

void StepRule::State::step(const ConstMatrixRef& direction, MatrixRef x) {
  check_same_shape("StepRule::step", "direction", direction, "x", x);
  begin_step();
  parallel_for(x.cols(), kColumnsPerPiece, [&](Index begin, Index end) {
    move_columns(begin, direction.middleCols(begin, end - begin), x.middleCols(begin, end - begin));
  });
}

void StepRule::State::check_block(const char* rule, Index first, const ConstMatrixRef& block, const Matrix& memory) {
  check_argument(block.rows() == memory.rows() && first >= 0 && first + block.cols() <= memory.cols(), rule, [&] {
    return "the step is for " + shape_of(block) + " particles from column " + std::to_string(first) +
           " on; the rule's state is for " + shape_of(memory);
  });
}

AdaGrad::AdaGrad(const Options& options) : options_(options) {
  check_positive("AdaGrad", "learning_rate", options.learning_rate);
  check_positive("AdaGrad", "epsilon", options.epsilon);
  check_fraction("AdaGrad", "momentum", options.momentum);
}

std::unique_ptr<StepRule::State> AdaGrad::start(Index rows, Index columns) const {
  return std::make_unique<AdaGradState>(options_, rows, columns);
}

Adam::Adam(const Options& options) : options_(options) {
  check_positive("Adam", "learning_rate", options.learning_rate);
  check_positive("Adam", "epsilon", options.epsilon);
  check_fraction("Adam", "beta1", options.beta1);
  check_fraction("Adam", "beta2", options.beta2);
}

std::unique_ptr<StepRule::State> Adam::start(Index rows, Index columns) const {
  return std::make_unique<AdamState>(options_, rows, columns);
}

PlainStep::PlainStep(double learning_rate) : learning_rate_(learning_rate) {
  check_positive("PlainStep", "learning_rate", learning_rate);
}

std::unique_ptr<StepRule::State> PlainStep::start(Index /*rows*/, Index /*columns*/) const {
  return std::make_unique<PlainState>(learning_rate_);
}

DiagonalStep::DiagonalStep(RowVector rates) : rates_(std::move(rates)) {
  check_not_empty("DiagonalStep", "rates", rates_);
  check_finite("DiagonalStep", "rates", rates_);
  check_argument(rates_.minCoeff() >= 0, "DiagonalStep", "a rate is below 0; rates must be at least 0");
}

std::unique_ptr<StepRule::State> DiagonalStep::start(Index /*rows*/, Index columns) const {
  check_columns("DiagonalStep", "rates", rates_, columns);
  return std::make_unique<DiagonalState>(rates_);
}

const StepRule& default_step_rule() {
  static const AdaGrad rule;
  return rule;
}

}  // namespace fedstein
