// SPDX-License-Identifier: Apache-2.0
#include <limits>
#include <map>

#include "fedstein/files/npy.h"
#include "fedstein/files/zip_writer.h"
#include "fedstein/store/export/export.h"
#include "fedstein/store/export/exported_run.h"

namespace fedstein {
namespace {

// The long form, column by column.
struct Columns {
  std::vector<std::int64_t> job = {};
  std::vector<std::string> case_name = {};
  std::vector<std::string> algorithm = {};
  std::vector<std::int64_t> trial = {};
  std::vector<std::int64_t> round = {};
  std::vector<double> seconds = {};
  std::vector<std::int64_t> bytes_down = {};
  std::vector<std::int64_t> bytes_up = {};
  std::vector<double> spread = {};
  std::map<std::string, std::vector<double>> figures = {};

  void add(const StoredJob& stored, const RoundRecord& record) {
    job.push_back(stored.id);
    case_name.push_back(stored.facts.case_name);
    algorithm.push_back(stored.facts.algorithm);
    trial.push_back(stored.facts.trial);
    round.push_back(record.round);
    seconds.push_back(record.seconds);
    bytes_down.push_back(record.bytes_down);
    bytes_up.push_back(record.bytes_up);
    spread.push_back(record.spread);
    for (const auto& [name, value] : record.figures) figures[name];
    for (auto& [name, values] : figures) {
      values.resize(job.size(), std::numeric_limits<double>::quiet_NaN());  // of the rounds before its first, too
      const auto found = record.figures.find(name);
      if (found != record.figures.end()) values.back() = found->second;
    }
  }

  void write(ZipWriter& zip) const {
    zip.add("job.npy", npy_of(job));
    zip.add("case.npy", npy_of(case_name));
    zip.add("algorithm.npy", npy_of(algorithm));
    zip.add("trial.npy", npy_of(trial));
    zip.add("round.npy", npy_of(round));
    zip.add("seconds.npy", npy_of(seconds));
    zip.add("bytes_down.npy", npy_of(bytes_down));
    zip.add("bytes_up.npy", npy_of(bytes_up));
    zip.add("spread.npy", npy_of(spread));
    for (const auto& [name, values] : figures) zip.add("figure/" + name + ".npy", npy_of(values));
  }
};

DoubleMatrix bins_as_matrix(const std::vector<ReliabilityBin>& bins) {
  DoubleMatrix out(static_cast<Index>(bins.size()), 5);
  Index row = 0;
  for (const ReliabilityBin& bin : bins) {
    out.row(row) << reliability_edge(row, out.rows()), reliability_edge(row + 1, out.rows()),
        static_cast<double>(bin.count), static_cast<double>(bin.correct), bin.confidence_sum;
    ++row;
  }
  return out;
}

}  // namespace

void export_npz(const RunStore& store, RunId run, const ByteSink& sink) {
  ZipWriter zip(sink);
  zip.add("run.npy", npy_of(run_as_json(exported_run(store, run))));
  const std::vector<StoredJob> jobs = store.jobs(run);
  Columns columns;
  for (const StoredJob& job : jobs) {
    for (const RoundRecord& record : store.rounds(job.id)) columns.add(job, record);
  }
  columns.write(zip);
  for (const StoredJob& job : jobs) {
    const std::string folder = "/" + std::to_string(job.id) + "/";
    for (const StoredReliability& each : store.reliability(job.id)) {
      zip.add("reliability" + folder + std::to_string(each.round) + ".npy", npy_of(bins_as_matrix(each.bins)));
    }
    for (const Index round : store.rounds_with_particles(job.id)) {
      zip.add("particles" + folder + std::to_string(round) + ".npy", npy_of(store.particles(job.id, round)));
    }
    for (const RoundRecord& record : store.rounds(job.id)) {
      const std::optional<Matrix> density = store.density(job.id, record.round);
      if (density) zip.add("density" + folder + std::to_string(record.round) + ".npy", npy_of(*density));
    }
  }
  zip.finish();
}

}  // namespace fedstein
