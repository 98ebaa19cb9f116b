// SPDX-License-Identifier: Apache-2.0
// What the server of c-dsvgd makes of its agents' reports, and what it says itself.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "fedstein/methods/c_dsvgd.h"
#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

constexpr double kLargestRoot = 1e15;  // the square of a larger one may overflow

}  // namespace

std::string CDsvgdServer::objection(const Update& update) const {
  const auto agents = static_cast<Index>(rows_.size());
  if (update.agent < 0 || update.agent >= agents) {
    return "agent " + std::to_string(update.agent) + " is not one of the " + std::to_string(agents);
  }
  if (std::string found = objection_to(update, {now_.z, now_.c, Matrix::Zero(1, 2), now_.mean_square}); !found.empty())
    return found;
  const Real overflow = update.belief[2](0, 1);
  if (overflow != 0 && overflow != 1 && overflow != 2)
    return "its report of an overflow is " + to_text(overflow) + "; allowed: 0, 1, 2";
  const Matrix& roots = update.belief[3];
  if (roots.minCoeff() < 0 || static_cast<double>(roots.maxCoeff()) > kLargestRoot) {
    return "a root mean square of its scores is " +
           to_text(roots.minCoeff() < 0 ? roots.minCoeff() : roots.maxCoeff()) + "; allowed: from 0 to " +
           to_text(kLargestRoot);
  }
  return {};
}

std::vector<BeliefReport> CDsvgdServer::reports_of(const std::vector<Update>& updates) const {
  const auto n = static_cast<double>(std::max(Index{1}, std::accumulate(rows_.begin(), rows_.end(), Index{0})));
  const double prior = options_.prior ? model_->prior_log_density(now_.z).mean() / n : 0;
  std::vector<BeliefReport> reports;
  for (const Update& update : updates) {
    const Matrix& report = update.belief[2];
    reports.push_back({.agent = update.agent,
                       .weight = share_of(update.agent),
                       .likelihood = static_cast<double>(report(0, 0)),
                       .prior = std::isfinite(prior) ? prior : 0,
                       .overflow = static_cast<BeliefReport::Overflow>(static_cast<int>(report(0, 1)))});
  }
  return reports;
}

std::string CDsvgdServer::remedy() {
  return "scale the features (scaling = \"standardise\") or start nearer to zero (start = \"near-zero\")";
}

void CDsvgdServer::check_hope(const ReportWatch::Sifted& sifted, const StepControl& control) const {
  if (!sifted.common_overflow) return;
  const bool of_start = !before_ && std::any_of(sifted.followed.begin(), sifted.followed.end(), [](const auto& report) {
    return report.overflow == BeliefReport::Overflow::kOfBelief;
  });
  if (!of_start && !control.is_exhausted()) return;
  const std::string what = of_start ? "the likelihood of the first particles is not finite"
                                    : "the local steps leave the finite numbers however short they are";
  throw Divergence("c-dsvgd: " + what + ", say agents with most of the rows; " + remedy());
}

std::map<std::string, double> CDsvgdServer::figures() const {
  if (!options_.controlled) return {};
  std::map<std::string, double> out{{"step", control_.step()}, {"undone", undone_ ? 1 : 0}};
  if (options_.steered && before_) out["difference"] = difference_;
  if (!left_out_.empty()) out["left_out"] = static_cast<double>(left_out_.size());
  return out;
}

std::string CDsvgdServer::why_left_out(Index agent) const {
  if (std::find(left_out_.begin(), left_out_.end(), agent) == left_out_.end()) return ServerSide::why_left_out(agent);
  return "the server left its update out: it reports an overflow again and again, and most others do not";
}

}  // namespace fedstein
