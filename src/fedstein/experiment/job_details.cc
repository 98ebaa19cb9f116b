// SPDX-License-Identifier: Apache-2.0
#include "fedstein/experiment/job_details.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "fedstein/metrics/classification.h"
#include "fedstein/metrics/ranking.h"
#include "fedstein/metrics/regression.h"
#include "fedstein/model/bnn_classification.h"
#include "fedstein/model/bnn_regression.h"
#include "fedstein/model/count_regression.h"
#include "fedstein/posterior/summary.h"

namespace fedstein {
namespace {

using Json = nlohmann::json;

constexpr std::array<double, 12> kLevels = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999};
constexpr std::array<double, 12> kLeftOut = {0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5};
// Half the width of a normal's central interval of kPredictedLevel, in deviations.
constexpr double kDeviationsOf90 = 1.644854;

Json rows_json(const TrialData& data) {
  const auto [least, most] = std::minmax_element(data.sizes.begin(), data.sizes.end());
  return {{"training", data.x.rows()},
          {"test", data.test_x.rows()},
          {"kept_back", data.validation_x.rows()},
          {"features", data.x.cols()},
          {"classes", data.classes},
          {"agents", data.sizes.size()},
          {"least", data.sizes.empty() ? Index{0} : *least},
          {"most", data.sizes.empty() ? Index{0} : *most}};
}

Json abstention_json(const Matrix& probabilities, const Vector& y) {
  const bool has_sign = probabilities.cols() == 2 && (y.array() == -1).any();
  const std::vector<Index> labels = has_sign ? binary_class_indices(y) : class_indices(y, probabilities.cols());
  Json out = Json::array();
  for (const AbstentionPoint& point :
       accuracy_when_abstaining(confidence(probabilities), zero_one_loss(probabilities, labels), kLeftOut)) {
    out.push_back({point.asked, point.accuracy});
  }
  return out;
}

// Per row the probability of the smallest central interval of the prediction that holds the target: for a Gaussian the
// interval that the figure `coverage` asks for.
DoubleVector central_masses(const Model& model,
                            const Particles& particles,
                            const Batch& test,
                            const Forecast& forecast) {
  if (const auto* counts = dynamic_cast<const CountRegression*>(&model)) return counts->central_mass(particles, test);
  if (forecast.variance.size() != test.rows()) return {};
  DoubleVector out(test.rows());
  for (Index i = 0; i < test.rows(); ++i) {
    const double gap = std::abs(static_cast<double>(test.y(i)) - forecast.mean(i));
    out(i) = gap == 0 ? 0 : std::erf(gap / std::sqrt(2 * forecast.variance(i)));
  }
  return out;
}

// Evenly spread: the split is random, and so are these.
std::vector<Index> some_rows(Index rows) {
  const Index count = std::min(rows, kMostPredictedRows);
  std::vector<Index> out;
  for (Index i = 0; i < count; ++i) out.push_back(i * rows / count);
  return out;
}

Json predicted_json(const TrialData& data, const Particles& particles, const Forecast& forecast) {
  const auto unit = [&](double scaled) { return data.scaling.unscaled_target(scaled); };
  const std::vector<Index> rows = some_rows(data.test_y.size());
  DoubleVector low;
  DoubleVector high;
  if (const auto* counts = dynamic_cast<const CountRegression*>(data.model.get())) {
    Matrix x(static_cast<Index>(rows.size()), data.test_x.cols());
    for (Index i = 0; i < x.rows(); ++i) x.row(i) = data.test_x.row(rows[static_cast<std::size_t>(i)]);
    low = counts->quantile(particles, x, (1 - kPredictedLevel) / 2);
    high = counts->quantile(particles, x, (1 + kPredictedLevel) / 2);
  } else if (forecast.variance.size() == data.test_y.size()) {
    low.resize(static_cast<Index>(rows.size()));
    high.resize(low.size());
    for (Index i = 0; i < low.size(); ++i) {
      const Index row = rows[static_cast<std::size_t>(i)];
      const double reach = kDeviationsOf90 * std::sqrt(forecast.variance(row));
      low(i) = forecast.mean(row) - reach;
      high(i) = forecast.mean(row) + reach;
    }
  }
  Json out = Json::array();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto at = static_cast<Index>(i);
    out.push_back({unit(forecast.mean(rows[i])),
                   low.size() > 0 ? Json(unit(low(at))) : Json(),
                   high.size() > 0 ? Json(unit(high(at))) : Json(),
                   unit(static_cast<double>(data.test_y(rows[i])))});
  }
  return out;
}

const Network* network_of(const Model& model) {
  if (const auto* classifier = dynamic_cast<const BnnClassification*>(&model)) return &classifier->network();
  if (const auto* regression = dynamic_cast<const BnnRegression*>(&model)) return &regression->network();
  return nullptr;
}

