// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/methods.h"

#include <map>

#include "fedstein/methods/c_dsvgd.h"
#include "fedstein/methods/dsgld.h"
#include "fedstein/methods/dsvgd.h"
#include "fedstein/methods/ensemble.h"
#include "fedstein/methods/fald.h"
#include "fedstein/methods/fedavg.h"
#include "fedstein/methods/fedbe.h"
#include "fedstein/methods/feddyn.h"
#include "fedstein/methods/fedep.h"
#include "fedstein/methods/fednova.h"
#include "fedstein/methods/fedopt.h"
#include "fedstein/methods/fedpa.h"
#include "fedstein/methods/fedprox.h"
#include "fedstein/methods/fedsgd.h"
#include "fedstein/methods/fsgld.h"
#include "fedstein/methods/mime.h"
#include "fedstein/methods/npv.h"
#include "fedstein/methods/p_dsvgd.h"
#include "fedstein/methods/pmd.h"
#include "fedstein/methods/pvi.h"
#include "fedstein/methods/scaffold.h"
#include "fedstein/methods/scaffold_m.h"
#include "fedstein/methods/sdsvgd.h"
#include "fedstein/methods/sgld.h"
#include "fedstein/methods/svgd.h"
#include "fedstein/methods/u_dsvgd.h"
#include "fedstein/methods/vr_fald.h"
#include "fedstein/numeric/check.h"

