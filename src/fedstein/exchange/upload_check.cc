// SPDX-License-Identifier: Apache-2.0
#include "fedstein/exchange/upload_check.h"

#include <algorithm>
#include <cmath>

#include "fedstein/base/text.h"
#include "fedstein/base/upper_median.h"
#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

std::string expected(const std::string& what, std::int64_t found, std::int64_t wanted) {
  return what + " " + std::to_string(found) + ", expected " + std::to_string(wanted);
}

// Three digits tell a person enough.
std::string rough(double value) {
  return digits_text(value, 3);
}

// A row longer than the bound, or one that holds a value without a length.
Suspicion norm_suspicion(const Belief& belief, double bound) {
  for (std::size_t i = 0; i < belief.size(); ++i) {
    const Matrix& matrix = belief[i];
    if (const Position at = first_non_finite(matrix); at.row >= 0) {
      return {"non-finite", "matrix " + std::to_string(i) + " is not finite in row " + std::to_string(at.row)};
    }
    for (Index row = 0; bound > 0 && row < matrix.rows(); ++row) {
      const double norm = matrix.row(row).cast<double>().norm();
      if (norm <= bound) continue;
      return {"norm",
              "row " + std::to_string(row) + " of matrix " + std::to_string(i) + " has norm " + to_text(norm) +
                  "; at most " + to_text(bound) + " is allowed"};
    }
  }
  return {};
}

}  // namespace

Suspicion suspicion_of(
    const Upload& upload, const Attempt& attempt, Index agent, const UploadLimits& limits, const ServerSide& server) {
  const auto* update = std::get_if<Update>(&upload.reply);
  const auto* failure = std::get_if<Failure>(&upload.reply);
  const Index round = update != nullptr ? update->round : failure->round;
  const Index author = update != nullptr ? update->agent : failure->agent;
  if (upload.token != attempt.token) return {"token", expected("token", upload.token, attempt.token)};
  if (round != attempt.round) return {"round", expected("round", round, attempt.round)};
  if (author != agent) return {"author", expected("agent", author, agent)};
  if (update == nullptr) return {};
  if (const std::int64_t bytes = payload_bytes(update->belief); limits.most_bytes > 0 && bytes > limits.most_bytes) {
    return {"size", std::to_string(bytes) + " bytes; at most " + std::to_string(limits.most_bytes) + " are allowed"};
  }
  const std::optional<Belief> decoded = server.decoded(*update);
  Suspicion norm = norm_suspicion(decoded ? *decoded : update->belief, limits.norm_bound);
  if (!norm.none()) return norm;
  if (std::string objection = server.objection(*update); !objection.empty()) return {"shape", std::move(objection)};
  return {};
}

std::vector<double> sizes_of(const Belief& belief) {
  std::vector<double> out;
  for (const Matrix& matrix : belief) {
    double largest = 0;
    for (Index row = 0; row < matrix.rows(); ++row) {
      largest = std::max(largest, matrix.row(row).cast<double>().norm());
    }
    out.push_back(largest);
  }
  return out;
}

Suspicion size_suspicion(const std::vector<double>& update,
                         const std::vector<double>& task,
                         const std::vector<std::vector<double>>& others,
                         double bound) {
  if (bound <= 0) return {};
  const double largest_of_task = task.empty() ? 1 : *std::max_element(task.begin(), task.end());
  for (std::size_t i = 0; i < update.size(); ++i) {
    const double of_task = std::max(1.0, i < task.size() ? task[i] : largest_of_task);
    std::vector<double> sent;
    for (const auto& sizes : others) {
      if (i < sizes.size() && sizes[i] > 0) sent.push_back(sizes[i]);  // who sends nothing sets no measure
    }
    const double allowed = sent.empty() ? bound * bound * of_task : bound * std::max(of_task, upper_median(sent));
    if (update[i] <= allowed) continue;
    return {"update",
            "matrix " + std::to_string(i) + " has a row of norm " + rough(update[i]) + ", where the belief has " +
                rough(of_task) + (sent.empty() ? "" : " and the other agents' median is " + rough(upper_median(sent))) +
                "; at most " + rough(allowed) + " is allowed (update_bound)"};
  }
  return {};
}

std::int64_t payload_cap(const Belief& belief) {
  constexpr std::int64_t kMostMatricesPerMatrix = 4;
  constexpr std::int64_t kRoomForSmallBeliefs = 4096;
  return kMostMatricesPerMatrix * payload_bytes(belief) + kRoomForSmallBeliefs;
}

}  // namespace fedstein