// Root mean square of some parameters' deviations over the particles, and of their means.
Json part_json(const std::string& name, const ConstMatrixRef& theta) {
  const DoubleMatrix values = theta.cast<double>();
  const DoubleMatrix mean = values.colwise().mean();
  const auto count = static_cast<double>(values.size() - values.cols());
  const double squares = (values.rowwise() - mean.row(0)).squaredNorm();
  return {{"name", name},
          {"parameters", values.cols()},
          {"spread", std::sqrt(squares / count)},
          {"size", std::sqrt(mean.squaredNorm() / static_cast<double>(values.cols()))}};
}

Json spread_json(const Network& net, const Particles& particles) {
  Json out = Json::array();
  const std::vector<Network::Layer>& layers = net.layers();
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const Network::Layer& layer = layers[i];
    const std::string name = i + 1 == layers.size() ? "outputs" : "layer " + std::to_string(i + 1);
    const Index weights = layer.inputs * layer.units;
    out.push_back(part_json(name + ", weights", particles.middleCols(layer.offset, weights)));
    out.push_back(part_json(name + ", biases", particles.middleCols(layer.offset + weights, layer.units)));
  }
  return out;
}

}  // namespace

std::map<std::string, std::string> job_details(const Job& job, const TrialData& data, const Particles& particles) {
  const LabelKind labels = job.case_plan->model.labels;
  if (is_toy(job.case_plan->model) || !particles.allFinite()) return {};
  std::map<std::string, std::string> out;
  if (job.trial == 1) out[kRowsDetail] = rows_json(data).dump();
  if (const auto guess = guess_figures(labels, data); !guess.empty()) out[kGuessDetail] = Json(guess).dump();
  if (labels == LabelKind::kBinary || labels == LabelKind::kMulticlass) {
    // As the figures `answered@SHARE` are: to the last bit, by which rows are as sure as others.
    const Prediction found = data.model->predictive()->predict(particles, data.test_x);
    out[kAbstentionDetail] = abstention_json(found.probabilities, data.test_y).dump();
  } else {
    const Forecast forecast = data.model->predictive()->forecast(particles, data.test());
    const DoubleVector masses = central_masses(*data.model, particles, data.test(), forecast);
    Json covered = Json::array();
    for (const double level : kLevels) {
      if (masses.size() > 0) covered.push_back({level, coverage(masses, level)});
    }
    if (!covered.empty()) out[kCoverageDetail] = covered.dump();
    if (job.trial == 1) out[kPredictedDetail] = predicted_json(data, particles, forecast).dump();
  }
  const Network* net = network_of(*data.model);
  if (job.trial == 1 && net != nullptr && particles.rows() > 1) {
    out[kSpreadDetail] = spread_json(*net, particles).dump();
  }
  return out;
}

std::string coefficients_detail(const Posterior& posterior, const Registry& registry) {
  if (posterior.particles.cols() > kMostReadParameters) return {};
  std::optional<PosteriorSummary> summary = summarise(posterior, registry);
  if (!summary) return {};
  std::vector<CoefficientRow>& rows = summary->coefficients;
  const std::size_t all = rows.size();
  const auto distance = [](const CoefficientRow& row) {
    return row.deviation > 0 ? std::abs(row.mean) / row.deviation : 0.0;
  };
  if (rows.size() > static_cast<std::size_t>(kMostCoefficients)) {
    std::vector<double> distances;
    for (const CoefficientRow& row : rows) distances.push_back(distance(row));
    std::nth_element(distances.begin(), distances.begin() + kMostCoefficients - 1, distances.end(), std::greater<>());
    const double least = distances[static_cast<std::size_t>(kMostCoefficients) - 1];
    std::erase_if(rows, [&](const CoefficientRow& row) { return distance(row) < least; });
    rows.resize(std::min(rows.size(), static_cast<std::size_t>(kMostCoefficients)));
  }
  // By how much a column differs from row to row, where its scaling says so.
  std::map<std::string, double> deviations;
  if (posterior.scaling.rule == ScalingRule::kStandardise) {
    const std::vector<std::string> names = feature_names(posterior);
    for (std::size_t k = 0; k < names.size(); ++k)
      deviations[names[k]] = posterior.scaling.spread(static_cast<Index>(k));
  }
  Json out = Json::array();
  for (const CoefficientRow& row : rows) {
    const auto deviation = deviations.find(row.name);
    // NaN, of which JSON has none, becomes null.
    out.push_back({{"name", row.name},
                   {"outcome", row.outcome},
                   {"mean", row.mean},
                   {"low", row.low},
                   {"high", row.high},
                   {"sd", row.deviation},
                   {"above_zero", row.above_zero},
                   {"deviation", deviation == deviations.end() ? Json() : Json(deviation->second)}});
  }
  constexpr std::array<const char*, 4> kLinks = {"identity", "log-odds", "log", "softmax"};
  return Json{{"link", kLinks.at(static_cast<std::size_t>(summary->link))},
              {"level", summary->level},
              {"of_posterior", summary->from_covariance},
              {"count", all},
              {"particles", summary->particles},
              {"distinct", summary->distinct ? Json(*summary->distinct) : Json()},
              {"ksd", summary->ksd ? Json(*summary->ksd) : Json()},
              {"rows", out}}
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace fedstein
