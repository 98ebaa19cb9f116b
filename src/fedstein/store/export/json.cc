// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <nlohmann/json.hpp>

#include "fedstein/store/export/export.h"
#include "fedstein/store/export/exported_run.h"

namespace fedstein {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson number(double value) {
  return std::isfinite(value) ? OrderedJson(value) : OrderedJson(number_text(value));
}

const char* status_name(JobStatus status) {
  switch (status) {
    case JobStatus::kDone:
      return "done";
    case JobStatus::kFailed:
      return "failed";
    case JobStatus::kWaiting:
      break;
  }
  return "unfinished";
}

OrderedJson round_as_json(const RoundRecord& record) {
  OrderedJson failures = OrderedJson::array();
  for (const Failure& failure : record.failures) {
    failures.push_back({{"agent", failure.agent}, {"kind", name_of(failure.kind)}, {"reason", failure.reason}});
  }
  OrderedJson figures = OrderedJson::object();
  for (const auto& [name, value] : record.figures) figures[name] = number(value);
  return {{"round", record.round},
          {"seconds", number(record.seconds)},
          {"bytes_down", record.bytes_down},
          {"bytes_up", record.bytes_up},
          {"spread", number(record.spread)},
          {"scheduled", record.scheduled},
          {"folded", record.folded},
          {"failures", std::move(failures)},
          {"figures", std::move(figures)}};
}

OrderedJson reliability_as_json(const StoredReliability& reliability) {
  OrderedJson bins = OrderedJson::array();
  const auto count = static_cast<Index>(reliability.bins.size());
  for (Index i = 0; i < count; ++i) {
    const ReliabilityBin& bin = reliability.bins[static_cast<std::size_t>(i)];
    bins.push_back({{"low", number(reliability_edge(i, count))},
                    {"high", number(reliability_edge(i + 1, count))},
                    {"count", bin.count},
                    {"correct", bin.correct},
                    {"confidence_sum", number(bin.confidence_sum)}});
  }
  return {{"round", reliability.round}, {"bins", std::move(bins)}};
}

OrderedJson job_as_json(const RunStore& store, const StoredJob& job) {
  OrderedJson out = {{"job", job.id},
                     {"case", job.facts.case_name},
                     {"algorithm", job.facts.algorithm},
                     {"trial", job.facts.trial},
                     {"rounds_planned", job.facts.rounds},
                     {"centralised", job.facts.centralised},
                     {"status", status_name(job.status)},
                     {"error", job.error},
                     {"rounds", OrderedJson::array()},
                     {"reliability", OrderedJson::array()},
                     {"rounds_with_particles", store.rounds_with_particles(job.id)}};
  for (const RoundRecord& record : store.rounds(job.id)) out["rounds"].push_back(round_as_json(record));
  for (const StoredReliability& each : store.reliability(job.id)) {
    out["reliability"].push_back(reliability_as_json(each));
  }
  return out;
}

}  // namespace

void export_json(const RunStore& store, RunId run, const ByteSink& sink) {
  sink("{\"run\":" + run_as_json(exported_run(store, run)) + ",\n\"jobs\":[");
  const char* separator = "\n";
  for (const StoredJob& job : store.jobs(run)) {
    sink(separator + job_as_json(store, job).dump(-1, ' ', false, OrderedJson::error_handler_t::replace));
    separator = ",\n";
  }
  sink("\n]}\n");
}

}  // namespace fedstein
