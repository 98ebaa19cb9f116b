// SPDX-License-Identifier: Apache-2.0
// Repulsion between predictions as a choice of the particle methods.
#pragma once

#include <memory>
#include <vector>

#include "fedstein/methods/particles/particle_method.h"
#include "fedstein/model/prediction_repulsion.h"

namespace fedstein {

std::vector<Setting> repulsion_settings();
void read_repulsion(const Settings& settings, ParticleOptions& options);

// Throws InvalidArgument where predictions should repel each other and the model has none: when an agent is made.
void check_repulsion(const Model& model, const ParticleOptions& options);

// A round's repulsion between predictions, at inputs made of its minibatches; null where `repulsion` is "none" or
// a particle is alone. It is per row: a method gives it the weight of gamma times the rows that its target stands for.
std::unique_ptr<PredictionRepulsion> repulsion_of(const AgentContext& context,
                                                  const ParticleOptions& options,
                                                  const MinibatchLikelihood& rows,
                                                  Index round);

}  // namespace fedstein
