// SPDX-License-Identifier: Apache-2.0
// The run and its jobs as parts of the board.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "fedstein/live/live_run.h"
#include "fedstein/report/rounded.h"

namespace fedstein {
namespace {

using Json = nlohmann::json;

std::string line_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json left_json(double seconds) {
  return seconds < 0 ? Json() : Json(std::llround(seconds));
}

Json case_json(const CasePlan& one) {
  Json coordinates = Json::array();
  for (const auto& [name, value] : one.coordinates) coordinates.push_back({name, value});
  return {{"name", one.name},
          {"coordinates", coordinates},
          {"agents", std::max<Index>(1, one.partition.agents)},
          {"dataset", one.dataset.name},
          {"model", one.model.type}};
}

}  // namespace

void LiveRun::show_run(Board::Parts& parts) const {
  const Totals totals = totals_now();
  const RunFacts& facts = stored_.facts;
  parts["run"] = line_of({{"kind", kind_ == LiveKind::kRun ? "run" : "federation"},
                          {"name", facts.name},
                          {"title", facts.title},
                          {"started", stored_.started},
                          {"version", facts.version},
                          {"command", facts.command},
                          {"trials", plan_.trials}});
  parts["progress"] = line_of({{"state", totals.state},
                               {"jobs", totals.jobs},
                               {"jobs_done", totals.jobs_done},
                               {"jobs_failed", totals.jobs_failed},
                               {"rounds", totals.rounds},
                               {"rounds_done", totals.rounds_done},
                               {"bytes_up", std::llround(totals.bytes_up)},
                               {"bytes_down", std::llround(totals.bytes_down)},
                               {"seconds_left", left_json(totals.seconds_left)}});
  Json cases = Json::array();
  for (const CasePlan& one : plan_.cases) cases.push_back(case_json(one));
  parts["cases"] = line_of(cases);
  Json figures = Json::array();
  for (const FigurePlan& figure : plan_.figures) {
    figures.push_back({{"kind", figure.kind}, {"title", figure.title}, {"metric", figure.metric}, {"x", figure.x}});
  }
  parts["figures"] = line_of(figures);
}

// One letter a trial: w(aiting), r(unning), d(one), f(ailed).
void LiveRun::show_jobs(Board::Parts& parts, std::size_t index) const {
  constexpr std::size_t kMostTold = 20;  // of trials at work, and of errors
  std::string states;
  Json at_work = Json::array();
  Json errors = Json::array();
  Json lost = Json::array();
  const auto now = Clock::now();
  for (const std::size_t at : series_[index].jobs) {
    const LiveJob& job = jobs_[at];
    const bool waits = job.status == JobStatus::kWaiting;
    states += job.status == JobStatus::kDone ? 'd' : job.status == JobStatus::kFailed ? 'f' : job.runs ? 'r' : 'w';
    if (waits && job.runs && at_work.size() < kMostTold) {
      at_work.push_back({job.trial, job.round, job.rounds, left_json(seconds_left(job, now))});
    }
    if (job.lost > 0 && lost.size() < kMostTold) lost.push_back({job.trial, job.lost, job.loss});
    if (!job.error.empty() && errors.size() < kMostTold) errors.push_back({job.trial, job.error});
  }
  parts["jobs." + std::to_string(index)] =
      line_of({{"states", states}, {"at_work", at_work}, {"errors", errors}, {"lost", lost}});
}

}  // namespace fedstein
