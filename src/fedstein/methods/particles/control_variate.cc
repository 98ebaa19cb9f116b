// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/particles/control_variate.h"

#include <utility>

namespace fedstein {

const Matrix& ControlVariate::at(const Task& task) const {
  if (pending_.round() == task.round) return pending_.values().front();  // asked again
  const bool taken_back = task.verdict && task.verdict->round == round_ && !task.verdict->folded;
  return taken_back ? previous_ : current_;
}

void ControlVariate::wait(const Task& task) {
  pending_.wait(task.round, {at(task)});
}

void ControlVariate::settle(const Verdict& verdict, const Matrix& change) {
  auto base = pending_.settle(verdict);
  if (!base || verdict.weight == 0) return;
  round_ = verdict.round;
  previous_ = std::move(base->front());
  current_ = previous_ + change;
}

void ControlVariate::write(StateWriter& writer) const {
  writer.integer(round_);
  writer.matrix(current_);
  writer.matrix(previous_);
  pending_.write(writer);
}

ControlVariate ControlVariate::read(StateReader& reader) const {
  ControlVariate found = *this;
  found.round_ = reader.integer();
  found.current_ = reader.matrix();
  found.previous_ = reader.matrix();
  found.pending_ = PendingUpdate::read(reader);
  if (found.round_ < 0 || found.pending_.values().size() > 1) {
    throw BadState("saved state: a control variate of round " + std::to_string(found.round_));
  }
  expect_shape(found.current_, current_.rows(), current_.cols());
  expect_shape(found.previous_, current_.rows(), current_.cols());
  for (const Matrix& value : found.pending_.values()) expect_shape(value, current_.rows(), current_.cols());
  return found;
}

}  // namespace fedstein
