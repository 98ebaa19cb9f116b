// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "fedstein/model/linear_coefficients.h"
#include "fedstein/model/linear_weights.h"
#include "fedstein/model/model.h"

namespace fedstein {

class LinearPrior;
struct LogGamma;

// A model of counts whose logarithm of the expected count, the log rate, is w.x + b. What Poisson and negative binomial
// regression share: prior and weights, and everything that is evaluated rather than differentiated.
//
//   theta = [w, b] and, of some, the logarithm of a dispersion behind them
//
// Labels are counts, whole numbers from 0 to kMostCount of data/dataset.h, and never scaled.
//
// exp(w.x + b) is finite for bounded weights only. Above kMostLogRate a row's log likelihood goes on along its tangent:
// finite, continuous with its derivative, and its slope leads back. No count comes near such a rate, so that only
// particles that went astray get there; what they predict is the rate exp(kMostLogRate).
class CountRegression : public Model, public Predictive, private Answers {
 public:
  static constexpr double kMostLogRate = 20;  // 4.9e8, thirty times the largest count

  Index inputs() const { return weights_.inputs; }
  Index dimension() const override;
  Index weight_dimension() const override { return weights_.count(); }
  void draw_prior(Rng& rng, MatrixRef particles) const override;
  // The intercept so that each particle expects as many counts in all as there are.
  void fit_start(const Batch& batch, MatrixRef particles) const override;
  DoubleVector prior_log_density(const ConstMatrixRef& theta) const override;
  void add_prior_score(const ConstMatrixRef& theta, double weight, MatrixRef grad) const override;

  // Labels that are no counts are refused.
  void check_data(const Batch& batch) const override;
  DoubleVector log_likelihood(const ConstMatrixRef& theta, const Batch& batch) const override;
  void add_likelihood_score(const ConstMatrixRef& theta,
                            const Batch& batch,
                            double weight,
                            MatrixRef grad) const override;

  const Predictive* predictive() const override { return this; }
  const Answers* answers() const override { return this; }
  const Coefficients* coefficients() const override { return &coefficients_; }
  // The expected count; aleatoric_variance is the mean over particles of the count's variance.
  Prediction predict(const ConstMatrixRef& theta, const ConstMatrixRef& x) const override;
  DoubleVector log_predictive(const ConstMatrixRef& theta, const Batch& batch) const override;
  Forecast forecast(const ConstMatrixRef& theta, const Batch& batch) const override;
  bool cumulative(const ConstMatrixRef& theta,
                  const ConstMatrixRef& x,
                  const DoubleVector& at,
                  DoubleVector& probability) const override;
  // Per row, the probability of the smallest central interval of the mixture over particles that holds the count.
  DoubleVector central_mass(const ConstMatrixRef& theta, const Batch& batch) const;
  // Per row, the smallest count that the mixture of all particles stays at or below with probability `level`, in the
  // open (0, 1).
  DoubleVector quantile(const ConstMatrixRef& theta, const ConstMatrixRef& x, double level) const;

 protected:
  CountRegression(const char* name, const LinearWeights& weights);
  CountRegression(const char* name, const LinearWeights& weights, const LogGamma& dispersion);

  // The distribution of one row's count under one particle. log_dispersion: the particle's last number, or 0 where it
  // has none. log_rate: at most kMostLogRate.
  virtual double log_probability(double log_dispersion, double count, double log_rate) const = 0;
  virtual double variance(double log_dispersion, double rate) const = 0;
  virtual double probability_up_to(double log_dispersion, double count, double log_rate) const = 0;  // P(Y <= count)
  // d log_probability / d log_rate; what leads back from above kMostLogRate.
  virtual double rate_slope(double log_dispersion, double count, double rate) const = 0;

  // One particle's rows at once. values: of each row w.x in, d log likelihood / d (w.x) out. Returns the sum over rows
  // of d log likelihood / d log_dispersion. A count need not be whole, nor above 0: a teacher may have made it up.
  struct Rows {
    double log_dispersion;
    double offset;  // b
    ConstVectorRef counts;
  };
  virtual double differentiate(const Rows& rows, VectorRef values) const = 0;
  // Fisher's information about w.x in a row, at a rate.
  virtual double rate_information(double log_dispersion, double rate) const = 0;

  // The diagonal of Fisher's information about the weights.
  void add_information(const ConstMatrixRef& theta, const Batch& batch, double weight, MatrixRef diagonal) const;

  const char* name() const { return name_; }
  const LinearPrior& prior() const { return *prior_; }
  double offset(const ConstRowRef& theta) const;
  double log_dispersion(const ConstRowRef& theta) const;
  // out(i) = w.x of a row of x, without the offset.
  void outputs(const ConstRowRef& theta, const ConstMatrixRef& x, VectorRef out) const;
  double log_likelihood_of(double log_dispersion, double count, double log_rate) const;

 private:
  void add_rows(const ConstMatrixRef& theta, const Batch& batch, Real weight, MatrixRef grad) const;
  void check_counts(const Batch& batch) const;
  Index numbers() const override { return 1; }
  void answer(const ConstRowRef& theta, const ConstMatrixRef& x, MatrixRef out) const override;
  void add_pull(const ConstRowRef& theta,
                const ConstMatrixRef& x,
                const ConstMatrixRef& pull,
                RowRef grad) const override;

  const char* name_;
  LinearWeights weights_;
  std::shared_ptr<const LinearPrior> prior_;
  LinearCoefficients coefficients_;
};

}  // namespace fedstein
