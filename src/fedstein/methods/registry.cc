// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/registry.h"

#include "fedstein/base/instead_of.h"
#include "fedstein/methods/methods.h"
#include "fedstein/numeric/check.h"

namespace fedstein {

const std::vector<Algorithm>& algorithms() {
  // A line each, however many there are.
  // clang-format off
  static const std::vector<Algorithm> all = {
      methods::c_dsvgd(),
      methods::svgd(),
      methods::dsvgd(),
      methods::u_dsvgd(),
      methods::p_dsvgd(),
      methods::sdsvgd(),
      methods::ensemble(),
      methods::sgld(),
      methods::dsgld(),
      methods::fsgld(),
      methods::fald(),
      methods::vr_fald(),
      methods::fedpa(),
      methods::fedep(),
      methods::fedavg(),
      methods::fedsgd(),
      methods::fedbe(),
      methods::fedprox(),
      methods::scaffold(),
      methods::scaffold_m(),
      methods::fedadagrad(),
      methods::fedadam(),
      methods::fedyogi(),
      methods::fednova(),
      methods::feddyn(),
      methods::mime(),
      methods::pvi(),
      methods::gvi(),
      methods::pmd(),
      methods::npv(),
  };
  // clang-format on
  return all;
}

const Algorithm& algorithm_named(std::string_view name) {
  std::vector<std::string> names;
  for (const Algorithm& algorithm : algorithms()) {
    if (algorithm.name == name) return algorithm;
    names.push_back(algorithm.name);
  }
  throw InvalidArgument("unknown algorithm '" + std::string(name) + "'" + instead_of(name, names));
}

}  // namespace fedstein
