// SPDX-License-Identifier: Apache-2.0
#include "prediction_text.h"

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "fedstein/base/text.h"

namespace fedstein {
namespace {

// Single precision has seven digits to tell of.
std::string seven_digits(double value) {
  return digits_text(value, 7);
}

// The number that seven_digits() writes, for JSON.
double rounded(double value) {
  return std::strtod(seven_digits(value).c_str(), nullptr);
}

std::string quoted(const std::string& field) {
  if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
  std::string out = "\"";
  for (const char c : field) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

Index most_probable_class(const RowPredictions& predictions, Index row) {
  Index best = 0;
  predictions.probabilities.row(row).maxCoeff(&best);
  return best;
}

}  // namespace

std::string quantile_name(double probability) {
  const std::string percent = digits_text(100 * probability, 6);
  return "q" + (probability < 0.1 ? "0" + percent : percent);
}

std::string PredictionText::head() const {
  if (options_.form == Form::kJson) return {};
  std::string out = "row,";
  if (posterior_.class_names.empty()) {
    out += "mean,deviation";
  } else {
    out += "label,confidence";
    for (const std::string& name : posterior_.class_names) out += "," + quoted("p(" + name + ")");
    out += ",total";
  }
  out += ",aleatoric,epistemic";
  for (const double probability : options_.quantiles) out += "," + quantile_name(probability);
  return out + (options_.tells_unusual ? ",unusual" : "") + (options_.abstention ? ",abstain\n" : "\n");
}

std::string PredictionText::lines(const PredictedRows& rows) {
  if (options_.abstention) doubt_ = doubt_of(rows.predictions, options_.abstention->by);
  std::string out;
  for (Index row = 0; row < rows.predictions.rows(); ++row) {
    out += options_.form == Form::kCsv ? csv_line(rows, row) : json_line(rows, row);
  }
  return out;
}

bool PredictionText::abstains(const PredictedRows& rows, Index row) const {
  const bool is_unusual = options_.tells_unusual && !rows.unusual[static_cast<std::size_t>(row)].empty();
  return doubt_(row) > options_.abstention->above || is_unusual;
}

std::string PredictionText::csv_line(const PredictedRows& rows, Index row) const {
  const RowPredictions& predictions = rows.predictions;
  std::string out = std::to_string(rows.facts[static_cast<std::size_t>(row)].number) + ",";
  if (posterior_.class_names.empty()) {
    out += seven_digits(predictions.mean(row));
  } else {
    const Index best = most_probable_class(predictions, row);
    out += quoted(posterior_.class_names[static_cast<std::size_t>(best)]) + "," +
           seven_digits(static_cast<double>(predictions.probabilities(row, best)));
    for (const Real p : predictions.probabilities.row(row)) out += "," + seven_digits(static_cast<double>(p));
  }
  for (const DoubleVector* part : {&predictions.total, &predictions.aleatoric, &predictions.epistemic}) {
    out += "," + seven_digits((*part)(row));
  }
  for (Index q = 0; q < rows.quantiles.cols(); ++q) out += "," + seven_digits(rows.quantiles(row, q));
  if (options_.tells_unusual) out += "," + std::to_string(rows.unusual[static_cast<std::size_t>(row)].size());
  if (options_.abstention) out += abstains(rows, row) ? ",1" : ",0";
  return out + "\n";
}

std::string PredictionText::json_line(const PredictedRows& rows, Index row) const {
  const RowPredictions& predictions = rows.predictions;
  nlohmann::ordered_json out = {{"row", rows.facts[static_cast<std::size_t>(row)].number}};
  if (posterior_.class_names.empty()) {
    out["mean"] = rounded(predictions.mean(row));
    out["deviation"] = rounded(predictions.total(row));
  } else {
    const Index best = most_probable_class(predictions, row);
    out["label"] = posterior_.class_names[static_cast<std::size_t>(best)];
    out["confidence"] = rounded(static_cast<double>(predictions.probabilities(row, best)));
    for (Index index = 0; index < predictions.probabilities.cols(); ++index) {
      out["probabilities"][posterior_.class_names[static_cast<std::size_t>(index)]] =
          rounded(static_cast<double>(predictions.probabilities(row, index)));
    }
    out["total"] = rounded(predictions.total(row));
  }
  out["aleatoric"] = rounded(predictions.aleatoric(row));
  out["epistemic"] = rounded(predictions.epistemic(row));
  for (std::size_t q = 0; q < options_.quantiles.size(); ++q) {
    out[quantile_name(options_.quantiles[q])] = rounded(rows.quantiles(row, static_cast<Index>(q)));
  }
  if (options_.tells_unusual) out["unusual"] = rows.unusual[static_cast<std::size_t>(row)];
  if (options_.abstention) out["abstain"] = abstains(rows, row);
  return out.dump() + "\n";
}

}  // namespace fedstein
