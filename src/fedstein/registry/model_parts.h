// SPDX-License-Identifier: Apache-2.0
// Settings that several of our model types share, and what is made of them. Not installed: part of no interface.
#pragma once

#include "fedstein/model/classification_loss.h"
#include "fedstein/model/regression_loss.h"
#include "fedstein/registry/model_type.h"

namespace fedstein {

std::vector<Setting> with(std::vector<Setting> settings, const std::vector<Setting>& more);

std::vector<Setting> classification_loss_settings();
std::shared_ptr<const ClassificationLoss> classification_loss(const Settings& given);

// Of a regression: the prior of its noise precision, Gamma(shape, rate), and its loss.
std::vector<Setting> noise_settings(double shape, double rate);
std::shared_ptr<const RegressionLoss> regression_loss(const Settings& given);

// Linear, softmax, Poisson and negative binomial regression: linear_model_types.cc.
std::vector<ModelType> linear_model_types();

}  // namespace fedstein
