// SPDX-License-Identifier: Apache-2.0
#include "fedstein/federated/message_bytes.h"

#include <cmath>
#include <utility>

#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

constexpr const char* kTask = "task";
constexpr const char* kUpdate = "update";
constexpr const char* kVerdict = "verdict";
constexpr const char* kReply = "reply";
constexpr std::int64_t kLastKind = static_cast<std::int64_t>(Failure::Kind::kBroken);

// Rounds begin at 1, agents and versions at 0.
Index read_number(StateReader& reader, const char* message, const char* name, Index least) {
  const Index value = reader.integer();
  if (value < least) {
    throw BadState(std::string(message) + ": " + name + " is " + std::to_string(value) + "; it must be at least " +
                   std::to_string(least));
  }
  return value;
}

// Rows without columns take no bytes: a short message could claim more of them than can be looked at one by one.
Belief read_belief(StateReader& reader, const char* message) {
  Belief belief = reader.matrices();
  for (const Matrix& part : belief) {
    if (part.rows() > 0 && part.cols() == 0) {
      throw BadState(std::string(message) + ": a matrix of " + std::to_string(part.rows()) + " rows without columns");
    }
  }
  return belief;
}

void write_verdict(StateWriter& writer, const Verdict& verdict) {
  writer.integer(verdict.round);
  writer.integer(verdict.agent);
  writer.integer(verdict.folded ? 1 : 0);
  writer.number(verdict.weight);
}

Verdict read_verdict(StateReader& reader, const char* message) {
  Verdict verdict;
  verdict.round = read_number(reader, message, "the verdict's round", 1);
  verdict.agent = read_number(reader, message, "the verdict's agent", 0);
  const std::int64_t folded = reader.integer();
  if (folded != 0 && folded != 1) {
    throw BadState(std::string(message) + ": folded is " + std::to_string(folded) + "; it must be 0 or 1");
  }
  verdict.folded = folded == 1;
  verdict.weight = reader.number();
  if (!std::isfinite(verdict.weight)) {
    throw BadState(std::string(message) + ": the verdict's weight is " + to_text(verdict.weight));
  }
  return verdict;
}

}  // namespace

std::string bytes_of(const Task& task) {
  StateWriter writer(kTask);
  writer.integer(task.round);
  writer.integer(task.agent);
  writer.integer(task.version);
  writer.matrices(task.belief);
  writer.integer(task.verdict ? 1 : 0);
  if (task.verdict) write_verdict(writer, *task.verdict);
  return std::move(writer).finish();
}

Task task_from(std::string_view bytes) {
  StateReader reader(bytes, kTask, kTask);
  Task task;
  task.round = read_number(reader, kTask, "round", 1);
  task.agent = read_number(reader, kTask, "agent", 0);
  task.version = read_number(reader, kTask, "version", 0);
  task.belief = read_belief(reader, kTask);
  const std::int64_t judged = reader.integer();
  if (judged != 0 && judged != 1) {
    throw BadState("task: " + std::to_string(judged) + " verdicts; there must be 0 or 1");
  }
  if (judged == 1) {
    task.verdict = read_verdict(reader, kTask);
    if (task.verdict->agent != task.agent || task.verdict->round >= task.round) {
      throw BadState("task: the verdict is not on an earlier round of this agent");
    }
  }
  reader.finish();
  return task;
}

std::string bytes_of(const Update& update) {
  StateWriter writer(kUpdate);
  writer.integer(update.round);
  writer.integer(update.agent);
  writer.matrices(update.belief);
  return std::move(writer).finish();
}

Update update_from(std::string_view bytes) {
  StateReader reader(bytes, kUpdate, kUpdate);
  Update update;
  update.round = read_number(reader, kUpdate, "round", 1);
  update.agent = read_number(reader, kUpdate, "agent", 0);
  update.belief = read_belief(reader, kUpdate);
  reader.finish();
  return update;
}

std::string bytes_of(const Verdict& verdict) {
  StateWriter writer(kVerdict);
  write_verdict(writer, verdict);
  return std::move(writer).finish();
}

Verdict verdict_from(std::string_view bytes) {
  StateReader reader(bytes, kVerdict, kVerdict);
  const Verdict verdict = read_verdict(reader, kVerdict);
  reader.finish();
  return verdict;
}

void write_reply(StateWriter& writer, const Reply& reply) {
  if (const auto* update = std::get_if<Update>(&reply)) {
    writer.integer(1);
    writer.integer(update->round);
    writer.integer(update->agent);
    writer.matrices(update->belief);
  } else {
    const auto& failure = std::get<Failure>(reply);
    writer.integer(0);
    writer.integer(failure.round);
    writer.integer(failure.agent);
    writer.integer(static_cast<std::int64_t>(failure.kind));
    writer.text(failure.reason);
  }
}

Reply read_reply(StateReader& reader) {
  const std::int64_t is_update = reader.integer();
  if (is_update != 0 && is_update != 1) {
    throw BadState("reply: " + std::to_string(is_update) + " is neither an update (1) nor a failure (0)");
  }
  const Index round = read_number(reader, kReply, "round", 1);
  const Index agent = read_number(reader, kReply, "agent", 0);
  if (is_update == 1) return Update{round, agent, read_belief(reader, kReply)};
  const std::int64_t kind = reader.integer();
  if (kind < 0 || kind > kLastKind) {
    throw BadState("saved state: " + std::to_string(kind) + " is not a kind of failure; 0 to " +
                   std::to_string(kLastKind) + " are");
  }
  return Failure{round, agent, static_cast<Failure::Kind>(kind), reader.text()};
}

std::string bytes_of(const Reply& reply) {
  StateWriter writer(kReply);
  write_reply(writer, reply);
  return std::move(writer).finish();
}

Reply reply_from(std::string_view bytes) {
  StateReader reader(bytes, kReply);
  Reply reply = read_reply(reader);
  reader.finish();
  return reply;
}

}  // namespace fedstein
