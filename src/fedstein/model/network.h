// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <initializer_list>
#include <utility>
#include <vector>

#include "fedstein/model/activation.h"
#include "fedstein/model/batch.h"
#include "fedstein/numeric/rng.h"

namespace fedstein {

// The widths of a network's hidden layers, the one next to the inputs first; a number alone is one layer.
struct HiddenLayers {
  HiddenLayers(Index width) : widths{width} {}  // NOLINT(google-explicit-constructor): `.hidden = 100`
  HiddenLayers(std::initializer_list<Index> several) : widths(several) {}
  HiddenLayers(std::vector<Index> several) : widths(std::move(several)) {}  // NOLINT(google-explicit-constructor)

  std::vector<Index> widths;
};

// A network of rectified or other units: with h_0 = x, layer by layer
//
//   h_l = activation(h_(l-1) W_l + b_l),  l = 1 .. L,   out = h_L W_(L+1) + b_(L+1).
//
// Its parameters lie in one row: W_1 (inputs x units, row-major), b_1, W_2, b_2, ... and those of the outputs.
//
// A view of sizes: it owns no weights, and the row it is handed may be longer.
class Network {
 public:
  static constexpr std::size_t kMostLayers = 16;  // hidden ones: beyond, plain networks are not trained in practice

  // One layer's weights: inputs x units from `offset` on, then a bias for each unit.
  struct Layer {
    Index inputs;
    Index units;
    Index offset;
    Index before;  // units of the hidden layers before it
  };

  // Throws InvalidArgument, `name` first, for sizes below 1, no hidden layer or too many, and too many parameters.
  Network(const char* name,
          Index inputs,
          const HiddenLayers& hidden,
          Index outputs,
          Activation activation = Activation::kRelu);

  Index inputs() const { return layers_.front().inputs; }
  Index outputs() const { return layers_.back().units; }
  // Of all hidden layers together, and of the last.
  Index units() const { return layers_.back().before; }
  Index last_units() const { return layers_.back().inputs; }
  Index size() const { return layers_.back().offset + (last_units() + 1) * outputs(); }
  const std::vector<Layer>& layers() const { return layers_; }  // the outputs' last
  // Multiplications and additions of one forward pass for one row.
  double cost() const;

  // Weights from N(0, 1/(fan_in + 1)), biases 0: the usual start, which keeps every layer's outputs of order one.
  void draw(Rng& rng, RowRef theta) const;

  // active = rows x units() numbers without gaps, for the hidden units: those of each layer are a matrix rows x units
  // of its own, one after another. out = outputs x rows.
  void forward(const ConstRowRef& theta, const ConstMatrixRef& x, MatrixRef active, MatrixRef out) const;

  // grad += the gradient of sum(pull * out), for pull = outputs x rows and `active` as forward() left it.
  void backward(const ConstRowRef& theta,
                const ConstMatrixRef& x,
                const ConstMatrixRef& active,
                const ConstMatrixRef& pull,
                RowRef grad) const;

  // C, positive semidefinite: what Gauss and Newton's matrix is at the outputs of each row, outputs x outputs.
  struct OutputCurvature {
    ConstMatrixRef outer;  // outputs x rows: the diagonal of C
    ConstMatrixRef inner;  // rows x last_units(): the diagonal of W C W^T, W = outer_weights()
    // C = weight * sum of r_k r_k^T, k = 0 .. roots - 1: root() writes every row's r_k, outputs x rows. Networks of one
    // hidden layer do not ask for them.
    Real weight;
    Index roots;
    std::function<void(Index k, MatrixRef out)> root;
  };

  // diagonal += the exact diagonal of J^T C J for J the derivative of the outputs. The last two layers follow from
  // `outer` and `inner`; before them, each root is taken back through the layers, which costs a pass for each output,
  // but no row's gradient is formed.
  void add_gauss_newton(const ConstRowRef& theta,
                        const ConstMatrixRef& x,
                        const ConstMatrixRef& active,
                        const OutputCurvature& curvature,
                        RowRef diagonal) const;
  // The outputs' W, last_units() x outputs.
  Eigen::Map<const Matrix> outer_weights(const ConstRowRef& theta) const;

 private:
  Activation activation_;
  std::vector<Layer> layers_;
};

}  // namespace fedstein
