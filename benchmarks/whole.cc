// SPDX-License-Identifier: Apache-2.0
// The product around the local loop, each part beside the machine's own limit and its target: evaluation, loading, the
// use of the cores, memory.
// Usage: fedstein-whole [--program FEDSTEIN] [--data FOLDER] [--json FILE]   data: $FEDSTEIN_DATA unless given.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "agents_memory.h"
#include "bandwidth.h"
#include "child.h"
#include "fedstein/algorithm/federation.h"
#include "fedstein/data/load.h"
#include "fedstein/evaluation/evaluation.h"
#include "fedstein/methods/dsvgd.h"
#include "fedstein/model/logistic_regression.h"
#include "fedstein/numeric/parallel.h"
#include "guarded.h"
#include "measured.h"

namespace fedstein {
namespace {

using Json = nlohmann::ordered_json;

constexpr Index kTestRows = 116202;  // Covertype's test part
constexpr Index kAgentRows = 23000;  // one of its 20 agents
constexpr Index kInputs = 54;
constexpr Index kParticles = 6;
constexpr Index kManyAgents = 10000;
constexpr Index kRounds = 20;

struct Rows {
  explicit Rows(Index count) : x(Matrix::Random(count, kInputs)), y(count) {
    for (Index i = 0; i < count; ++i) y(i) = x(i, 0) > 0 ? 1 : -1;
  }
  Batch batch() const { return {x, y}; }
  Matrix x;
  Vector y;
};

// One line of the table and its entry; a target of 0 is none.
struct Line {
  std::string what;
  double value;
  std::string unit;
  double target = 0;
  bool above = true;  // or at most

  bool reached() const { return target == 0 || (above ? value >= target : value <= target); }
};

class Table {
 public:
  void add(const Line& line) {
    std::string verdict;
    if (line.target != 0) {
      std::array<char, 64> text;
      std::snprintf(text.data(),
                    text.size(),
                    "target %s %g: %s",
                    line.above ? ">=" : "<=",
                    line.target,
                    line.reached() ? "reached" : "missed");
      verdict = text.data();
    }
    std::printf("%-66s %10.3g %-10s %s\n", line.what.c_str(), line.value, line.unit.c_str(), verdict.c_str());
    std::fflush(stdout);
    Json entry = {{"what", line.what}, {"value", line.value}, {"unit", line.unit}};
    if (line.target != 0) entry.update({{"target", line.target}, {"reached", line.reached()}});
    entries_.push_back(entry);
  }
  const Json& entries() const { return entries_; }