namespace fedstein::methods {
namespace {

using Values = std::map<std::string, SettingValue>;

// The members by name. A struct's member and its setting cannot differ in name, because the one is made from the other;
// typed() refuses a struct that lacks a setting or has one too many.
template <typename Options>
Values values_of(const Options& options) {
  Values values;
#define FEDSTEIN_TAKE(member) \
  if constexpr (requires { options.member; }) values[#member] = options.member
  FEDSTEIN_TAKE(particles);
  FEDSTEIN_TAKE(local_steps);
  FEDSTEIN_TAKE(batch);
  FEDSTEIN_TAKE(temperature);
  FEDSTEIN_TAKE(kde_bandwidth);
  FEDSTEIN_TAKE(kernel_bandwidth);
  FEDSTEIN_TAKE(start);
  FEDSTEIN_TAKE(step_rule);
  FEDSTEIN_TAKE(learning_rate);
  FEDSTEIN_TAKE(epsilon);
  FEDSTEIN_TAKE(momentum);
  FEDSTEIN_TAKE(factor);
  FEDSTEIN_TAKE(distillation);
  FEDSTEIN_TAKE(distillation_steps);
  FEDSTEIN_TAKE(ridge);
  FEDSTEIN_TAKE(trust);
  FEDSTEIN_TAKE(score_rows);
  FEDSTEIN_TAKE(fold);
  FEDSTEIN_TAKE(damping);
  FEDSTEIN_TAKE(server_steps);
  FEDSTEIN_TAKE(a0);
  FEDSTEIN_TAKE(noise);
  FEDSTEIN_TAKE(chain_batches);
  FEDSTEIN_TAKE(scale_by_particles);
  FEDSTEIN_TAKE(shard_weight);
  FEDSTEIN_TAKE(surrogate_steps);
  FEDSTEIN_TAKE(prior);
  FEDSTEIN_TAKE(weighting);
  FEDSTEIN_TAKE(mu);
  FEDSTEIN_TAKE(server_rate);
  FEDSTEIN_TAKE(samples);
  FEDSTEIN_TAKE(deviation_scale);
  FEDSTEIN_TAKE(sharpening);
  FEDSTEIN_TAKE(distillation_epochs);
  FEDSTEIN_TAKE(distillation_batch);
  FEDSTEIN_TAKE(distillation_rule);
  FEDSTEIN_TAKE(distillation_rate);
  FEDSTEIN_TAKE(swa_cycle);
  FEDSTEIN_TAKE(rate);
  FEDSTEIN_TAKE(pairs);
  FEDSTEIN_TAKE(covariance);
  FEDSTEIN_TAKE(step);
  FEDSTEIN_TAKE(step_decay);
  FEDSTEIN_TAKE(bandwidth);
  FEDSTEIN_TAKE(bandwidth_decay);
  FEDSTEIN_TAKE(rows);
  FEDSTEIN_TAKE(start_deviation);
  FEDSTEIN_TAKE(tuning);
  FEDSTEIN_TAKE(kernel);
  FEDSTEIN_TAKE(repulsion);
  FEDSTEIN_TAKE(repulsion_strength);
  FEDSTEIN_TAKE(step_control);
  FEDSTEIN_TAKE(preconditioner);
  FEDSTEIN_TAKE(beta);
  FEDSTEIN_TAKE(beta1);
  FEDSTEIN_TAKE(beta2);
  FEDSTEIN_TAKE(tau);
  FEDSTEIN_TAKE(local_epochs);
  FEDSTEIN_TAKE(alpha);
  FEDSTEIN_TAKE(lite);
  FEDSTEIN_TAKE(member);
  FEDSTEIN_TAKE(shared_noise);
  FEDSTEIN_TAKE(refresh);
  FEDSTEIN_TAKE(shrinkage);
  FEDSTEIN_TAKE(burn_in_rounds);
#undef FEDSTEIN_TAKE
  if constexpr (requires { options.given_start; }) {
    if (options.given_start.size() > 0 && values.contains("particles"))
      values["particles"] = options.given_start.rows();
  }
  return values;
}

template <typename Options>
ParticleExtras extras_of(const Options& options) {
  ParticleExtras extras{.given_start = options.given_start};
  if constexpr (requires { options.trace; }) extras.trace = options.trace;
  if constexpr (requires { options.engine; }) extras.engine = options.engine;
  return extras;
}

// The algorithm with these values as its defaults. Settings::set checks them and finds the sentences.
Algorithm typed(Algorithm algorithm, const Values& values) {
  Settings checked(algorithm.settings);
  for (const auto& [key, value] : values) checked.set(key, value);
  for (Setting& setting : algorithm.settings) {
    check_argument(values.contains(setting.key), algorithm.name.c_str(), [&] {
      return "its typed options lack the setting '" + setting.key + "'";
    });
    setting.standard = checked.at(setting.key);
  }
  return algorithm;
}

}  // namespace

Algorithm c_dsvgd(const CDsvgdOptions& options) {
  return typed(c_dsvgd_algorithm(extras_of(options)), values_of(options));
}

Algorithm svgd(const SvgdOptions& options) {
  return typed(svgd_algorithm(extras_of(options)), values_of(options));
}

Algorithm dsvgd(const DsvgdOptions& options) {
  return typed(dsvgd_algorithm(extras_of(options)), values_of(options));
}

Algorithm u_dsvgd(const UDsvgdOptions& options) {
  return typed(u_dsvgd_algorithm(extras_of(options)), values_of(options));
}

Algorithm p_dsvgd(const PDsvgdOptions& options) {
  Algorithm algorithm = typed(p_dsvgd_algorithm(extras_of(options)), values_of(options));
  const Settings settings(algorithm.settings);
  if (!has_curvature_factors(settings)) p_dsvgd_options(settings);  // only to be checked: some values exclude others
  return algorithm;
}

Algorithm sgld(const SgldOptions& options) {
  return typed(sgld_algorithm(extras_of(options)), values_of(options));
}

Algorithm dsgld(const DsgldOptions& options) {
  return typed(dsgld_algorithm(extras_of(options)), values_of(options));
}

Algorithm fsgld(const FsgldOptions& options) {
  return typed(fsgld_algorithm(extras_of(options)), values_of(options));
}

Algorithm fedavg(const FedAvgOptions& options) {
  return typed(fedavg_algorithm(extras_of(options)), values_of(options));
}

Algorithm fedsgd(const FedSgdOptions& options) {
  return typed(fedsgd_algorithm(extras_of(options)), values_of(options));
}

Algorithm fedbe(const FedBeOptions& options) {
  return typed(fedbe_algorithm(extras_of(options)), values_of(options));
}

Algorithm fedprox(const FedProxOptions& options) {
  return typed(fedprox_algorithm(extras_of(options)), values_of(options));
}

Algorithm scaffold(const ScaffoldOptions& options) {
  return typed(scaffold_algorithm(extras_of(options)), values_of(options));
}

Algorithm scaffold_m(const ScaffoldMOptions& options) {
  return typed(scaffold_m_algorithm(extras_of(options)), values_of(options));
}

Algorithm fedadagrad(const FedAdagradOptions& options) {
  return typed(fedadagrad_algorithm(extras_of(options)), values_of(options));
}

Algorithm fedadam(const FedAdamOptions& options) {
  return typed(fedadam_algorithm(extras_of(options)), values_of(options));
}

Algorithm fedyogi(const FedYogiOptions& options) {
  return typed(fedyogi_algorithm(extras_of(options)), values_of(options));
}

Algorithm fednova(const FedNovaOptions& options) {
  return typed(fednova_algorithm(extras_of(options)), values_of(options));
}

Algorithm feddyn(const FedDynOptions& options) {
  return typed(feddyn_algorithm(extras_of(options)), values_of(options));
}

Algorithm mime(const MimeOptions& options) {
  return typed(mime_algorithm(extras_of(options)), values_of(options));
}

Algorithm pvi(const PviOptions& options) {
  return typed(pvi_algorithm(), values_of(options));
}

Algorithm gvi(const GviOptions& options) {
  return typed(gvi_algorithm(), values_of(options));
}

Algorithm pmd(const PmdOptions& options) {
  return typed(pmd_algorithm(), values_of(options));
}

Algorithm npv(const NpvOptions& options) {
  return typed(npv_algorithm(), values_of(options));
}

Algorithm ensemble(const EnsembleOptions& options) {
  return typed(ensemble_algorithm(extras_of(options)), values_of(options));
}

Algorithm fald(const FaldOptions& options) {
  return typed(fald_algorithm(extras_of(options)), values_of(options));
}

Algorithm vr_fald(const VrFaldOptions& options) {
  return typed(vr_fald_algorithm(extras_of(options)), values_of(options));
}

Algorithm fedpa(const FedPaOptions& options) {
  return typed(fedpa_algorithm(extras_of(options)), values_of(options));
}

Algorithm fedep(const FedEpOptions& options) {
  return typed(fedep_algorithm(), values_of(options));
}

Algorithm sdsvgd(const SdsvgdOptions& options) {
  return typed(sdsvgd_algorithm(extras_of(options)), values_of(options));
}

}  // namespace fedstein::methods
