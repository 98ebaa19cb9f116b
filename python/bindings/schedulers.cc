// SPDX-License-Identifier: Apache-2.0
#include "schedulers.h"

#include "fedstein/base/instead_of.h"
#include "fedstein/numeric/check.h"

namespace fedstein::python {

std::unique_ptr<Scheduler> scheduler_of(const std::string& name,
                                        double fraction,
                                        const Federation& federation,
                                        std::uint64_t seed,
                                        const std::vector<Index>& rows) {
  const Index agents = federation.agents();
  if (name == "round-robin") return std::make_unique<RoundRobin>(agents);
  if (name == "random") return std::make_unique<RandomOne>(agents, seed);
  if (name == "weighted") return std::make_unique<WeightedByData>(rows, seed);
  if (name == "fraction") {
    check_argument(fraction > 0 && fraction <= 1, "Federation.run", [&] {
      return "fraction is " + to_text(fraction) + "; it must be above 0 and at most 1";
    });
    return std::make_unique<RandomFraction>(agents, fraction, seed);
  }
  refuse("Federation.run",
         "scheduler is '" + name + "'" + instead_of(name, {"round-robin", "random", "weighted", "fraction"}));
}

}  // namespace fedstein::python
