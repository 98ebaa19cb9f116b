// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/particles/repulsion.h"

#include "fedstein/numeric/check.h"

namespace fedstein {

std::vector<Setting> repulsion_settings() {
  const ParticleOptions standard;
  return {
      {.key = "repulsion",
       .standard = standard.repulsion,
       .help = "predictions: particles are pushed to disagree where there are no data",
       .choices = {"predictions", "none"}},
      {.key = "repulsion_strength",
       .standard = standard.repulsion_strength,
       .help = "strength of the repulsion between predictions, gamma",
       .least = kAboveZero,
       .most = 1e6},
  };
}

void read_repulsion(const Settings& settings, ParticleOptions& options) {
  options.repulsion = settings.text("repulsion");
  options.repulsion_strength = settings.number("repulsion_strength");
}

void check_repulsion(const Model& model, const ParticleOptions& options) {
  check_argument(options.repulsion != "predictions" || model.answers() != nullptr,
                 "repulsion",
                 "is 'predictions', and the model has no predictions to compare; allowed: none");
}

std::unique_ptr<PredictionRepulsion> repulsion_of(const AgentContext& context,
                                                  const ParticleOptions& options,
                                                  const MinibatchLikelihood& rows,
                                                  Index round) {
  if (options.repulsion != "predictions" || options.rows() < 2) return nullptr;
  return std::make_unique<PredictionRepulsion>(*context.model, rows, minibatch_stream(context, round));
}

}  // namespace fedstein
