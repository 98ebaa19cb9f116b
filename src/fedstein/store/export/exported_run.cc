// SPDX-License-Identifier: Apache-2.0
#include "fedstein/store/export/exported_run.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "fedstein/base/text.h"
#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

// The store keeps JSON as text; what is none after all stays text.
nlohmann::json parsed_or_text(const std::string& text) {
  if (json_nesting(text) > kMostJsonNesting) return text;
  nlohmann::json out = nlohmann::json::parse(text, nullptr, false);
  return out.is_discarded() ? nlohmann::json(text) : out;
}

}  // namespace

StoredRun exported_run(const RunStore& store, RunId run) {
  for (const StoredRun& each : store.runs()) {
    if (each.id == run) return each;
  }
  throw StoreError("there is no run " + std::to_string(run) + " in the store");
}

std::string run_as_json(const StoredRun& run) {
  const nlohmann::ordered_json out = {{"id", run.id},
                                      {"name", run.facts.name},
                                      {"title", run.facts.title},
                                      {"version", run.facts.version},
                                      {"precision", run.facts.precision},
                                      {"seed", run.facts.seed},
                                      {"started", run.started},
                                      {"finished", run.finished},
                                      {"command", run.facts.command},
                                      {"host", parsed_or_text(run.facts.host)},
                                      {"configuration", parsed_or_text(run.facts.configuration)},
                                      {"document", run.facts.document}};
  return out.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::set<std::string> figure_names(const RunStore& store, const std::vector<StoredJob>& jobs) {
  std::set<std::string> out;
  for (const StoredJob& job : jobs) {
    for (const RoundRecord& record : store.rounds(job.id)) {
      for (const auto& [name, value] : record.figures) out.insert(name);
    }
  }
  return out;
}

std::string number_text(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return to_text(value);
}

}  // namespace fedstein
