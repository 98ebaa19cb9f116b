// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/registry.h"

#include "fedstein/methods/dsgld.h"
#include "fedstein/methods/dsvgd.h"
#include "fedstein/methods/fedavg.h"
#include "fedstein/methods/fedbe.h"
#include "fedstein/methods/fedprox.h"
#include "fedstein/methods/fedsgd.h"
#include "fedstein/methods/fsgld.h"
#include "fedstein/methods/npv.h"
#include "fedstein/methods/p_dsvgd.h"
#include "fedstein/methods/pmd.h"
#include "fedstein/methods/pvi.h"
#include "fedstein/methods/scaffold.h"
#include "fedstein/methods/sgld.h"
#include "fedstein/methods/svgd.h"
#include "fedstein/methods/u_dsvgd.h"
#include "fedstein/numeric/check.h"

namespace fedstein {

const std::vector<Algorithm>& algorithms() {
  static const std::vector<Algorithm> all = {
      svgd_algorithm(),
      dsvgd_algorithm(),
      u_dsvgd_algorithm(),
      p_dsvgd_algorithm(),
      sgld_algorithm(),
      dsgld_algorithm(),
      fsgld_algorithm(),
      fedavg_algorithm(),
      fedsgd_algorithm(),
      fedbe_algorithm(),
      fedprox_algorithm(),
      scaffold_algorithm(),
      pvi_algorithm(),
      gvi_algorithm(),
      pmd_algorithm(),
      npv_algorithm(),
  };
  return all;
}

const Algorithm& algorithm_named(std::string_view name) {
  std::string names;
  for (const Algorithm& algorithm : algorithms()) {
    if (algorithm.name == name) return algorithm;
    names += (names.empty() ? "" : ", ") + algorithm.name;
  }
  throw InvalidArgument("unknown algorithm '" + std::string(name) + "'; allowed: " + names);
}

}  // namespace fedstein
