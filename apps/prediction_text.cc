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

PredictionText::PredictionText(const Posterior& posterior, Form form, const std::optional<Abstention>& abstention)
    : posterior_(posterior), form_(form), abstention_(abstention) {}

std::string PredictionText::head() const {
  if (form_ == Form::kJson) return {};
  std::string out = "row,";
  if (posterior_.class_names.empty()) {
    out += "mean,deviation";
  } else {
    out += "label,confidence";
    for (const std::string& name : posterior_.class_names) out += "," + quoted("p(" + name + ")");
    out += ",total";
  }
  return out + ",aleatoric,epistemic" + (abstention_ ? ",abstain\n" : "\n");
}

std::string PredictionText::lines(const RowPredictions& predictions) {
  if (abstention_) doubt_ = doubt_of(predictions, abstention_->by);
  std::string out;
  for (Index row = 0; row < predictions.rows(); ++row) {
    ++rows_;
    out += form_ == Form::kCsv ? csv_line(predictions, row) : json_line(predictions, row);
  }
  return out;
}

std::string PredictionText::csv_line(const RowPredictions& predictions, Index row) const {
  std::string out = std::to_string(rows_) + ",";
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
  if (abstention_) out += doubt_(row) > abstention_->above ? ",1" : ",0";
  return out + "\n";
}

std::string PredictionText::json_line(const RowPredictions& predictions, Index row) const {
  nlohmann::ordered_json out = {{"row", rows_}};
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
  if (abstention_) out["abstain"] = doubt_(row) > abstention_->above;
  return out.dump() + "\n";
}

}  // namespace fedstein