 private:
  Json entries_ = Json::array();
};

void evaluation(Table& table) {
  const Rows test(kTestRows);
  const LogisticRegression model(kInputs);
  const Evaluation evaluation(model, test.batch());
  const Particles particles = Matrix::Random(kParticles, model.dimension());
  const double seconds = median_seconds(31, [&] { static_cast<void>(evaluation.figures(particles)); });
  const double bytes = static_cast<double>(test.x.size()) * sizeof(Real);
  table.add({"memory read, all threads", read_bandwidth() * 1e-9, "GB/s"});
  table.add({"evaluation of 116202 x 54 rows, 6 particles", seconds * 1e3, "ms"});
  table.add({"  bytes of x per second", bytes / seconds * 1e-9, "GB/s"});
  table.add({"  share of the memory's", bytes / seconds / read_bandwidth(), "", 0.5});
}

double seconds_per_round(Index evaluate_every, const Rows& shard, const Rows& test) {
  const LogisticRegression model(kInputs);
  const Algorithm algorithm = dsvgd_algorithm();
  Settings settings(algorithm.settings);
  settings.set("particles", kParticles);
  Federation federation(algorithm, settings, model, {shard.batch()}, {.seed = 1});
  InProcessTransport transport(federation.agent_pointers());
  Evaluation judge(model, test.batch(), {.evaluate_every = evaluate_every});
  const auto start = std::chrono::steady_clock::now();
  coordinate(federation.server(), RoundRobin(1), transport, judge, {.rounds = kRounds});
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / kRounds;
}

void sparing(Table& table) {
  const Rows shard(kAgentRows);
  const Rows test(kTestRows);
  seconds_per_round(1, shard, test);  // warm
  table.add({"a round of DSVGD, every round evaluated", seconds_per_round(1, shard, test) * 1e3, "ms"});
  table.add({"  evaluate_every = 10", seconds_per_round(10, shard, test) * 1e3, "ms"});
}

void loading(const std::string& folder, Table& table) {
  const DatasetInfo& info = find_dataset("covertype");
  const std::optional<std::string> file = locate(folder, info.files.front());
  if (!file) {
    std::printf("loading: skipped, the data folder '%s' has no %s\n", folder.c_str(), info.files.front().c_str());
    return;
  }
  const double ours = median_seconds(3, [&] { static_cast<void>(load_dataset(info.name, folder)); });
  const double theirs = median_seconds(3, [&] { run_child({"sh", "-c", "zcat -f \"$1\" | wc", "sh", *file}); });
  table.add({"load_dataset(\"covertype\")", ours, "s"});
  table.add({"  zcat | wc of the same file", theirs, "s"});
  table.add({"  ratio", ours / theirs, "", 2, false});
}

// A folder for the runs of one child, gone with its guard.
class RunsFolder {
 public:
  RunsFolder() : path_(std::filesystem::temp_directory_path() / "fedstein-whole-XXXXXX") {
    if (mkdtemp(path_.data()) == nullptr) throw std::runtime_error(path_ + " cannot be made");
  }
  ~RunsFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  RunsFolder(const RunsFolder&) = delete;
  RunsFolder& operator=(const RunsFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

void cores(const std::string& program, const std::string& folder, Table& table) {
  if (program.empty() || !locate(folder, find_dataset("covertype").files.front())) {
    std::printf("use of the cores: skipped, it needs --program and the datasets\n");
    return;
  }
  const RunsFolder runs;
  const Usage usage =
      run_child({program, "reproduce", "blr-rounds", "--quick", "--data", folder, "--folder", runs.path()});
  table.add({"reproduce blr-rounds --quick", usage.seconds, "s"});
  table.add({"  use of the cores", usage.cpu_seconds / (usage.seconds * available_threads()), "", 0.9});
}

void agents(const std::string& self, Table& table) {
  const double bytes = measure_agents_apart(self, kManyAgents).grown_bytes;
  table.add({"memory of 10000 agents that took part", bytes / 1e6, "MB"});
  table.add({"  an agent", bytes / kManyAgents, "bytes"});
  table.add({"  of which its factor, 2 N d numbers", 2.0 * kParticles * (kInputs + 1) * sizeof(Real), "bytes"});
}

int run(const std::vector<std::string>& arguments) {
  const char* environment = std::getenv("FEDSTEIN_DATA");
  std::string folder = environment == nullptr ? "" : environment;
  std::string program;
  std::string json;
  for (std::size_t i = 1; i < arguments.size(); i += 2) {
    const std::string& key = arguments[i];
    const std::string value = i + 1 < arguments.size() ? arguments[i + 1] : "";
    if (key == "--agents") return print_agents(std::stol(value)), 0;
    if (key != "--program" && key != "--data" && key != "--json") {
      throw std::invalid_argument("'" + key + "' is not known; allowed: --program, --data, --json");
    }
    (key == "--program" ? program : key == "--data" ? folder : json) = value;
  }
  Table table;
  evaluation(table);
  sparing(table);
  loading(folder, table);
  cores(program, folder, table);
  agents(arguments.front(), table);
  if (!json.empty()) std::ofstream(json) << table.entries().dump(1) << '\n';
  return 0;
}

}  // namespace
}  // namespace fedstein

int main(int argc, char** argv) {
  return fedstein::guarded("fedstein-whole", [&] { return fedstein::run({argv, argv + argc}); });
}
