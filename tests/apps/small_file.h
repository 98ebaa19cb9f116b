// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace fedstein {

// A run of a second on generated data.
inline std::string small_file(int rounds = 6, int trials = 2, int local_steps = 4) {
  return "[experiment]\nname = \"small\"\npreset = \"paper\"\ndataset = \"feature-skew\"\npartition = "
         "\"by-column\"\nagents = 10\n"
         "trials = " +
         std::to_string(trials) + "\n\n[federation]\nrounds = " + std::to_string(rounds) +
         "\n\n[hyperparameters]\nparticles = 3\nlocal_steps = " + std::to_string(local_steps) +
         "\n\n[[algorithm]]\ntype = \"dsvgd\"\n\n[[algorithm]]\ntype = \"fedavg\"\n\n[[algorithm]]\ntype = \"svgd\"\n";
}

}  // namespace fedstein
