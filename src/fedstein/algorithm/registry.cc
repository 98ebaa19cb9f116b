// SPDX-License-Identifier: Apache-2.0
#include "fedstein/algorithm/algorithm.h"
#include "fedstein/algorithm/dsgld.h"
#include "fedstein/algorithm/dsvgd.h"
#include "fedstein/algorithm/fedavg.h"
#include "fedstein/algorithm/fedbe.h"
#include "fedstein/algorithm/fedprox.h"
#include "fedstein/algorithm/fedsgd.h"
#include "fedstein/algorithm/fsgld.h"
#include "fedstein/algorithm/npv.h"
#include "fedstein/algorithm/p_dsvgd.h"
#include "fedstein/algorithm/pmd.h"
#include "fedstein/algorithm/pvi.h"
#include "fedstein/algorithm/scaffold.h"
#include "fedstein/algorithm/sgld.h"
#include "fedstein/algorithm/svgd.h"
#include "fedstein/algorithm/u_dsvgd.h"
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
