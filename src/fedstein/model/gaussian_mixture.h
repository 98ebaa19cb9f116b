// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <variant>
#include <vector>

#include "fedstein/model/gaussian.h"
#include "fedstein/model/model.h"

namespace fedstein {

// 0, 1, .. count-1 in one column: the rows that stand for so many factors.
Matrix factor_rows(Index count);

struct MixtureComponent {
  double weight = 1;  // above 0; the weights of a factor need not sum to 1
  Gaussian gaussian;
};

// The toys of the paper: a prior (Gaussian, or uniform on a box) times likelihood factors, each a weighted sum of
// Gaussian densities of theta itself:
//
//   p(theta | data) ~ p0(theta) prod_f [ sum_c weight_fc N(theta; mean_fc, covariance_fc) ].
//
// A data row stands for one factor: x(i, 0) is its index, so that a partition of the rows hands factors to agents. y is
// not looked at. There is nothing to predict.
class GaussianMixture : public Model, private Curvature {
 public:
  using Factor = std::vector<MixtureComponent>;
  using Prior = std::variant<Gaussian, Support>;

  GaussianMixture(const Prior& prior, const std::vector<Factor>& factors);

  Index dimension() const override { return dimension_; }
  Index factors() const { return static_cast<Index>(factors_.size()); }
  // The x of the whole data set.
  Matrix factor_rows() const { return fedstein::factor_rows(factors()); }
  // log p0 + sum over all factors / temperature: q_opt up to a constant.
  DoubleVector log_posterior(const ConstMatrixRef& theta, double temperature = 1) const;

  void draw_prior(Rng& rng, MatrixRef particles) const override;
  DoubleVector prior_log_density(const ConstMatrixRef& theta) const override;
  void add_prior_score(const ConstMatrixRef& theta, double weight, MatrixRef grad) const override;
  const Support* support() const override { return std::get_if<Support>(&prior_); }
  void check_data(const Batch& batch) const override;
  DoubleVector log_likelihood(const ConstMatrixRef& theta, const Batch& batch) const override;
  void add_likelihood_score(const ConstMatrixRef& theta,
                            const Batch& batch,
                            double weight,
                            MatrixRef grad) const override;
  const Curvature* curvature() const override { return this; }

  // log( 1/N sum_n p(row | theta.row(n)) ), one entry per row.
  DoubleVector log_predictive(const ConstMatrixRef& theta, const Batch& batch) const;

 private:
  void add_prior_curvature(const ConstMatrixRef& theta, double weight, MatrixRef curvature) const override;
  void add_likelihood_curvature(const ConstMatrixRef& theta,
                                const Batch& batch,
                                double weight,
                                MatrixRef curvature) const override;

  struct Component {
    double log_weight;
    GaussianDensity density;
  };
  using Components = std::vector<Component>;

  static double log_density(const Components& factor, const ConstRowRef& theta);
  const Components& factor_of(const Batch& batch, Index row) const;

  Index dimension_;
  std::variant<GaussianDensity, Support> prior_;
  std::vector<Components> factors_;
};

// The paper's one-dimensional toy: factors N(1, 4) and N(-3, 1) + N(3, 2) (second number: variance), with the uniform
// prior on [-6, 6] of the main text or the N(0, 1) of the appendix.
enum class ToyPrior { kUniform, kNormal };
GaussianMixture toy_mixture_1d(ToyPrior prior);

// The paper's two-dimensional toy  [app:2d_mixture].
GaussianMixture toy_mixture_2d();

}  // namespace fedstein
