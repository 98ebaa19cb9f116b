// SPDX-License-Identifier: Apache-2.0
// The method and its settings. Its agent and its server are in particles/c_dsvgd_agent.cc and c_dsvgd_server.cc.
#include "fedstein/methods/c_dsvgd.h"

#include "fedstein/methods/particles/repulsion.h"

namespace fedstein {
namespace {

constexpr Index kMostCoupled = 1000;  // parameters, for `kernel` = "auto"

}  // namespace

bool CDsvgdSetup::couples(Index dimension) const {
  return kernel == "rbf" || (kernel == "auto" && dimension <= kMostCoupled);
}

std::string CDsvgdSetup::repulsion_of(const Model& model) const {
  if (repulsion != "auto") return repulsion;
  return !couples(model.dimension()) && model.answers() != nullptr ? "predictions" : "none";
}

CDsvgdSetup CDsvgdSetup::settled_for(const Model& model) const {
  CDsvgdSetup out = *this;
  if (start == "usual") out.start = model.starts_at_zero() ? "near-zero" : "prior";
  out.steered = steered && !couples(model.dimension());
  return out;
}

CDsvgdSetup c_dsvgd_options(const Settings& settings) {
  CDsvgdSetup options;
  options.particles = settings.integer("particles");
  options.local_steps = settings.integer("local_steps");
  options.batch = settings.integer("batch");
  options.temperature = settings.number("temperature");
  options.kernel = settings.text("kernel");
  options.kernel_bandwidth = settings.text("kernel_bandwidth");
  options.start = settings.text("start");
  read_repulsion(settings, options);
  options.first_step = settings.number("step");
  options.momentum_share = settings.number("momentum");
  options.controlled = settings.flag("step_control");
  options.preconditioned = settings.flag("preconditioner");
  return options;
}

Algorithm c_dsvgd_algorithm(const ParticleExtras& extras) {
  const CDsvgdSetup standard;
  std::vector<Setting> settings =
      shared_settings({"particles", "local_steps", "batch", "temperature", "kernel_bandwidth", "momentum"});
  setting_named("particles", settings).standard = Index{8};
  setting_named("local_steps", settings).standard = Index{20};
  setting_named("kernel_bandwidth", settings).standard = std::string("original");
  setting_named("momentum", settings).standard = standard.momentum_share;
  setting_named("momentum", settings).help =
      "momentum: in the agents' steps for networks whose agents differ, otherwise at the server; not used when agents "
      "take turns";
  settings.push_back({.key = "start",
                      .standard = std::string("usual"),
                      .help = "initial particles; usual: N(0, 0.1^2), for networks their usual initialisation; prior: "
                              "prior draws; near-zero: N(0, 0.1^2)",
                      .choices = {"usual", "prior", "near-zero"}});
  settings.push_back(
      {.key = "kernel",
       .standard = standard.kernel,
       .help = "kernel on the weights, by which particles repel each other; auto: rbf up to 1000 parameters, else none",
       .choices = {"auto", "rbf", "none"}});
  for (Setting& setting : repulsion_settings()) settings.push_back(std::move(setting));
  Setting& repulsion = setting_named("repulsion", settings);
  repulsion.standard = standard.repulsion;
  repulsion.help += "; auto: for networks without a kernel on the weights";
  repulsion.choices.insert(repulsion.choices.begin(), "auto");
  settings.push_back({.key = "step",
                      .standard = standard.first_step,
                      .help = "first step size; step_control adapts it",
                      .least = kAboveZero,
                      .most = 1e30});
  settings.push_back({.key = "step_control",
                      .standard = standard.controlled,
                      .help = "whether the step size is adapted, and bad rounds are undone, by what agents report"});
  settings.push_back({.key = "preconditioner",
                      .standard = standard.preconditioned,
                      .help = "whether coordinates are scaled by the size of their scores, equally for all agents"});
  return {
      .name = "c-dsvgd",
      .summary = "SVGD with control variates, for agents whose data differ; the step size is adapted automatically",
      .parallel = true,
      .settings = std::move(settings),
      .make_server = makes<CDsvgdServer>(c_dsvgd_options, extras),
      .make_agent = makes<CDsvgdAgent>(c_dsvgd_options, extras),
  };
}

}  // namespace fedstein
