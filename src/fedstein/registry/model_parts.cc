// SPDX-License-Identifier: Apache-2.0
#include "fedstein/registry/model_parts.h"

namespace fedstein {

std::vector<Setting> with(std::vector<Setting> settings, const std::vector<Setting>& more) {
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

std::shared_ptr<const ClassificationLoss> classification_loss(const Settings& given) {
  if (given.text("loss") == "cross-entropy") return cross_entropy();
  return std::make_shared<BetaDivergence>(given.number("beta"));
}

std::shared_ptr<const RegressionLoss> regression_loss(const Settings& given) {
  if (given.text("loss") == "gaussian") return gaussian_loss();
  return std::make_shared<StudentLoss>(given.number("freedom"));
}

std::vector<Setting> classification_loss_settings() {
  return {{.key = "loss",
           .standard = std::string("cross-entropy"),
           .help = "the loss of one row; beta: the beta-divergence, which is robust to wrong labels",
           .choices = {"cross-entropy", "beta"}},
          {.key = "beta",
           .standard = 0.5,
           .help = "parameter of the beta-divergence; used only with loss = \"beta\"",
           .least = kAboveZero,
           .most = 10}};
}

std::vector<Setting> noise_settings(double shape, double rate) {
  return {{.key = "noise_shape",
           .standard = shape,
           .help = "shape of the Gamma prior on the noise precision",
           .least = kAboveZero},
          {.key = "noise_rate",
           .standard = rate,
           .help = "rate of the Gamma prior on the noise precision",
           .least = kAboveZero},
          {.key = "loss",
           .standard = std::string("gaussian"),
           .help = "the loss of one row; student: Student's t, robust to outliers",
           .choices = {"gaussian", "student"}},
          {.key = "freedom",
           .standard = 4.0,
           .help = "degrees of freedom of the student loss, above 2",
           .least = 2.000001}};
}

}  // namespace fedstein
