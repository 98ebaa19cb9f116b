// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/model/batch.h"
#include "fedstein/numeric/rng.h"

namespace fedstein {

// A network with one hidden layer of rectified units: out = max(x W1 + b1, 0) W2 + b2. Its parameters lie in one row as
//
//   W1 (inputs x hidden, row-major), b1, W2 (hidden x outputs, row-major), b2.
//
// A view of sizes: it owns no weights, and the row it is handed may be longer.
class Network {
 public:
  Network(const char* name, Index inputs, Index hidden, Index outputs);

  Index inputs() const { return inputs_; }
  Index hidden() const { return hidden_; }
  Index outputs() const { return outputs_; }
  Index size() const { return (inputs_ + 1) * hidden_ + (hidden_ + 1) * outputs_; }
  // Multiplications and additions of one forward pass for one row.
  double cost() const { return 2.0 * static_cast<double>(inputs_ * hidden_ + hidden_ * outputs_); }

  // Weights from N(0, 1/(fan_in + 1)), biases 0: the usual start, which keeps every layer's outputs of order one.
  void draw(Rng& rng, RowRef theta) const;

  // active = rows x hidden, the hidden units after rectification; out = outputs x rows.
  void forward(const ConstRowRef& theta, const ConstMatrixRef& x, MatrixRef active, MatrixRef out) const;

  // grad += the gradient of sum(pull * out), for pull = outputs x rows and `active` as forward() left it.
  void backward(const ConstRowRef& theta,
                const ConstMatrixRef& x,
                const ConstMatrixRef& active,
                const ConstMatrixRef& pull,
                RowRef grad) const;

  // diagonal += the diagonal of J^T C J for J the derivative of the outputs, from what is left of C in each layer:
  // `outer` = outputs x rows, its diagonal, and `inner` = rows x hidden, the diagonal of W2 C W2^T, which counts where
  // a unit is active. No row's gradient is formed.
  void add_gauss_newton(const ConstMatrixRef& x,
                        const ConstMatrixRef& active,
                        const ConstMatrixRef& outer,
                        const ConstMatrixRef& inner,
                        RowRef diagonal) const;
  // W2, hidden x outputs.
  Eigen::Map<const Matrix> outer_weights(const ConstRowRef& theta) const;

 private:
  Index inputs_;
  Index hidden_;
  Index outputs_;
};

}  // namespace fedstein
