// SPDX-License-Identifier: Apache-2.0
// How time and memory grow: each size doubled while the others stay, and the exponent that fits best.
// Usage: fedstein-growth [--json FILE]
//
// Doubling starts where the part that grows is most of the whole; below that the exponent would be one of the rest.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "agents_memory.h"
#include "fedstein/algorithm/federation.h"
#include "fedstein/evaluation/evaluation.h"
#include "fedstein/methods/dsvgd.h"
#include "fedstein/model/logistic_regression.h"
#include "guarded.h"
#include "measured.h"

namespace fedstein {
namespace {

using Json = nlohmann::ordered_json;

// A federation of logistic regressions; what a series does not vary stays at these.
struct Shape {
  Index particles = 6;
  Index inputs = 54;
  Index agents = 4;
  Index rounds = 4;
  Index rows = 1000;  // of each agent
  Index steps = 50;
};

struct Rows {
  Rows(Index count, Index inputs) : x(Matrix::Random(count, inputs)), y(count) {
    for (Index i = 0; i < count; ++i) y(i) = x(i, 0) > 0 ? 1 : -1;
  }
  Batch batch() const { return {x, y}; }
  Matrix x;
  Vector y;
};

class Silent : public Observer {
 public:
  Next on_round(RoundRecord&, const Particles&) override { return Next::kContinue; }
};

double seconds_of_rounds(const Shape& shape) {
  const Rows data(shape.agents * shape.rows, shape.inputs);
  std::vector<Batch> shards;
  for (Index k = 0; k < shape.agents; ++k) shards.push_back(data.batch().middle_rows(k * shape.rows, shape.rows));
  const LogisticRegression model(shape.inputs);
  const Algorithm algorithm = dsvgd_algorithm();
  Settings settings(algorithm.settings);
  settings.set("particles", shape.particles);
  settings.set("local_steps", shape.steps);
  settings.set("batch", std::min<Index>(100, shape.rows));
  return fastest_seconds(5, [&] {
    Federation federation(algorithm, settings, model, shards, {.seed = 1});
    InProcessTransport transport(federation.agent_pointers());
    Silent observer;
    coordinate(federation.server(), RoundRobin(shape.agents), transport, observer, {.rounds = shape.rounds});
  });
}

double seconds_of_evaluation(Index rows) {
  const Shape shape;
  const Rows test(rows, shape.inputs);
  const LogisticRegression model(shape.inputs);
  const Evaluation evaluation(model, test.batch());
  const Particles particles = Matrix::Random(shape.particles, model.dimension());
  return fastest_seconds(15, [&] { static_cast<void>(evaluation.figures(particles)); });
}

struct Series {
  std::string name;
  std::string variable;
  std::string unit;
  std::vector<Index> sizes;
  std::function<double(Index)> measure;
  std::string limit;  // what decides the exponent
};

std::vector<Index> doubled(Index first, int count) {
  std::vector<Index> sizes;
  for (int i = 0; i < count; ++i) sizes.push_back(first << i);
  return sizes;
}

std::vector<Series> all_series(const std::string& self) {
  const auto rounds = [](auto change) {
    return [change](Index size) {
      Shape shape;
      change(shape, size);
      return seconds_of_rounds(shape);
    };
  };
  return {
      {"particles",
       "N",
       "s",
       doubled(50, 4),
       rounds([](Shape& shape, Index n) { shape.particles = n; }),
       "pairs of particles: distances, kernel, KDE weights"},
      {"dimension",
       "d",
       "s",
       doubled(128, 5),
       rounds([](Shape& shape, Index d) { shape.inputs = d; }),
       "products over the coordinates; from the caches, then from memory"},
      {"agents, each visited once",
       "K",
       "s",
       doubled(8, 6),
       rounds([](Shape& shape, Index k) {
         shape.agents = k;
         shape.rounds = k;
       }),
       "one agent's local steps per round"},
      {"rounds",
       "rounds",
       "s",
       doubled(8, 6),
       rounds([](Shape& shape, Index i) { shape.rounds = i; }),
       "local steps; a factor is as large after many rounds as after one"},
      {"an agent's rows, a round",
       "rows",
       "s",
       doubled(1000, 6),
       rounds([](Shape& shape, Index n) {
         shape.agents = 1;
         shape.rows = n;
       }),
       "minibatches: a step reads 100 rows, whatever there is"},
      {"test rows, an evaluation",
       "rows",
       "s",
       doubled(8192, 6),
       seconds_of_evaluation,
       "margins, exponentials and bins, row by row"},
      {"agents' memory",
       "K",
       "bytes",
       doubled(1250, 5),
       [self](Index k) { return measure_agents_apart(self, k).grown_bytes; },
       "a factor of 2 N d numbers per agent"},
  };
}

// The slope of the least-squares line through (log size, log value).
double exponent(const std::vector<Index>& sizes, const std::vector<double>& values) {
  const auto count = static_cast<double>(sizes.size());
  double x = 0, y = 0, xx = 0, xy = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const double log_size = std::log(static_cast<double>(sizes[i]));
    const double log_value = std::log(values[i]);
    x += log_size;
    y += log_value;
    xx += log_size * log_size;
    xy += log_size * log_value;
  }
  return (count * xy - x * y) / (count * xx - x * x);
}

Json measured(const Series& series) {
  std::vector<double> values;
  for (const Index size : series.sizes) values.push_back(series.measure(size));
  const double slope = exponent(series.sizes, values);
  std::printf("%-26s %-7s %6ld .. %-7ld %10.3g .. %-10.3g %-6s %6.2f  %s\n",
              series.name.c_str(),
              series.variable.c_str(),
              static_cast<long>(series.sizes.front()),
              static_cast<long>(series.sizes.back()),
              values.front(),
              values.back(),
              series.unit.c_str(),
              slope,
              series.limit.c_str());
  std::fflush(stdout);
  return {{"name", series.name},
          {"variable", series.variable},
          {"unit", series.unit},
          {"sizes", series.sizes},
          {"values", values},
          {"exponent", slope},
          {"limit", series.limit}};
}

int run(const std::vector<std::string>& arguments) {
  std::string file;
  for (std::size_t i = 1; i < arguments.size(); i += 2) {
    const std::string value = i + 1 < arguments.size() ? arguments[i + 1] : "";
    if (arguments[i] == "--agents") return print_agents(std::stol(value)), 0;
    if (arguments[i] != "--json") throw std::invalid_argument("'" + arguments[i] + "' is not known; allowed: --json");
    file = value;
  }
  std::printf(
      "%-26s %-7s %-17s %-24s %-6s %s\n", "growth of DSVGD", "in", "from .. to", "value", "", "exponent, limit");
  Json all = Json::array();
  for (const Series& series : all_series(arguments.front())) all.push_back(measured(series));
  if (!file.empty()) std::ofstream(file) << all.dump(1) << '\n';
  return 0;
}

}  // namespace
}  // namespace fedstein

int main(int argc, char** argv) {
  return fedstein::guarded("fedstein-growth", [&] { return fedstein::run({argv, argv + argc}); });
}
