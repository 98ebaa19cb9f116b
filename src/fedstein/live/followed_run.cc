// SPDX-License-Identifier: Apache-2.0
#include "fedstein/live/followed_run.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "fedstein/base/text.h"
#include "fedstein/config/parse.h"
#include "fedstein/live/federation_parts.h"
#include "fedstein/serving/federation_server.h"
#include "fedstein/store/run_lock.h"

namespace fedstein {
namespace {

using Json = nlohmann::json;

// Agents' evaluations of a round come after it was written: how many rounds back they are looked for.
constexpr Index kRoundsThatGrow = 32;

const StoredRun* find_run(const std::vector<StoredRun>& runs, RunId id) {
  const auto found = std::find_if(runs.begin(), runs.end(), [&](const StoredRun& one) { return one.id == id; });
  return found == runs.end() ? nullptr : &*found;
}

// Nothing where the job is no networked federation's.
std::vector<std::string> agent_names(const RunStore& store, JobId job) {
  const std::map<std::string, std::string> details = store.details(job);
  const auto found = details.find(kAgentNamesDetail);
  if (found == details.end() || json_nesting(found->second) > kMostJsonNesting) return {};
  const Json names = Json::parse(found->second, nullptr, /*allow_exceptions=*/false);
  std::vector<std::string> out;
  if (!names.is_array()) return out;
  for (const Json& name : names) {
    if (name.is_string()) out.push_back(name.get<std::string>());
  }
  return out;
}

// Whether its writer is at work: a run's process holds the run, a server its journal.
bool is_written(const std::string& store, RunId run) {
  const std::string folder = std::filesystem::path(store).parent_path().string();
  return RunLock::is_held(store, run) || FileLock::is_held(journal_file(folder.empty() ? "." : folder), 0);
}

}  // namespace

FollowedRun::FollowedRun(const std::string& run) : FollowedRun(choose_run(run), run.find('#') == std::string::npos) {}

FollowedRun::FollowedRun(RunChoice choice, bool newest)
    : file_(std::move(choice.file)), store_(std::move(choice.store)), newest_(newest) {
  begin(*find_run(store_.runs(), choice.run));
}

void FollowedRun::begin(const StoredRun& run) {
  const ParseOptions how{.check_data = false, .refuse_idle_keys = false, .preset = "paper"};  // as load_results
  const Plan plan = parse_plan(run.facts.document, "stored configuration", how);
  const std::vector<StoredJob> jobs = store_.jobs(run.id);
  std::vector<std::string> names;
  if (jobs.size() == 1) names = agent_names(store_, jobs.front().id);
  live_ = std::make_unique<LiveRun>(
      names.empty() ? LiveKind::kRun : LiveKind::kFederation, plan, store_, run.id, LiveStart::kLastRound);
  agents_ = names.empty() ? nullptr : std::make_unique<AgentsOfRounds>(names);
  run_ = run;
  state_ = "running";
  jobs_.clear();
  for (const StoredJob& job : jobs) {
    label_ = job.facts.algorithm;
    rounds_ = job.facts.rounds;
    Job one{.id = job.id, .status = job.status};
    for (const StoredReliability& bins : store_.reliability(job.id)) one.bins_round = bins.round;
    for (const RoundRecord& record : store_.rounds(job.id)) {
      remember(one, record);
      if (agents_) agents_->note(record);
    }
    jobs_.push_back(std::move(one));
  }
}

void FollowedRun::remember(Job& job, const RoundRecord& record) {
  job.told = std::max(job.told, record.round);
  job.figures[record.round] = record.figures;
  job.figures.erase(job.figures.begin(), job.figures.lower_bound(job.told - kRoundsThatGrow));
}

void FollowedRun::catch_up(Job& job) {
  for (const RoundRecord& record : store_.rounds(job.id, job.told - kRoundsThatGrow)) {
    const auto before = job.figures.find(record.round);
    if (record.round > job.told) {
      live_->wrote_round(job.id, record);
      if (agents_) agents_->note(record);
    } else if (before == job.figures.end() || before->second != record.figures) {
      live_->wrote_figures(job.id, record.round, record.figures);
    }
    remember(job, record);
  }
  for (const StoredReliability& one : store_.reliability(job.id)) {
    if (one.round > job.bins_round) live_->wrote_reliability(job.id, one.round, one.bins);
    job.bins_round = std::max(job.bins_round, one.round);
  }
}

void FollowedRun::catch_up() {
  const std::vector<StoredRun> runs = store_.runs();
  const StoredRun* run = newest_ && !runs.empty() ? &runs.back() : find_run(runs, run_.id);
  if (run == nullptr) return;
  if (run->id != run_.id) begin(*run);
  run_ = *run;
  const std::vector<StoredJob> jobs = store_.jobs(run_.id);
  for (std::size_t i = 0; i < std::min(jobs.size(), jobs_.size()); ++i) {
    Job& job = jobs_[i];
    // Agents of a federation evaluate its last round when the job is done.
    if (job.status != JobStatus::kWaiting && !agents_) continue;
    catch_up(job);
    if (job.status == jobs[i].status) continue;
    job.status = jobs[i].status;
    live_->finished_job(job.id, jobs[i].error);
  }
  writer_ = is_written(file_, run_.id);
  const std::string state = !run_.finished.empty() ? "finished" : writer_ ? "running" : "stopped";
  if (state != std::exchange(state_, state)) live_->end(state);
}

// What was read before a file was damaged or replaced is shown, with the reason why nothing follows.
std::string FollowedRun::read_on() {
  try {
    catch_up();
    return {};
  } catch (const std::exception& error) {
    if (std::exchange(state_, "stopped") != "stopped") live_->end(state_);
    return error.what();
  }
}

void FollowedRun::show(Board::Parts& parts) {
  const std::lock_guard lock(mutex_);
  const std::string problem = read_on();
  live_->show(parts);
  if (!problem.empty()) parts["trouble"] = Json(problem).dump(-1, ' ', false, Json::error_handler_t::replace);
  if (!agents_) return;
  FederationFacts facts{.rounds = rounds_, .label = label_};
  if (problem.empty() && run_.finished.empty() && !writer_) {
    facts.troubles.emplace_back("the server of this federation is not running now");
  }
  show_federation(parts, facts, agents_->status(!run_.finished.empty()));
}

LiveRun::Totals FollowedRun::totals() {
  const std::lock_guard lock(mutex_);
  read_on();
  return live_->totals();
}

std::string FollowedRun::name() {
  const std::lock_guard lock(mutex_);
  return live_->name();
}

}  // namespace fedstein
