// SPDX-License-Identifier: Apache-2.0
#include "fedstein/experiment/conduct.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

#include "fedstein/experiment/data_shelf.h"
#include "fedstein/experiment/trained.h"
#include "fedstein/files/output_rules.h"
#include "fedstein/numeric/check.h"
#include "fedstein/posterior/posterior_file.h"
#include "fedstein/store/run_lock.h"

namespace fedstein {
namespace {

namespace fs = std::filesystem;

// A stored configuration but for the checksums of files.
std::string without_contents(const std::string& configuration) {
  std::string out;
  std::istringstream lines(configuration);
  for (std::string line; std::getline(lines, line);) {
    if (line.find("\"contents\":") == std::string::npos) out += line.substr(0, line.find_last_not_of(',') + 1) + "\n";
  }
  return out;
}

// ": "rounds": 5 then, "rounds": 3 now", of the first line that differs; nothing where one of the two just goes on.
std::string first_difference(const std::string& then, const std::string& now) {
  constexpr std::size_t kMostOfLine = 80;
  std::istringstream before(then);
  std::istringstream after(now);
  const auto shown = [](const std::string& line) {
    const std::size_t first = line.find_first_not_of(' ');
    return first == std::string::npos ? "" : line.substr(first, line.find_last_not_of(", ") - first + 1);
  };
  std::string a;
  std::string b;
  while (std::getline(before, a) && std::getline(after, b)) {
    if (a != b && a.size() < kMostOfLine && b.size() < kMostOfLine)
      return " (" + shown(a) + " then, " + shown(b) + " now)";
  }
  return "";
}

std::string own_files(const Plan& plan) {
  std::set<std::string> names;
  for (const CasePlan& each : plan.cases) {
    if (each.dataset.own_file) names.insert(each.dataset.name);
    if (!each.dataset.test_file.empty()) names.insert(each.dataset.test_file);
  }
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : " or ") + name;
  return out;
}

// The run to go on with; it must be the one that was asked for.
RunId unfinished(const RunStore& store, const RunRequest& request) {
  const std::vector<StoredRun> runs = store.runs();
  const auto newest =
      std::find_if(runs.rbegin(), runs.rend(), [](const StoredRun& run) { return run.finished.empty(); });
  if (newest == runs.rend()) {
    throw InvalidArgument("--resume: " + request.folder + " has no unfinished run; without --resume a new one begins");
  }
  const std::string wanted = to_json(request.plan);
  if (newest->facts.configuration != wanted) {
    if (without_contents(newest->facts.configuration) == without_contents(wanted)) {
      throw InvalidArgument("--resume: the rows of " + own_files(request.plan) + " are not those with which run " +
                            std::to_string(newest->id) + " of " + request.folder +
                            " began; give the file as it was then, or start a new run without --resume");
    }
    throw InvalidArgument("--resume: the unfinished run " + std::to_string(newest->id) + " of " + request.folder +
                          " has another configuration" + first_difference(newest->facts.configuration, wanted) +
                          "; give the same file and options as then, or start a new run without --resume");
  }
  return newest->id;
}

std::optional<RunId> finished_alike(const RunStore& store, const Plan& plan) {
  const std::string configuration = to_json(plan);
  std::optional<RunId> found;
  for (const StoredRun& run : store.runs()) {
    if (!run.finished.empty() && run.facts.configuration == configuration && run.facts.version == FEDSTEIN_VERSION) {
      found = run.id;
    }
  }
  return found;
}

void check_posterior_files(const RunRequest& request) {
  for (const CasePlan& case_plan : request.plan.cases) {
    if (!has_posterior(case_plan)) continue;
    for (const AlgorithmPlan& algorithm : case_plan.algorithms) {
      const TrainedJob first{&request.plan, &case_plan, &algorithm, 1};
      check_output(request.folder + "/" + kPosteriorFolder + "/" + posterior_file_name(first), posterior_output());
    }
  }
}

RunStore open_store(const fs::path& path) {
  std::error_code failed;
  fs::create_directories(path.parent_path(), failed);
  if (failed) throw StoreError("cannot make the folder " + path.parent_path().string() + ": " + failed.message());
  return {path.string(), RunStore::Mode::kWrite};
}

}  // namespace

ConductedRun conduct_run(const RunRequest& asked) {
  RunRequest request = asked;
  const fs::path path = fs::path(request.folder) / kStoreName;
  if (request.resume && !fs::exists(path)) {
    throw InvalidArgument("--resume: there is no run in " + request.folder);
  }
  check_posterior_files(request);
  DataShelf shelf(request.data_folder);
  shelf.read_own_files(request.plan);
  for (CasePlan& each : request.plan.cases) {
    if (each.dataset.own_file) each.dataset.contents = shelf.contents(each.dataset);
  }
  ConductedRun out{.store = open_store(path)};
  if (request.reuse && !request.resume) {
    if (const auto run = finished_alike(out.store, request.plan)) {
      out.run = *run;
      out.reused = true;
      out.result = load_results(out.store, out.run, request.plan);
      return out;
    }
  }
  out.run = request.resume ? unfinished(out.store, request) : begin_run(request.plan, out.store, request.command);
  const RunLock lock(path.string(), out.run);
  if (request.on_begin) request.on_begin(out.store, out.run);
  const ExecuteOptions options{.threads = request.threads,
                               .checkpoint_seconds = request.checkpoint_seconds,
                               .posterior_folder = request.folder + "/" + kPosteriorFolder,
                               .stop = request.stop,
                               .on_progress = request.on_progress};
  if (execute(request.plan, out.store, out.run, shelf, options).complete) {
    out.result = load_results(out.store, out.run, request.plan);
  }
  return out;
}

std::vector<std::string> models_of_other_runs(const Plan& plan, const std::string& folder) {
  std::set<std::string> own;
  for (const CasePlan& each : plan.cases) {
    for (const AlgorithmPlan& algorithm : each.algorithms) {
      for (Index trial = 1; trial <= plan.trials; ++trial) {
        own.insert(posterior_file_name({&plan, &each, &algorithm, trial}));
      }
    }
  }
  std::vector<std::string> out;
  std::error_code problem;
  for (fs::directory_iterator entry(fs::path(folder) / kPosteriorFolder, problem), end; !problem && entry != end;
       entry.increment(problem)) {
    const std::string name = entry->path().filename().string();
    if (name.ends_with(kPosteriorEnding) && !own.contains(name)) out.push_back(name);
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace fedstein
