// SPDX-License-Identifier: Apache-2.0
// Registers one test per golden file: those committed beside this program and, when the variable FEDSTEIN_GOLDEN names
// a folder, every *.json there too. A kind that nobody checks is a failure, and so are no cases at all and a broken
// file.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "golden/golden_files.h"
#include "methods/golden_toys.h"
#include "metrics/golden_calibration.h"
#include "model/golden_models.h"

namespace fedstein {
namespace {

GoldenChecks all_checks() {
  GoldenChecks checks = stein_checks();
  checks["calibration"] = check_calibration;
  checks["logistic_regression"] = check_logistic_regression;
  checks["bnn_classification"] = check_bnn_classification;
  checks["bnn_regression"] = check_bnn_regression;
  checks["deep_classification"] = check_deep_classification;
  checks["deep_regression"] = check_deep_regression;
  checks["linear_regression"] = check_linear_regression;
  checks["softmax_regression"] = check_softmax_regression;
  checks["poisson_regression"] = check_poisson_regression;
  checks["negative_binomial_regression"] = check_negative_binomial_regression;
  checks["toy1d"] = check_toy1d;
  checks["toy1d_parallel"] = check_toy1d_parallel;
  return checks;
}

class GoldenCase : public testing::Test {
 public:
  GoldenCase(GoldenFile file, GoldenCheck check) : file_(std::move(file)), check_(std::move(check)) {}

  void TestBody() override {
    if (!check_) FAIL() << "no check for golden kind '" << file_.kind << "' (" << file_.path << ")";
    SCOPED_TRACE(file_.name);
    check_(file_.content);
  }

 private:
  GoldenFile file_;
  GoldenCheck check_;
};

void register_cases(const std::string& origin, const std::string& folder) {
  const GoldenChecks checks = all_checks();
  const auto files = read_golden_folder(folder);
  if (files.empty()) throw std::runtime_error(folder + " holds no golden case (*.json)");
  for (const GoldenFile& file : files) {
    const auto found = checks.find(file.kind);
    const GoldenCheck check = found == checks.end() ? GoldenCheck() : found->second;
    const std::string suite = "Golden_" + origin;
    testing::RegisterTest(
        suite.c_str(), file.name.c_str(), nullptr, nullptr, __FILE__, __LINE__, [=]() -> testing::Test* {
          return new GoldenCase(file, check);
        });
  }
}

}  // namespace
}  // namespace fedstein

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  try {
    fedstein::register_cases("committed", FEDSTEIN_SOURCE_DIR "/tests/golden");
    const char* given = std::getenv("FEDSTEIN_GOLDEN");
    if (given != nullptr && *given != '\0') fedstein::register_cases("given", given);
  } catch (const std::exception& error) {
    std::cerr << "golden_test: " << error.what() << "\n";
    return 1;
  }
  return RUN_ALL_TESTS();
}
