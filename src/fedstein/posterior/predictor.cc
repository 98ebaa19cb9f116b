// SPDX-License-Identifier: Apache-2.0
#include "fedstein/posterior/predictor.h"

#include <algorithm>
#include <cmath>

#include "fedstein/metrics/classification.h"
#include "fedstein/metrics/regression.h"
#include "fedstein/metrics/uncertainty.h"
#include "fedstein/model/count_regression.h"
#include "fedstein/numeric/check.h"
#include "fedstein/posterior/quantiles.h"

namespace fedstein {
namespace {

constexpr const char* kWho = "predictor";
constexpr const char* kNoTemperature =
    "a Student loss has no temperature but 1, nor have counts, nor has a regression of your own";

// Rows that are worked on at a time: enough for full speed, few enough for small devices.
constexpr Index kRowsAtATime = 4096;

template <typename Visit>
void for_pieces(Index rows, const Visit& visit) {
  for (Index begin = 0; begin < rows; begin += kRowsAtATime) visit(begin, std::min(kRowsAtATime, rows - begin));
}

// log_p.row(i) / temperature, normalised anew.
DoubleMatrix tempered(const Matrix& log_p, double temperature) {
  DoubleMatrix out = log_p.cast<double>() / temperature;
  for (Index row = 0; row < out.rows(); ++row) {
    const double top = out.row(row).maxCoeff();
    out.row(row).array() -= top + std::log((out.row(row).array() - top).exp().sum());
  }
  return out;
}

double log_of_sum(double a, double b) {
  const double top = std::max(a, b);
  return std::isinf(top) ? top : top + std::log1p(std::exp(std::min(a, b) - top));
}

// Finite weights and rows can be so large that their products are not.
void check_predictions(const DoubleMatrix& found, const ConstMatrixRef& x, const Particles& particles) {
  Index row = 0;
  while (row < found.rows() && found.row(row).allFinite()) ++row;
  check_argument(row == found.rows(), kWho, [&] {
    return "a row whose scaled values reach " + to_text(static_cast<double>(x.row(row).cwiseAbs().maxCoeff())) +
           " has no finite prediction by particles whose values reach " +
           to_text(static_cast<double>(particles.cwiseAbs().maxCoeff())) + "; one of them must be smaller";
  });
}

}  // namespace

Predictor::Predictor(Posterior posterior, const Registry& registry) : posterior_(std::move(posterior)) {
  check_posterior(posterior_, registry);
  model_ = make_model(posterior_, registry);
  check_argument(model_->predictive() != nullptr, kWho, "the model predicts nothing from rows");
  classifier_ = dynamic_cast<const Classifier*>(model_.get());
  check_argument(can_be_tempered() || posterior_.temperature == 1, kWho, kNoTemperature);
  DoubleVector unused(0);
  const Matrix no_rows(0, features());
  can_tell_quantiles_ =
      !classifies() &&
      (can_be_tempered() || model_->predictive()->cumulative(posterior_.particles, no_rows, DoubleVector(0), unused));
}

bool Predictor::can_be_tempered() const {
  const Settings& settings = posterior_.settings;
  return classifies() || (settings.has("loss") && settings.at("loss") == SettingValue(std::string("gaussian")));
}

Matrix Predictor::scaled(const ConstMatrixRef& x) const {
  check_columns(kWho, "x", x, features());
  Matrix out = x;
  apply_scaling(posterior_.scaling, out);
  return out;
}

RowPredictions Predictor::predict(const ConstMatrixRef& x) const {
  check_columns(kWho, "x", x, features());
  check_finite(kWho, "x", x);
  RowPredictions out;
  for (DoubleVector* part : {&out.total, &out.aleatoric, &out.epistemic}) part->resize(x.rows());
  classifies() ? out.probabilities.resize(x.rows(), classifier_->classes()) : out.mean.resize(x.rows());
  for_pieces(x.rows(), [&](Index begin, Index count) {
    const Matrix piece = scaled(x.middleRows(begin, count));
    classifies() ? classify(piece, out, begin) : regress(piece, out, begin);
  });
  return out;
}

void Predictor::classify(const ConstMatrixRef& x, RowPredictions& out, Index begin) const {
  EntropyAccumulator sums(x.rows(), classifier_->classes());
  for (const auto& particle : posterior_.particles.rowwise()) {
    const DoubleMatrix log_p = tempered(classifier_->log_probabilities(particle, x), posterior_.temperature);
    const DoubleMatrix p = log_p.array().exp();
    check_predictions(p, x, posterior_.particles);
    sums.add(p.cast<Real>());
  }
  const EntropySplit split = sums.split();
  out.probabilities.middleRows(begin, x.rows()) = sums.mean();
  out.total.segment(begin, x.rows()) = split.total;
  out.aleatoric.segment(begin, x.rows()) = split.aleatoric;
  out.epistemic.segment(begin, x.rows()) = split.epistemic;
}

void Predictor::regress(const ConstMatrixRef& x, RowPredictions& out, Index begin) const {
  const Scaling& scaling = posterior_.scaling;
  const Prediction found = model_->predictive()->predict(posterior_.particles, x);
  check_predictions(found.mean + found.aleatoric_variance + found.epistemic_variance, x, posterior_.particles);
  const DoubleVector noise = posterior_.temperature * found.aleatoric_variance;
  const auto deviation = [&](const DoubleVector& variance) { return scaling.target_spread * variance.cwiseSqrt(); };
  out.mean.segment(begin, x.rows()) = found.mean.array() * scaling.target_spread + scaling.target_shift;
  out.total.segment(begin, x.rows()) = deviation(noise + found.epistemic_variance);
  out.aleatoric.segment(begin, x.rows()) = deviation(noise);
  out.epistemic.segment(begin, x.rows()) = deviation(found.epistemic_variance);
}

Predictor::Mixture Predictor::scaled_mixture(const ConstMatrixRef& x, double temperature) const {
  const Index particles = posterior_.particles.rows();
  Mixture out{Matrix(x.rows(), particles), Matrix(x.rows(), particles)};
  for (Index n = 0; n < particles; ++n) {
    const Prediction one = model_->predictive()->predict(posterior_.particles.row(n), x);
    out.means.col(n) = one.mean.cast<Real>();
    out.variances.col(n) = (temperature * one.aleatoric_variance).cast<Real>();
  }
  return out;
}

Predictor::Mixture Predictor::mixture(const ConstMatrixRef& x) const {
  check_argument(
      !classifies() && can_be_tempered(), kWho, "only a regression with a Gaussian loss is a mixture of Gaussians");
  Mixture out = scaled_mixture(scaled(x), posterior_.temperature);
  const double spread = posterior_.scaling.target_spread;
  out.means = (out.means.cast<double>().array() * spread + posterior_.scaling.target_shift).cast<Real>();
  out.variances = (out.variances.cast<double>() * spread * spread).cast<Real>();
  return out;
}

DoubleMatrix Predictor::quantiles(const ConstMatrixRef& x, const std::vector<double>& probabilities) const {
  check_argument(can_tell_quantiles(), kWho, "the model's predictive distribution is not known");
  DoubleMatrix out(x.rows(), static_cast<Index>(probabilities.size()));
  for_pieces(x.rows(), [&](Index begin, Index count) {
    const Matrix piece = scaled(x.middleRows(begin, count));
    if (can_be_tempered()) {
      const Mixture at = scaled_mixture(piece, posterior_.temperature);
      out.middleRows(begin, count) = mixture_quantiles(at.means, at.variances, probabilities);
    } else {
      own_quantiles(piece, probabilities, out.middleRows(begin, count));
    }
  });
  return out.array() * posterior_.scaling.target_spread + posterior_.scaling.target_shift;
}

// Scaled, as the model sees it.
void Predictor::own_quantiles(const ConstMatrixRef& x,
                              const std::vector<double>& probabilities,
                              Eigen::Ref<DoubleMatrix> out) const {
  const Predictive& predictive = *model_->predictive();
  const auto cumulative = [&](const DoubleVector& at) {
    DoubleVector found;
    predictive.cumulative(posterior_.particles, x, at, found);
    return found;
  };
  const Prediction middle = predictive.predict(posterior_.particles, x);
  const DoubleVector deviation = (middle.aleatoric_variance + middle.epistemic_variance).cwiseSqrt();
  for (std::size_t q = 0; q < probabilities.size(); ++q) {
    out.col(static_cast<Index>(q)) =
        posterior_.shape.labels == LabelKind::kCounts
            ? count_quantile(cumulative, middle.mean, probabilities[q])
            : continuous_quantile(
                  cumulative, middle.mean - 4 * deviation, middle.mean + 4 * deviation, probabilities[q]);
  }
}

DoubleVector Predictor::central_mass(const ConstMatrixRef& x, const Eigen::Ref<const Vector>& y) const {
  const auto* model = dynamic_cast<const CountRegression*>(model_.get());
  if (model == nullptr) return {};
  check_argument(y.size() == x.rows(), kWho, "y must have one label a row");
  DoubleVector out(x.rows());
  for_pieces(x.rows(), [&](Index begin, Index count) {
    const Matrix piece = scaled(x.middleRows(begin, count));
    const Vector counts = y.segment(begin, count);
    out.segment(begin, count) = model->central_mass(posterior_.particles, {piece, counts});
  });
  return out;
}

DoubleVector Predictor::log_predictive(const ConstMatrixRef& x, const Eigen::Ref<const Vector>& y) const {
  return log_predictive(x, y, posterior_.temperature);
}

DoubleVector Predictor::log_predictive(const ConstMatrixRef& x,
                                       const Eigen::Ref<const Vector>& y,
                                       double temperature) const {
  check_positive(kWho, "temperature", temperature);
  check_argument(can_be_tempered() || temperature == 1, kWho, kNoTemperature);
  check_argument(y.size() == x.rows(), kWho, "y must have one label a row");
  DoubleVector out(x.rows());
  const Scaling& scaling = posterior_.scaling;
  for_pieces(x.rows(), [&](Index begin, Index count) {
    const Matrix piece = scaled(x.middleRows(begin, count));
    auto mine = out.segment(begin, count);
    if (!classifies()) {
      const Vector target =
          ((y.segment(begin, count).cast<double>().array() - scaling.target_shift) / scaling.target_spread)
              .cast<Real>();
      const Mixture at = can_be_tempered() ? scaled_mixture(piece, temperature) : Mixture{};
      mine = can_be_tempered() ? mixture_log_density(at.means, at.variances, target)
                               : model_->predictive()->log_predictive(posterior_.particles, {piece, target});
      mine.array() -= std::log(scaling.target_spread);
      return;
    }
    const Vector part = y.segment(begin, count);
    const std::vector<Index> labels = posterior_.shape.labels == LabelKind::kBinary
                                          ? binary_class_indices(part)
                                          : class_indices(part, posterior_.shape.classes);
    mine.setConstant(-std::numeric_limits<double>::infinity());
    for (const auto& particle : posterior_.particles.rowwise()) {
      const DoubleMatrix log_p = tempered(classifier_->log_probabilities(particle, piece), temperature);
      for (Index i = 0; i < count; ++i) mine(i) = log_of_sum(mine(i), log_p(i, labels[static_cast<std::size_t>(i)]));
    }
    mine.array() -= std::log(static_cast<double>(posterior_.particles.rows()));
  });
  return out;
}

}  // namespace fedstein
