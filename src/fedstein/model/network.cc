// SPDX-License-Identifier: Apache-2.0
#include "fedstein/model/network.h"

#include <algorithm>
#include <cmath>

#include "fedstein/numeric/check.h"
#include "fedstein/numeric/product.h"
#include "fedstein/numeric/scratch.h"

namespace fedstein {
namespace {

// A long inner dimension is cut into slices that stay in the first-level cache: for 784 inputs and 100 hidden units
// that made the product half as fast again (54 -> 79 GFLOP/s of the 87 that a large square product reaches).
constexpr Index kInnerSlice = 256;
// Some gigabytes a particle: a mistyped width is refused in words and not by the lack of memory.
constexpr double kMostParameters = 1e9;

using Layer = Network::Layer;

// A layer's parameters within a row; the second, those of a row that is written.
struct Weights {
  Weights(const Layer& layer, const Real* row)
      : w(row + layer.offset, layer.inputs, layer.units), b(row + layer.offset + w.size(), layer.units) {}
  Eigen::Map<const Matrix> w;
  Eigen::Map<const RowVector> b;
};
struct MutableWeights {
  MutableWeights(const Layer& layer, Real* row)
      : w(row + layer.offset, layer.inputs, layer.units), b(row + layer.offset + w.size(), layer.units) {}
  Eigen::Map<Matrix> w;
  Eigen::Map<RowVector> b;
};

Eigen::Map<const Matrix> units_of(const Layer& layer, const ConstMatrixRef& active) {
  return {active.data() + active.rows() * layer.before, active.rows(), layer.units};
}

Eigen::Map<Matrix> changing_units_of(const Layer& layer, MatrixRef active) {
  return {active.data() + active.rows() * layer.before, active.rows(), layer.units};
}

std::string shown(const std::vector<Index>& widths) {
  std::string out;
  for (const Index width : widths) out += (out.empty() ? "" : ", ") + std::to_string(width);
  return widths.size() == 1 ? out : "[" + out + "]";
}

// inputs^2 ^T * counted, and the sums of counted.
void add_squares(const ConstMatrixRef& inputs, const ConstMatrixRef& counted, const Layer& layer, Real* diagonal) {
  MutableWeights sum(layer, diagonal);
  Scratch squares(inputs.rows(), inputs.cols());
  *squares = inputs.cwiseAbs2();
  sum.b += counted.colwise().sum();
  sum.w.noalias() += squares->transpose() * counted;
}

// A pass back through the hidden layers below the last, layer by layer, each level holding its own memory.
class PassBack {
 public:
  PassBack(const std::vector<Layer>& layers, Activation activation, const Real* theta, const ConstMatrixRef& active)
      : layers_(layers), activation_(activation), theta_(theta), active_(active) {}

  // From the pull on a hidden layer's inputs z, rows x units: grad += that of its parameters and of all below.
  void add_gradients(std::size_t l, const ConstMatrixRef& x, const ConstMatrixRef& pull, Real* grad) const {
    MutableWeights change(layers_[l], grad);
    change.b += pull.colwise().sum();
    if (l == 0) return add_transposed_product(1, x, pull, change.w);
    add_transposed_product(1, units_of(layers_[l - 1], active_), pull, change.w);
    Scratch below(pull.rows(), layers_[l].inputs);
    take_below(l, pull, *below);
    add_gradients(l - 1, x, *below, grad);
  }

  // From a root's share at z: counted += the squares of its shares in all layers below.
  void add_squares_below(std::size_t l, const ConstMatrixRef& share, MatrixRef counted) const {
    if (l == 0) return;
    Scratch below(share.rows(), layers_[l].inputs);
    take_below(l, share, *below);
    changing_units_of(layers_[l - 1], counted) += below->cwiseAbs2();
    add_squares_below(l - 1, *below, counted);
  }

 private:
  void take_below(std::size_t l, const ConstMatrixRef& pull, MatrixRef below) const {
    below.setZero();
    add_product_transposed(1, pull, Weights(layers_[l], theta_).w, below);
    multiply_by_slopes(activation_, units_of(layers_[l - 1], active_), below);
  }

