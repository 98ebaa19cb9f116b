// SPDX-License-Identifier: Apache-2.0
#include "fedstein/experiment/run_choice.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "fedstein/files/access.h"
#include "fedstein/files/missing_input.h"

namespace fedstein {
namespace {

namespace fs = std::filesystem;

// The digits behind the last #; none: the name is a name.
std::optional<RunId> number_in(const std::string& run, std::size_t hash) {
  constexpr std::size_t kMostDigits = 17;  // fit into 64 bits
  if (hash == std::string::npos) return std::nullopt;
  const std::string digits = run.substr(hash + 1);
  if (digits.empty() || digits.size() > kMostDigits) return std::nullopt;
  if (digits.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  return std::stoll(digits);
}

// "; its folders that hold one: runs/a, runs/b": whoever names the folder of all runs means one of them.
std::string runs_below(const std::string& place) {
  constexpr std::size_t kMostTold = 6;
  const std::vector<std::string> inside = run_folders(place);
  if (inside.front() == place) return "";
  std::string text = "; its folders that hold one: ";
  for (std::size_t i = 0; i < std::min(inside.size(), kMostTold); ++i) text += (i == 0 ? "" : ", ") + inside[i];
  return inside.size() > kMostTold ? text + " and " + std::to_string(inside.size() - kMostTold) + " more" : text;
}

}  // namespace

std::string store_path(const std::string& run) {
  const fs::path path(run);
  if (fs::is_directory(path)) {
    if (fs::exists(path / kStoreName)) return (path / kStoreName).string();
    throw MissingInput(run + " holds no run: there is no " + kStoreName + " in it" + runs_below(run));
  }
  if (fs::exists(path)) return run;
  const std::string like = file_like(run);
  throw MissingInput("there is no run '" + run + "'" +
                     (like.empty() ? "; give a folder such as runs/NAME or a store file" : like));
}

std::vector<std::string> run_folders(const std::string& place) {
  std::vector<std::string> inside;
  if (fs::is_directory(place) && !fs::exists(fs::path(place) / kStoreName)) {
    for (const auto& entry : fs::directory_iterator(place)) {
      if (fs::exists(entry.path() / kStoreName)) inside.push_back(entry.path().string());
    }
  }
  std::sort(inside.begin(), inside.end());
  if (inside.empty()) inside.push_back(place);
  return inside;
}

RunChoice choose_run(const std::string& run) {
  const std::size_t hash = run.rfind('#');
  const std::optional<RunId> wanted = number_in(run, hash);
  const std::string place = store_path(wanted ? run.substr(0, hash) : run);
  RunChoice out{.store = RunStore(place, RunStore::Mode::kRead), .file = place};
  const std::vector<StoredRun> runs = out.store.runs();
  if (runs.empty()) throw MissingInput(place + ": holds no run yet");
  out.run = wanted.value_or(runs.back().id);
  const auto is_it = [&](const StoredRun& each) { return each.id == out.run; };
  if (std::none_of(runs.begin(), runs.end(), is_it)) {
    throw MissingInput(place + ": there is no run " + std::to_string(out.run) + "; it holds runs " +
                       std::to_string(runs.front().id) + " to " + std::to_string(runs.back().id));
  }
  return out;
}

RunResult results_of(const std::string& run) {
  const RunChoice choice = choose_run(run);
  return load_results(choice.store, choice.run);
}

}  // namespace fedstein
