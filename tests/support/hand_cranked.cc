// SPDX-License-Identifier: Apache-2.0
#include "support/hand_cranked.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace fedstein {
namespace {

using Mishap = HandCrankedTransport::Mishap;

Update& update_in(Reply& reply) {
  return std::get<Update>(reply);
}

// What arrives now of a reply that meets a mishap; what arrives later goes into `delayed`.
std::vector<Reply> after(Mishap mishap, Reply reply, std::vector<Reply>& delayed) {
  switch (mishap) {
    case Mishap::kDropTask:
    case Mishap::kDropReply:
      return {};
    case Mishap::kDelay:
      delayed.push_back(std::move(reply));
      return {};
    case Mishap::kDuplicate:
      delayed.push_back(reply);
      return {reply, reply};
    case Mishap::kFail:
      return {Failure{update_in(reply).round, update_in(reply).agent, Failure::Kind::kBroken, "arranged"}};
    case Mishap::kNonFinite:
      update_in(reply).belief.front()(0, 0) = std::numeric_limits<Real>::quiet_NaN();
      return {reply};
    case Mishap::kMisshapen: {
      Matrix& first = update_in(reply).belief.front();
      first = Matrix(first.topRows(first.rows() - 1));
      return {reply};
    }
    case Mishap::kWrongRound:
      ++update_in(reply).round;
      return {reply};
    case Mishap::kStranger:
      update_in(reply).agent = std::numeric_limits<Index>::max();
      return {reply};
  }
  return {};
}

}  // namespace

std::vector<Reply> HandCrankedTransport::exchange(const std::vector<Task>& tasks, Clock::time_point /*deadline*/) {
  std::vector<Reply> arriving = std::exchange(delayed_, {});
  for (const Task& task : tasks) {
    std::optional<Mishap> mishap;
    if (auto& waiting = script_[{task.round, task.agent}]; !waiting.empty()) {
      mishap = waiting.front();
      waiting.erase(waiting.begin());
    }
    if (mishap == Mishap::kDropTask) continue;
    Reply reply = reply_of(*agents_[static_cast<std::size_t>(task.agent)], task);
    sent_.remember(reply);
    if (!mishap || !std::holds_alternative<Update>(reply)) {
      arriving.push_back(std::move(reply));
      continue;
    }
    for (Reply& arrived : after(*mishap, std::move(reply), delayed_)) arriving.push_back(std::move(arrived));
  }
  if (!tasks.empty() && reversed_.contains(tasks.front().round)) std::reverse(arriving.begin(), arriving.end());
  return arriving;
}

std::vector<Failure> HandCrankedTransport::settle(const std::vector<Verdict>& verdicts, const RoundRecord& /*record*/) {
  std::vector<Failure> failures;
  for (const Verdict& verdict : verdicts) {
    auto failure = settle_with(*agents_[static_cast<std::size_t>(verdict.agent)], verdict, sent_.take(verdict));
    if (failure) failures.push_back(std::move(*failure));
  }
  return failures;
}

}  // namespace fedstein
