// SPDX-License-Identifier: Apache-2.0
#include "fedstein/stein/svgd_engine.h"

namespace fedstein {

SvgdSummary CpuEngine::run(MatrixRef particles, const Terms& terms, const SvgdOptions& options) const {
  return svgd(particles, terms, options);
}

std::vector<DescribedTerm> describe_terms(const Terms& terms) {
  Terms single;
  for (const Term& term : terms) term.score->append_terms(term.weight, single);
  std::vector<DescribedTerm> described;
  described.reserve(single.size());
  for (const Term& term : single) described.push_back({term.weight, term.score, term.score->describe()});
  return described;
}

}  // namespace fedstein