  const std::vector<Layer>& layers_;
  Activation activation_;
  const Real* theta_;
  const ConstMatrixRef& active_;
};

}  // namespace

Network::Network(const char* name, Index inputs, const HiddenLayers& hidden, Index outputs, Activation activation)
    : activation_(activation) {
  const std::vector<Index>& widths = hidden.widths;
  check_argument(!widths.empty() && widths.size() <= kMostLayers, name, [&] {
    return "the network has " + std::to_string(widths.size()) + " hidden layers; it must have 1 to " +
           std::to_string(kMostLayers);
  });
  const Index least = *std::min_element(widths.begin(), widths.end());
  check_argument(inputs >= 1 && least >= 1 && outputs >= 1, name, [&] {
    return "the network has " + std::to_string(inputs) + " inputs, " + shown(widths) + " hidden units and " +
           std::to_string(outputs) + " outputs; each must be at least 1";
  });
  layers_.reserve(widths.size() + 1);
  double parameters = 0;
  Layer next{.inputs = inputs, .units = 0, .offset = 0, .before = 0};
  for (std::size_t l = 0; l <= widths.size(); ++l) {
    next.units = l < widths.size() ? widths[l] : outputs;
    parameters += (static_cast<double>(next.inputs) + 1) * static_cast<double>(next.units);
    check_argument(parameters <= kMostParameters, name, [&] {
      return "the network has " + shown(widths) + " hidden units on " + std::to_string(inputs) +
             " inputs: " + to_text(parameters) + " parameters and more; at most " + to_text(kMostParameters) +
             " are allowed";
    });
    layers_.push_back(next);
    next.offset += (next.inputs + 1) * next.units;
    next.before += next.units;
    next.inputs = next.units;
  }
}

double Network::cost() const {
  Index products = 0;
  for (const Layer& layer : layers_) products += layer.inputs * layer.units;
  return 2.0 * static_cast<double>(products);
}

void Network::draw(Rng& rng, RowRef theta) const {
  for (const Layer& layer : layers_) {
    MutableWeights net(layer, theta.data());
    rng.fill_normal(net.w, 0, 1 / std::sqrt(static_cast<double>(layer.inputs + 1)));
    net.b.setZero();
  }
}

void Network::forward(const ConstRowRef& theta, const ConstMatrixRef& x, MatrixRef active, MatrixRef out) const {
  const std::size_t hidden = layers_.size() - 1;
  for (std::size_t l = 0; l < hidden; ++l) {
    const Weights net(layers_[l], theta.data());
    Eigen::Map<Matrix> units = changing_units_of(layers_[l], active);
    units.rowwise() = net.b;
    for (Index k = 0; k < layers_[l].inputs; k += kInnerSlice) {
      const Index count = std::min(kInnerSlice, layers_[l].inputs - k);
      if (l == 0) {
        add_product(1, x.middleCols(k, count), net.w.middleRows(k, count), units);
      } else {
        add_product(1, units_of(layers_[l - 1], active).middleCols(k, count), net.w.middleRows(k, count), units);
      }
    }
    activate(activation_, units);
  }
  const Weights top(layers_[hidden], theta.data());
  out.colwise() = top.b.transpose();
  out.noalias() += top.w.transpose() * units_of(layers_[hidden - 1], active).transpose();
}

void Network::backward(const ConstRowRef& theta,
                       const ConstMatrixRef& x,
                       const ConstMatrixRef& active,
                       const ConstMatrixRef& pull,
                       RowRef grad) const {
  const std::size_t last = layers_.size() - 2;  // the last hidden layer
  const auto units = units_of(layers_[last], active);
  MutableWeights change(layers_.back(), grad.data());
  change.w.noalias() += units.transpose() * pull.transpose();
  change.b += pull.rowwise().sum().transpose();
  Scratch hidden_pull(x.rows(), last_units());
  hidden_pull->noalias() = pull.transpose() * outer_weights(theta).transpose();
  multiply_by_slopes(activation_, units, *hidden_pull);
  PassBack(layers_, activation_, theta.data(), active).add_gradients(last, x, *hidden_pull, grad.data());
}

void Network::add_gauss_newton(const ConstRowRef& theta,
                               const ConstMatrixRef& x,
                               const ConstMatrixRef& active,
                               const OutputCurvature& curvature,
                               RowRef diagonal) const {
  const std::size_t last = layers_.size() - 2;
  const auto units = units_of(layers_[last], active);
  Scratch counted(x.rows(), this->units());  // laid out as `active` is
  if (last > 0) {
    const PassBack back(layers_, activation_, theta.data(), active);
    Scratch root(outputs(), x.rows());
    Scratch share(x.rows(), last_units());
    counted->setZero();
    for (Index k = 0; k < curvature.roots; ++k) {
      curvature.root(k, *root);
      share->noalias() = root->transpose() * outer_weights(theta).transpose();
      multiply_by_slopes(activation_, units, *share);
      back.add_squares_below(last, *share, *counted);
    }
    *counted *= curvature.weight;
  }
  auto top = changing_units_of(layers_[last], *counted);
  top = curvature.inner;
  for (int power = 0; power < 2; ++power) multiply_by_slopes(activation_, units, top);
  for (std::size_t l = 0; l <= last; ++l) {
    const Eigen::Map<const Matrix> shares = units_of(layers_[l], *counted);
    if (l == 0) {
      add_squares(x, shares, layers_[l], diagonal.data());
    } else {
      add_squares(units_of(layers_[l - 1], active), shares, layers_[l], diagonal.data());
    }
  }
  MutableWeights sum(layers_.back(), diagonal.data());
  sum.b += curvature.outer.rowwise().sum().transpose();
  Scratch squares(x.rows(), last_units());
  *squares = units.cwiseAbs2();
  sum.w.noalias() += squares->transpose() * curvature.outer.transpose();
}

Eigen::Map<const Matrix> Network::outer_weights(const ConstRowRef& theta) const {
  return Weights(layers_.back(), theta.data()).w;
}

}  // namespace fedstein
