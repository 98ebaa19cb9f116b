// SPDX-License-Identifier: Apache-2.0
#include "fedstein/stein/step_rule.h"

#include <cmath>

#include "fedstein/numeric/check.h"
#include "fedstein/numeric/parallel.h"

namespace fedstein {
namespace {

constexpr Index kColumnsPerPiece = 4096;
constexpr Index kNumbersPerPiece = 1 << 15;

template <typename Scalar>
using Flat = Eigen::Map<std::conditional_t<std::is_const_v<Scalar>,
                                           const Eigen::Array<Real, Eigen::Dynamic, 1>,
                                           Eigen::Array<Real, Eigen::Dynamic, 1>>>;

void check_fraction(const char* function, const char* argument, double value) {
  check(value >= 0 && value < 1,
        function,
        std::string(argument) + " is " + to_text(value) + "; it must be at least 0 and below 1");
}

// Memories are the matrices of a state and its step count, which a Real holds exactly up to 2^24.
Matrix count_as_matrix(Index steps) {
  return Matrix::Constant(1, 1, static_cast<Real>(steps));
}

void check_memory(const char* function, const std::vector<Matrix>& memory, const Matrix& like, std::size_t matrices) {
  check(memory.size() == matrices + 1 && memory.back().size() == 1,
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

  void step(const ConstMatrixRef& direction, MatrixRef x) override {
    check_same_shape("AdaGrad::step", "direction", direction, "x", mean_square_);
    const Real keep = steps_ == 0 ? Real{0} : momentum_;
    ++steps_;
    const auto advance = [&](const auto& phi, auto&& acc, auto&& place) {
      acc = keep * acc + (1 - keep) * phi.square();
      place += learning_rate_ / (epsilon_ + acc.sqrt()) * phi;
    };
    if (x.outerStride() == x.cols() && direction.outerStride() == x.cols()) {
      // As one long row: short rows one by one would be mostly beginnings and ends.
      parallel_for(x.size(), kNumbersPerPiece, [&](Index begin, Index end) {
        advance(Flat<const Real>(direction.data() + begin, end - begin),
                Flat<Real>(mean_square_.data() + begin, end - begin),
                Flat<Real>(x.data() + begin, end - begin));
      });
    } else {
      advance(direction.array(), mean_square_.array(), x.array());
    }
  }

  std::vector<Matrix> memory() const override { return {mean_square_, count_as_matrix(steps_)}; }
  void recall(const std::vector<Matrix>& memory) override {
    check_memory("AdaGrad::recall", memory, mean_square_, 1);
    mean_square_ = memory[0];
    steps_ = static_cast<Index>(memory[1](0, 0));
  }

 private:
  Real learning_rate_;
  Real epsilon_;
  Real momentum_;
  Index steps_ = 0;
  Matrix mean_square_;
};

class AdamState : public StepRule::State {
 public:
  AdamState(const Adam::Options& options, Index rows, Index columns)
      : options_(options), mean_(Matrix::Zero(rows, columns)), mean_square_(Matrix::Zero(rows, columns)) {}

  void step(const ConstMatrixRef& direction, MatrixRef x) override {
    check_same_shape("Adam::step", "direction", direction, "x", mean_);
    ++steps_;
    const auto beta1 = static_cast<Real>(options_.beta1);
    const auto beta2 = static_cast<Real>(options_.beta2);
    const auto rate =
        static_cast<Real>(options_.learning_rate / (1 - std::pow(options_.beta1, static_cast<double>(steps_))));
    const auto correction = static_cast<Real>(1 / (1 - std::pow(options_.beta2, static_cast<double>(steps_))));
    const auto epsilon = static_cast<Real>(options_.epsilon);
    parallel_for(x.cols(), kColumnsPerPiece, [&](Index begin, Index end) {
      const auto phi = direction.middleCols(begin, end - begin).array();
      auto m = mean_.middleCols(begin, end - begin).array();
      auto v = mean_square_.middleCols(begin, end - begin).array();
      m = beta1 * m + (1 - beta1) * phi;
      v = beta2 * v + (1 - beta2) * phi.square();
      x.middleCols(begin, end - begin).array() += rate * m / ((v * correction).sqrt() + epsilon);
    });
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

  void step(const ConstMatrixRef& direction, MatrixRef x) override {
    check_same_shape("PlainStep::step", "direction", direction, "x", x);
    x += learning_rate_ * direction;
  }

  std::vector<Matrix> memory() const override { return {}; }
  void recall(const std::vector<Matrix>& memory) override {
    check(memory.empty(), "PlainStep::recall", "memory is not empty; plain steps have none");
  }

 private:
  Real learning_rate_;
};

}  // namespace

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

const StepRule& default_step_rule() {
  static const AdaGrad rule;
  return rule;
}

}  // namespace fedstein
