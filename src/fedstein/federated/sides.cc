// SPDX-License-Identifier: Apache-2.0
#include "fedstein/federated/sides.h"

#include "fedstein/numeric/check.h"

namespace fedstein {

std::string ServerSide::answer_objection(const Update& update, const Task& /*task*/) const {
  return objection(update);
}

std::optional<Belief> ServerSide::decoded(const Update& /*update*/) const {
  return std::nullopt;
}

std::string ServerSide::why_left_out(Index /*agent*/) const {
  return "the server left its update out";
}

DoubleVector ServerSide::log_density(const ConstMatrixRef& /*theta*/) const {
  return {};
}

const Matrix& sent_part(const Update& as_sent, std::size_t part, const Matrix& computed) {
  check_argument(part < as_sent.belief.size(), "settle", [&] {
    return "what was sent has " + std::to_string(as_sent.belief.size()) + " matrices, but matrix " +
           std::to_string(part) + " was folded";
  });
  const Matrix& sent = as_sent.belief[part];
  check_argument(sent.rows() == computed.rows() && sent.cols() == computed.cols(), "settle", [&] {
    return "what was sent is " + shape_of(sent) + ", expected " + shape_of(computed);
  });
  if (first_non_finite(sent).row >= 0) throw Divergence("settle: what was sent is not finite");
  return sent;
}

std::string objection_to(const Update& update, const Belief& expected) {
  if (update.belief.size() != expected.size()) {
    return std::to_string(update.belief.size()) + " matrices, expected " + std::to_string(expected.size());
  }
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Matrix& found = update.belief[i];
    if (found.rows() != expected[i].rows() || found.cols() != expected[i].cols()) {
      return "matrix " + std::to_string(i) + " is " + shape_of(found) + ", expected " + shape_of(expected[i]);
    }
    const Position at = first_non_finite(found);
    if (at.row >= 0) {
      return "matrix " + std::to_string(i) + " holds " + to_text(static_cast<double>(found(at.row, at.column))) +
             " in row " + std::to_string(at.row) + ", column " + std::to_string(at.column);
    }
  }
  return {};
}

}  // namespace fedstein
