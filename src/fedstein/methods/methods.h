// SPDX-License-Identifier: Apache-2.0
// Every method as a function from typed options to an Algorithm: methods::dsvgd({.particles = 30}). The values become
// the defaults of the algorithm's settings, so that settings by name still change them. A value that is not allowed
// throws InvalidArgument with the sentence that a configuration file would get.
#pragma once

#include "fedstein/algorithm/algorithm.h"
#include "fedstein/methods/options.h"

namespace fedstein::methods {

Algorithm c_dsvgd(const CDsvgdOptions& options = {});
Algorithm svgd(const SvgdOptions& options = {});
Algorithm dsvgd(const DsvgdOptions& options = {});
Algorithm u_dsvgd(const UDsvgdOptions& options = {});
Algorithm p_dsvgd(const PDsvgdOptions& options = {});
Algorithm sgld(const SgldOptions& options = {});
Algorithm dsgld(const DsgldOptions& options = {});
Algorithm fsgld(const FsgldOptions& options = {});
Algorithm fedavg(const FedAvgOptions& options = {});
Algorithm fedsgd(const FedSgdOptions& options = {});
Algorithm fedbe(const FedBeOptions& options = {});
Algorithm fedprox(const FedProxOptions& options = {});
Algorithm scaffold(const ScaffoldOptions& options = {});
Algorithm scaffold_m(const ScaffoldMOptions& options = {});
Algorithm fedadagrad(const FedAdagradOptions& options = {});
Algorithm fedadam(const FedAdamOptions& options = {});
Algorithm fedyogi(const FedYogiOptions& options = {});
Algorithm fednova(const FedNovaOptions& options = {});
Algorithm feddyn(const FedDynOptions& options = {});
Algorithm mime(const MimeOptions& options = {});
Algorithm pvi(const PviOptions& options = {});
Algorithm gvi(const GviOptions& options = {});
Algorithm pmd(const PmdOptions& options = {});
Algorithm npv(const NpvOptions& options = {});
Algorithm ensemble(const EnsembleOptions& options = {});
Algorithm fald(const FaldOptions& options = {});
Algorithm vr_fald(const VrFaldOptions& options = {});
Algorithm fedpa(const FedPaOptions& options = {});
Algorithm fedep(const FedEpOptions& options = {});
Algorithm sdsvgd(const SdsvgdOptions& options = {});

}  // namespace fedstein::methods
