// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "fedstein/numeric/matrix.h"
#include "fedstein/stein/bandwidth.h"

namespace fedstein {

// A positive-definite radial kernel k(x, y) = f(|x - y|^2), its squared length scale h chosen by a bandwidth rule from
// the particles it is used on. Everything SVGD and the KSD need follows from f and its derivatives:
//
//   d/dx k(x, y) = 2 f'(|x - y|^2) (x - y)
//
// At h = 0 (equal particles) a kernel is its own limit: f = 1 at distance 0, f = 0 elsewhere, all derivatives 0.
// Immutable. Implementations satisfy the identities in tests/support/kernel_invariants.h.
class Kernel {
 public:
  explicit Kernel(Bandwidth bandwidth) : bandwidth_(bandwidth) {}
  virtual ~Kernel() = default;

  const Bandwidth& bandwidth() const { return bandwidth_; }

  // value = f(r2), slope = f'(r2), elementwise.
  virtual void evaluate(double h, const ConstMatrixRef& r2, MatrixRef value, MatrixRef slope) const = 0;
  // curvature = f''(r2), elementwise.
  virtual void evaluate_curvature(double h, const ConstMatrixRef& r2, MatrixRef curvature) const = 0;

  // f'/f where it is the same at every distance: attraction and repulsion are then one product. evaluate_in_place()
  // turns r2 into f(r2); only called when there is such a ratio.
  virtual std::optional<double> log_slope(double /*h*/) const { return std::nullopt; }
  virtual void evaluate_in_place(double h, MatrixRef r2) const;

  // Whether particles feel each other at all. Where they do not, no distances are computed.
  virtual bool couples() const { return true; }

 private:
  Bandwidth bandwidth_;
};

// f(r2) = exp(-r2 / h): the paper's kernel.
class RbfKernel : public Kernel {
 public:
  explicit RbfKernel(Bandwidth bandwidth = Bandwidth::paper()) : Kernel(bandwidth) {}

  void evaluate(double h, const ConstMatrixRef& r2, MatrixRef value, MatrixRef slope) const override;
  void evaluate_curvature(double h, const ConstMatrixRef& r2, MatrixRef curvature) const override;
  std::optional<double> log_slope(double h) const override;
  void evaluate_in_place(double h, MatrixRef r2) const override;
};

// f(r2) = (1 + r2 / h)^exponent, -1 < exponent < 0: the inverse multiquadric. Its KSD detects non-convergence where
// that of lighter-tailed kernels does not (Gorham and Mackey 2017), and its repulsion reaches further.
class ImqKernel : public Kernel {
 public:
  explicit ImqKernel(Bandwidth bandwidth = Bandwidth::paper(), double exponent = -0.5);

  void evaluate(double h, const ConstMatrixRef& r2, MatrixRef value, MatrixRef slope) const override;
  void evaluate_curvature(double h, const ConstMatrixRef& r2, MatrixRef curvature) const override;

 private:
  double exponent_;
};

// f = 1 at distance 0 and 0 elsewhere: every particle follows its own score, as the members of an ensemble do. The
// limit of all kernels at h = 0.
class IndependentKernel : public Kernel {
 public:
  IndependentKernel() : Kernel(Bandwidth::paper()) {}

  void evaluate(double h, const ConstMatrixRef& r2, MatrixRef value, MatrixRef slope) const override;
  void evaluate_curvature(double h, const ConstMatrixRef& r2, MatrixRef curvature) const override;
  bool couples() const override { return false; }
};

// The paper's choice: RBF with the rule `paper`.
const Kernel& default_kernel();

}  // namespace fedstein
