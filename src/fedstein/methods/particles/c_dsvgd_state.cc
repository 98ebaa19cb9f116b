// SPDX-License-Identifier: Apache-2.0
// Saving and restoring of c-dsvgd; the algorithm itself is in c_dsvgd_agent.cc and c_dsvgd_server.cc.
#include <algorithm>
#include <cmath>

#include "fedstein/methods/c_dsvgd.h"
#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

constexpr const char* kCDsvgdAgent = "c-dsvgd agent";
constexpr const char* kCDsvgdServer = "c-dsvgd server";

}  // namespace

std::string CDsvgdAgent::save() const {
  StateWriter writer(kCDsvgdAgent);
  if (options_.variates) variate_.write(writer);
  return std::move(writer).finish();
}

void CDsvgdAgent::restore(const std::string& bytes) {
  StateReader reader(bytes, kCDsvgdAgent);
  ControlVariate variate = options_.variates ? variate_.read(reader) : variate_;
  reader.finish();
  variate_ = std::move(variate);
}

std::string CDsvgdServer::save() const {
  StateWriter writer(kCDsvgdServer);
  const auto write = [&](const State& state) {
    writer.matrix(state.z);
    writer.matrix(state.mean);
    writer.matrix(state.c);
    writer.matrix(state.direction);
    writer.matrix(state.mean_square);
    writer.number(state.squares_weight);
  };
  writer.integer(version_);
  write(now_);
  writer.matrix(velocity_);
  writer.number(difference_);
  writer.integer(before_ ? 1 : 0);
  if (before_) write(*before_);
  for (const Known& known : known_) {
    writer.integer(known.uploads);
    writer.integer(known.last);
    writer.integer(known.taken_back ? 1 : 0);
  }
  writer.integer(static_cast<std::int64_t>(folded_.size()));
  for (const Index agent : folded_) writer.integer(agent);
  control_.write(writer);
  watch_.write(writer);
  return std::move(writer).finish();
}

CDsvgdServer::State CDsvgdServer::read_state(StateReader& reader) const {
  State state{.z = reader.matrix(),
              .mean = reader.matrix(),
              .c = reader.matrix(),
              .direction = reader.matrix(),
              .mean_square = reader.matrix()};
  state.squares_weight = reader.number();
  expect_shape(state.z, now_.z.rows(), now_.z.cols());
  expect_shape(state.mean, now_.z.rows(), now_.z.cols());
  expect_shape(state.c, now_.z.rows(), now_.z.cols());
  expect_shape(state.direction, now_.z.rows(), now_.z.cols());
  expect_shape(state.mean_square, 1, now_.z.cols());
  if (!(state.squares_weight >= 0 && state.squares_weight <= 1) || state.mean_square.minCoeff() < 0) {
    throw BadState("saved state: mean squares that no round could have left");
  }
  return state;
}

void CDsvgdServer::restore(const std::string& bytes) {
  StateReader reader(bytes, kCDsvgdServer);
  const Index version = reader.integer();
  State now = read_state(reader);
  Matrix velocity = reader.matrix();
  const double difference = reader.number();
  expect_shape(velocity, now_.z.rows(), now_.z.cols());
  std::optional<State> before;
  if (reader.integer() != 0) before = read_state(reader);
  std::vector<Known> known(known_.size());
  bool sound = version >= 0 && difference >= 0 && std::isfinite(difference);
  for (Known& agent : known) {
    agent.uploads = reader.integer();
    agent.last = reader.integer();
    agent.taken_back = reader.integer() != 0;
    sound = sound && agent.uploads >= 0 && agent.last >= 0;
  }
  const auto agents = static_cast<Index>(known_.size());
  const std::int64_t count = reader.integer();
  sound = sound && count >= 0 && count <= agents;
  std::vector<Index> folded;
  for (std::int64_t i = 0; sound && i < count; ++i) {
    folded.push_back(reader.integer());
    sound = folded.back() >= 0 && folded.back() < agents;
  }
  if (!sound) throw BadState("saved state: agents that no round could have left");
  StepControl control = control_.read(reader);
  ReportWatch watch = watch_.read(reader);
  reader.finish();

  version_ = version;
  now_ = std::move(now);
  velocity_ = std::move(velocity);
  difference_ = difference;
  before_ = std::move(before);
  known_ = std::move(known);
  folded_ = std::move(folded);
  control_ = std::move(control);
  watch_ = std::move(watch);
}

}  // namespace fedstein
