// SPDX-License-Identifier: Apache-2.0
#include "fedstein/data/heart_disease.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include "fedstein/data/heart_disease_file.h"
#include "fedstein/data/heart_disease_split.h"
#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

constexpr std::array<Index, kHospitals> kPatients = {303, 294, 123, 200};

// A category's values but the first, each of which is a feature.
struct Category {
  HeartColumn column;
  std::vector<double> levels;
};

struct HeartFeatures {
  std::vector<HeartColumn> numbers = {};  // taken as they are
  std::vector<Category> categories = {};
  std::vector<HeartColumn> flagged = {};  // a feature says whether the value is missing
};

// Patients as features, training rows first; a missing number is NaN.
struct Arranged {
  DoubleMatrix x;
  std::vector<Index> hospital;
  std::vector<Real> label;
  Index trained = 0;

  Index rows() const { return static_cast<Index>(hospital.size()); }
};

std::vector<DoubleMatrix> read_hospitals(const std::vector<std::string>& paths) {
  check_argument(static_cast<Index>(paths.size()) == kHospitals, "heart_disease", [&] {
    return std::to_string(paths.size()) + " files are given; allowed: 4, one a hospital";
  });
  std::vector<DoubleMatrix> out;
  for (std::size_t hospital = 0; hospital < paths.size(); ++hospital) {
    out.push_back(read_patients(ByteSource::open(paths[hospital])));
    if (out.back().rows() == kPatients[hospital]) continue;
    fail_file(paths[hospital],
              "has " + std::to_string(out.back().rows()) + " patients; the published file has " +
                  std::to_string(kPatients[hospital]) + ", and which of them test is known by their lines");
  }
  return out;
}

std::vector<double> features_of(const Eigen::Ref<const Eigen::RowVectorXd>& patient, const HeartFeatures& features) {
  std::vector<double> out;
  for (const HeartColumn column : features.numbers) out.push_back(patient(column));
  for (const Category& category : features.categories) {
    for (const double level : category.levels) out.push_back(patient(category.column) == level ? 1 : 0);
  }
  for (const HeartColumn column : features.flagged) out.push_back(std::isnan(patient(column)) ? 1 : 0);
  return out;
}

Arranged arrange(const std::vector<DoubleMatrix>& hospitals,
                 const HeartFeatures& features,
                 const std::function<bool(const Eigen::Ref<const Eigen::RowVectorXd>&)>& keeps) {
  Arranged out;
  std::vector<std::vector<double>> rows;
  for (const bool testing : {false, true}) {
    for (Index hospital = 0; hospital < kHospitals; ++hospital) {
      const DoubleMatrix& patients = hospitals[static_cast<std::size_t>(hospital)];
      const std::span<const Index> tested = tested_patients(hospital);
      for (Index row = 0; row < patients.rows(); ++row) {
        if (std::binary_search(tested.begin(), tested.end(), row + 1) != testing || !keeps(patients.row(row))) continue;
        rows.push_back(features_of(patients.row(row), features));
        out.hospital.push_back(hospital);
        out.label.push_back(patients(row, kIll) > 0 ? Real{1} : Real{-1});
      }
    }
    if (!testing) out.trained = out.rows();
  }
  out.x.resize(out.rows(), rows.empty() ? 0 : static_cast<Index>(rows.front().size()));
  for (Index row = 0; row < out.rows(); ++row) {
    const std::vector<double>& values = rows[static_cast<std::size_t>(row)];
    std::copy(values.begin(), values.end(), out.x.row(row).begin());
  }
  return out;
}

// Of the training rows of one hospital.
void standardise_column(Arranged& rows, Index hospital, Index column) {
  std::vector<double> seen;
  for (Index row = 0; row < rows.trained; ++row) {
    if (rows.hospital[static_cast<std::size_t>(row)] == hospital) seen.push_back(rows.x(row, column));
  }
  if (seen.size() < 2) return;  // not the published files, as the number of rows will show
  double mean = 0;
  for (const double value : seen) mean += value;
  mean /= static_cast<double>(seen.size());
  double squares = 0;
  for (const double value : seen) squares += (value - mean) * (value - mean);
  const auto [low, high] = std::minmax_element(seen.begin(), seen.end());
  const double spread = *low == *high ? 1 : std::sqrt(squares / static_cast<double>(seen.size() - 1));
  for (Index row = 0; row < rows.rows(); ++row) {
    if (rows.hospital[static_cast<std::size_t>(row)] != hospital) continue;
    rows.x(row, column) = (rows.x(row, column) - mean) / spread;
  }
}

// Of the training rows that have the value.
void fill_with_mean(Arranged& rows, Index column) {
  double sum = 0;
  double count = 0;
  for (Index row = 0; row < rows.trained; ++row) {
    if (std::isnan(rows.x(row, column))) continue;
    sum += rows.x(row, column);
    ++count;
  }
  const double mean = count > 0 ? sum / count : 0;
  for (Index row = 0; row < rows.rows(); ++row) {
    if (std::isnan(rows.x(row, column))) rows.x(row, column) = mean;
  }
}

Dataset dataset_of(Arranged&& rows) {
  Dataset out;
  out.labels = LabelKind::kBinary;
  out.classes = 2;
  out.x = rows.x.cast<Real>();
  out.y.resize(rows.rows());
  std::copy(rows.label.begin(), rows.label.end(), out.y.begin());
  out.group = std::move(rows.hospital);
  return out;
}

}  // namespace

Dataset read_fed_heart(const std::vector<std::string>& paths) {
  const HeartFeatures features{
      .numbers = {kAge, kSex, kBloodPressure, kCholesterol, kBloodSugar, kHeartRate, kAngina, kOldPeak},
      .categories = {{kChestPain, {2, 3, 4}}, {kRestEcg, {1, 2}}}};
  Arranged rows = arrange(
      read_hospitals(paths), features, [](const auto& patient) { return !patient.head(kOldPeak + 1).hasNaN(); });
  for (Index hospital = 0; hospital < kHospitals; ++hospital) {
    for (Index column = 0; column < rows.x.cols(); ++column) standardise_column(rows, hospital, column);
  }
  return dataset_of(std::move(rows));
}

Dataset read_fed_heart_all(const std::vector<std::string>& paths) {
  std::vector<DoubleMatrix> hospitals = read_hospitals(paths);
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  for (DoubleMatrix& patients : hospitals) {
    for (const HeartColumn column : {kBloodPressure, kCholesterol}) {
      patients.col(column) = (patients.col(column).array() == 0).select(kNone, patients.col(column));
    }
  }
  const HeartFeatures features{
      .numbers = {kAge, kSex, kBloodPressure, kCholesterol, kBloodSugar, kHeartRate, kAngina, kOldPeak, kVessels},
      .categories = {{kChestPain, {2, 3, 4}}, {kRestEcg, {1, 2}}, {kSlope, {2, 3}}, {kThal, {6, 7}}},
      .flagged = {
          kBloodPressure, kCholesterol, kBloodSugar, kRestEcg, kHeartRate, kAngina, kOldPeak, kSlope, kVessels, kThal}};
  Arranged rows = arrange(hospitals, features, [](const auto&) { return true; });
  for (Index column = 0; column < static_cast<Index>(features.numbers.size()); ++column) fill_with_mean(rows, column);
  return dataset_of(std::move(rows));
}

}  // namespace fedstein
