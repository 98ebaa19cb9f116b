// SPDX-License-Identifier: Apache-2.0
#include "fedstein/federated/coordinator.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

// Sorts what arrived into updates to fold, one per task at most and by agent, and failures to record.
class Inbox {
 public:
  Inbox(const ServerSide& server, const std::vector<Task>& tasks, RoundRecord& record)
      : server_(server), record_(record) {
    for (const Task& task : tasks) waiting_.emplace(task.agent, task.round);
  }

  void take(Reply&& reply) {
    if (auto* failure = std::get_if<Failure>(&reply)) {
      const auto expected = waiting_.find(failure->agent);
      if (expected != waiting_.end() && expected->second == failure->round) waiting_.erase(expected);
      record_.failures.push_back(std::move(*failure));
      return;
    }
    auto& update = std::get<Update>(reply);
    record_.bytes_up += payload_bytes(update.belief);
    const auto expected = waiting_.find(update.agent);
    if (expected == waiting_.end() || expected->second != update.round) {
      return refuse(update,
                    "nobody waits for an update of agent " + std::to_string(update.agent) + ", round " +
                        std::to_string(update.round));
    }
    if (const std::string objection = server_.objection(update); !objection.empty()) {
      waiting_.erase(expected);
      return refuse(update, objection);
    }
    waiting_.erase(expected);
    updates_.push_back(std::move(update));
  }

  std::vector<Update> close() {
    for (const auto& [agent, round] : waiting_) {
      record_.failures.push_back({round, agent, Failure::Kind::kTimedOut, "no reply before the deadline"});
    }
    std::sort(updates_.begin(), updates_.end(), [](const Update& a, const Update& b) { return a.agent < b.agent; });
    return std::move(updates_);
  }

 private:
  void refuse(const Update& update, const std::string& reason) {
    record_.failures.push_back({update.round, update.agent, Failure::Kind::kRefused, reason});
  }

  const ServerSide& server_;
  RoundRecord& record_;
  std::map<Index, Index> waiting_;  // agent -> round of its task
  std::vector<Update> updates_;
};

// What the agents hear that worked for nothing: without it they would wait for a verdict for ever.
void add_refusals(const std::vector<Task>& tasks, std::vector<Verdict>& verdicts) {
  for (const Task& task : tasks) {
    const bool judged = std::any_of(
        verdicts.begin(), verdicts.end(), [&](const Verdict& verdict) { return verdict.agent == task.agent; });
    if (!judged) verdicts.push_back({task.round, task.agent, /*folded=*/false, /*weight=*/0});
  }
}

std::vector<Verdict> fold(ServerSide& server, std::vector<Update> updates, RoundRecord& record) {
  if (updates.empty()) return {};
  try {
    std::vector<Verdict> verdicts = server.fold(record.round, updates);
    for (const Verdict& verdict : verdicts) {
      if (verdict.folded) continue;
      record.failures.push_back(
          {record.round, verdict.agent, Failure::Kind::kRefused, server.why_left_out(verdict.agent)});
    }
    return verdicts;
  } catch (const Divergence& error) {
    for (const Update& update : updates) {
      record.failures.push_back({update.round, update.agent, Failure::Kind::kDiverged, error.what()});
    }
    return {};
  }
}

// Of the agents that were picked those that can take part. When none of them can, the next one by number that does: a
// round is not spent on an agent that has left for good.
std::vector<Index> those_able(std::vector<Index> picked, const std::optional<std::vector<Index>>& able) {
  if (!able) return picked;
  const Index first = picked.front();
  std::erase_if(picked, [&](Index agent) { return !std::binary_search(able->begin(), able->end(), agent); });
  if (!picked.empty()) return picked;
  const auto next = std::upper_bound(able->begin(), able->end(), first);
  return {next == able->end() ? able->front() : *next};
}

Clock::time_point deadline(std::chrono::duration<double> patience) {
  const auto now = Clock::now();
  const std::chrono::duration<double> longest = Clock::time_point::max() - now;
  return patience < longest ? now + std::chrono::duration_cast<Clock::duration>(patience) : Clock::time_point::max();
}

// One exchange; true when something was folded. Refusals go out with the last attempt only: until then a reply of an
// earlier attempt, the same to the bit, may still arrive and be folded.
bool attempt(
    ServerSide& server, Transport& transport, const CoordinatorOptions& options, bool is_last, RoundRecord& record) {
  const auto start = Clock::now();
  const double seconds_before = record.seconds;
  const std::vector<Task> tasks = server.plan(record.round, record.scheduled);
  for (const Task& task : tasks) record.bytes_down += payload_bytes(task.belief);

  Inbox inbox(server, tasks, record);
  for (Reply& reply : transport.exchange(tasks, deadline(options.patience))) inbox.take(std::move(reply));
  std::vector<Verdict> verdicts = fold(server, inbox.close(), record);
  for (const Verdict& verdict : verdicts) {
    if (verdict.folded) record.folded.push_back(verdict.agent);
  }
  if (is_last || !record.folded.empty()) add_refusals(tasks, verdicts);
  record.seconds = seconds_before + std::chrono::duration<double>(Clock::now() - start).count();
  record.spread = particle_spread(server.particles());
  if (!record.folded.empty()) record.figures = server.figures();
  for (Failure& failure : transport.settle(verdicts, record)) record.failures.push_back(std::move(failure));
  return !record.folded.empty();
}

}  // namespace

double particle_spread(const Particles& particles) {
  const DoubleMatrix values = particles.cast<double>();
  const DoubleMatrix centred = values.rowwise() - values.colwise().mean();
  return std::sqrt(centred.squaredNorm() / static_cast<double>(values.size()));
}

Index coordinate(ServerSide& server,
                 const Scheduler& scheduler,
                 Transport& transport,
                 Observer& observer,
                 const CoordinatorOptions& options) {
  for (Index round = options.first_round; round <= options.rounds; ++round) {
    RoundRecord record;
    record.round = round;
    record.scheduled = those_able(scheduler.pick(round), transport.able());
    for (int tries = 0; tries <= options.retries; ++tries) {
      if (attempt(server, transport, options, tries == options.retries, record)) break;
    }
    if (observer.on_round(record, server.particles()) == Next::kStop) return round;
  }
  return options.rounds;
}

}  // namespace fedstein
