// SPDX-License-Identifier: Apache-2.0
#include "golden/golden_files.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace fedstein {

std::vector<GoldenFile> read_golden_folder(const std::string& folder) {
  if (!std::filesystem::is_directory(folder)) throw std::runtime_error(folder + " is not a folder of golden cases");
  std::vector<GoldenFile> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".json") continue;
    GoldenFile file{entry.path().string(), entry.path().stem().string(), {}, {}};
    std::ifstream stream(entry.path());
    file.content = Json::parse(stream, nullptr, /*allow_exceptions=*/false);
    if (!file.content.is_object() || !file.content.contains("case") || !file.content["case"].is_string()) {
      throw std::runtime_error(file.path + " is not a JSON object with a \"case\"");
    }
    file.kind = file.content["case"].get<std::string>();
    files.push_back(std::move(file));
  }
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return files;
}

DoubleMatrix golden_matrix(const Json& rows) {
  const auto values = rows.get<std::vector<std::vector<double>>>();
  DoubleMatrix out(static_cast<Index>(values.size()), values.empty() ? 0 : static_cast<Index>(values[0].size()));
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (static_cast<Index>(values[i].size()) != out.cols()) throw std::runtime_error("golden matrix with ragged rows");
    std::copy(values[i].begin(), values[i].end(), out.row(static_cast<Index>(i)).data());
  }
  return out;
}

DoubleVector golden_vector(const Json& numbers) {
  const auto values = numbers.get<std::vector<double>>();
  return Eigen::Map<const DoubleVector>(values.data(), static_cast<Index>(values.size()));
}

Matrix real_matrix(const Json& rows) {
  return golden_matrix(rows).cast<Real>();
}

}  // namespace fedstein
