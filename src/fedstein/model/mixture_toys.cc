// SPDX-License-Identifier: Apache-2.0
#include "fedstein/model/gaussian_mixture.h"

namespace fedstein {
namespace {

Gaussian normal(double mean, double variance) {
  return {DoubleVector::Constant(1, mean), DoubleMatrix::Constant(1, 1, variance)};
}

Gaussian normal(double mean0, double mean1, double variance0, double covariance, double variance1) {
  Gaussian result{DoubleVector(2), DoubleMatrix(2, 2)};
  result.mean << mean0, mean1;
  result.covariance << variance0, covariance, covariance, variance1;
  return result;
}

}  // namespace

GaussianMixture toy_mixture_1d(ToyPrior prior) {
  const Support box{DoubleVector::Constant(1, -6), DoubleVector::Constant(1, 6)};
  const GaussianMixture::Prior p0 =
      prior == ToyPrior::kUniform ? GaussianMixture::Prior(box) : GaussianMixture::Prior(normal(0, 1));
  return {p0, {{{1, normal(1, 4)}}, {{1, normal(-3, 1)}, {1, normal(3, 2)}}}};
}

GaussianMixture toy_mixture_2d() {
  const GaussianMixture::Factor first = {{1, normal(-1.71, -1.801, 0.226, 0.1652, 0.6779)},
                                         {1, normal(1, 0, 2, 0.5, 2)}};
  const GaussianMixture::Factor second = {{1, normal(1, 0, 3, 0.5, 3)}};
  return {normal(0, 0, 4, 2, 4), {first, second}};
}

}  // namespace fedstein
