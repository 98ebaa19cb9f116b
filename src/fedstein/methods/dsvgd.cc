// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/dsvgd.h"

#include <utility>

#include "fedstein/methods/curvature/curvature_agent.h"
#include "fedstein/methods/curvature/curvature_server.h"
#include "fedstein/methods/particles/replace_server.h"

namespace fedstein {

DsvgdAgent::DsvgdAgent(const AgentContext& context, const ParticleOptions& options, std::unique_ptr<Factor> factor)
    : context_(context), options_(options), svgd_(*context.model, options), factor_(std::move(factor)) {}

// At the agent: from q(i-1) to q(i).
Update DsvgdAgent::update(const Task& task) {
  const auto q = factor_->posterior(task.belief.front(), task.version);
  const auto t_k = factor_->score();
  const auto loglik_k = likelihood_of(context_, options_, task.round);
  const double alpha = options_.temperature;

  Particles next = starting_point(context_, task);
  svgd_(next, {{+1, *q}, {-1, *t_k}, {1 / alpha, *loglik_k}}, task);

  pending_ = LocalRound{task.round, task.version, task.belief.front(), next};
  return {task.round, task.agent, {next}};
}

// After the upload: from t_k(i-1) to t_k(i). An update that nobody folded is forgotten.
void DsvgdAgent::settle(const Verdict& verdict, const Update& as_sent) {
  if (!pending_ || pending_->number != verdict.round) return;
  LocalRound round = *std::exchange(pending_, std::nullopt);
  if (!verdict.folded) return;
  round.after = sent_part(as_sent, 0, round.after);  // q(i) is what the server received
  factor_->distil(round);
}

std::string DsvgdAgent::save() const {
  StateWriter writer("dsvgd agent, factor " + factor_->name());
  writer.matrices(factor_->memory());
  write(writer, pending_);
  return std::move(writer).finish();
}

void DsvgdAgent::restore(const std::string& bytes) {
  StateReader reader(bytes, "dsvgd agent, factor " + factor_->name());
  auto memory = reader.matrices();
  auto pending = read_round(reader, options_.rows(), context_.model->dimension());
  reader.finish();
  factor_->recall(std::move(memory), options_.rows());
  pending_ = std::move(pending);
}

Algorithm dsvgd_algorithm(const ParticleExtras& extras) {
  return {
      .name = "dsvgd",
      .summary = "distributed SVGD: agents take turns to move N global particles and distil their contribution",
      .settings = dsvgd_settings(),
      // At the server: the scheduled agent's particles are q(i).
      .make_server = [extras](const ServerContext& context, const Settings& settings) -> std::unique_ptr<ServerSide> {
        if (has_curvature_factors(settings)) {
          return std::make_unique<CurvatureServer>(context, extras.in(curvature_options(settings)));
        }
        return make_replace_server(context, extras.in(dsvgd_options(settings)));
      },
      .make_agent = [extras](const AgentContext& context, const Settings& settings) -> std::unique_ptr<AgentSide> {
        if (has_curvature_factors(settings)) {
          return std::make_unique<CurvatureAgent>(context, extras.in(curvature_options(settings)));
        }
        const DsvgdSetup options = extras.in(dsvgd_options(settings));
        const Particles start = initial_particles(*context.model, options, context.seed);
        return std::make_unique<DsvgdAgent>(
            context, options, make_factor(*context.model, options, options.distillation, start));
      },
  };
}

std::vector<Setting> dsvgd_settings() {
  const DistillationOptions standard;
  std::vector<Setting> settings = particle_settings();
  settings.push_back({.key = "factor",
                      .standard = std::string("distilled"),
                      .help = "what an agent keeps; distilled: a factor distilled from the particles; curvature: the "
                              "score and curvature of its likelihood, for agents whose data differ",
                      .choices = {"distilled", "curvature"}});
  settings.push_back({.key = "distillation",
                      .standard = standard.kind,
                      .help = "how a factor is kept; score: a score field (ours), svgd: SVGD (the paper), reference: "
                              "as in the released code (with kernel_bandwidth \"original\")",
                      .choices = {"score", "svgd", "reference"}});
  settings.push_back({.key = "distillation_steps",
                      .standard = standard.steps,
                      .help = "SVGD steps of the distillation, L'",
                      .least = 0});
  settings.push_back({.key = "ridge",
                      .standard = standard.ridge,
                      .help = "ridge parameter of the score field's fit",
                      .least = kAboveZero});
  for (Setting& setting : curvature_settings()) settings.push_back(std::move(setting));
  return settings;
}

bool has_curvature_factors(const Settings& settings) {
  return settings.text("factor") == "curvature";
}

DsvgdSetup dsvgd_options(const Settings& settings) {
  DsvgdSetup options{particle_options(settings), {}};
  options.distillation.kind = settings.text("distillation");
  options.distillation.steps = settings.integer("distillation_steps");
  options.distillation.ridge = settings.number("ridge");
  // The released code has one median rule only.
  if (options.distillation.kind == "reference") options.kernel_bandwidth = "original";
  return options;
}

}  // namespace fedstein
