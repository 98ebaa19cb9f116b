// SPDX-License-Identifier: Apache-2.0
// One of benchmarks/scenarios: the shapes, the data and the expected result of a local round that all peers run.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fedstein/model/model.h"
#include "fedstein/stein/step_rule.h"

namespace fedstein {

// What a short round must come to, of particles that are too many to write down.
struct Digest {
  double mean = 0;
  double root_mean_square = 0;
  std::vector<double> first = {};  // the first coordinates of the first particle
  std::vector<double> last = {};   // the last ones of the last particle
};

struct Scenario {
  std::string name;
  std::string what;
  Index particles = 0;
  Index batch = 0;        // rows per step; 0: no data
  Index steps = 0;        // L, and L' of the distillation
  Index rounds = 0;       // that one measurement takes
  Index check_steps = 0;  // of the short round with the expected result
  AdaGrad::Options step_rule = {};
  Digest expected_global = {};
  Digest expected_local = {};

  std::shared_ptr<const Model> model;
  Matrix x;
  Vector y;
  Particles global_start;
  Particles local_start;

  Batch data() const { return {x, y}; }
  // Multiplications and additions of one evaluation of the likelihood's score, all particles.
  double likelihood_operations = 0;
};

// Throws for a file that cannot be read or misses something.
Scenario load_scenario(const std::string& path);

// How far particles are from what is expected, relative to the largest number expected.
double deviation(const Digest& expected, const Particles& particles);

}  // namespace fedstein
