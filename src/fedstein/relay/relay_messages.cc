// SPDX-License-Identifier: Apache-2.0
#include "fedstein/relay/relay_messages.h"

#include <cmath>
#include <utility>

#include "fedstein/exchange/printable.h"
#include "fedstein/relay/relay_parts.h"

namespace fedstein {
namespace {

using relayed::kMostNumber;

// The number is the protocol's version: another one is another owner, and refused by name.
constexpr const char* kToAgent = "relay to agent, 1";
constexpr const char* kToServer = "relay to server, 1";
constexpr std::int64_t kMostLetters = 16;
constexpr std::int64_t kMostReports = 16;
constexpr std::int64_t kMostEvaluations = 256;  // a server that was killed asks for those that it has lost
constexpr std::int64_t kMostBins = 10000;       // of a reliability diagram, as many as a configuration may ask for

void write_charter(ParcelWriter& writer, const Charter& charter) {
  writer.head().text(charter.run);
  writer.head().integer(charter.agent);
  writer.head().integer(charter.agents);
  writer.head().text(charter.document);
  writer.head().number(charter.heartbeat_seconds);
}

// What it means is for AgentRunner and the workshop to say.
Charter read_charter(ParcelReader& reader) {
  Charter out;
  out.run = reader.short_text("the run's name");
  out.agent = reader.integer("the agent's number", 0, kMostNumber);
  out.agents = reader.integer("the number of agents", 1, kMostNumber);
  out.document = reader.head().text();
  out.heartbeat_seconds = reader.head().number();
  return out;
}

void write_facts(ParcelWriter& writer, const AgentFacts& facts) {
  writer.head().text(facts.algorithm);
  writer.head().integer(facts.dimension);
  writer.head().integer(facts.rows);
  writer.head().integer(facts.features);
  writer.head().text(facts.statistics);
  writer.head().integer(facts.evaluates ? 1 : 0);
}

AgentFacts read_facts(ParcelReader& reader) {
  AgentFacts out;
  out.algorithm = reader.short_text("the algorithm's name");
  out.dimension = reader.integer("the number of parameters", 0, kMostNumber);
  out.rows = reader.integer("the number of rows", 0, kMostNumber);
  out.features = reader.integer("the number of features", 0, kMostNumber);
  out.statistics = reader.head().text();
  out.evaluates = reader.flag("whether the agent evaluates");
  return out;
}

void write_upload(ParcelWriter& writer, const Upload& upload) {
  writer.head().integer(upload.token);
  if (const auto* update = std::get_if<Update>(&upload.reply)) {
    writer.head().integer(1);
    writer.head().integer(update->round);
    return writer.belief(update->belief);
  }
  writer.head().integer(0);
  relayed::write(writer, std::get<Failure>(upload.reply));
}

Upload read_upload(ParcelReader& reader, Index agent) {
  Upload out;
  out.token = reader.integer("an upload's token", 0, kMostNumber);
  if (reader.flag("whether there is an update")) {
    const Index round = reader.integer("an update's round", 1, kMostNumber);
    out.reply = Update{round, agent, reader.belief()};
  } else {
    out.reply = relayed::read_failure(reader, agent, 1);
  }
  return out;
}

void write_report(ParcelWriter& writer, const EvaluationReport& report) {
  const EvaluationSums& sums = report.sums;
  writer.head().integer(report.round);
  writer.head().integer(sums.rows);
  writer.head().number(sums.log_likelihood);
  writer.head().integer(static_cast<std::int64_t>(sums.bins.size()));
  for (const ReliabilityBin& bin : sums.bins) {
    writer.head().integer(bin.count);
    writer.head().integer(bin.correct);
    writer.head().number(bin.confidence_sum);
  }
  writer.head().number(sums.brier);
  writer.head().number(sums.squared_error);
  writer.head().integer(sums.intervals);
  writer.head().integer(sums.covered);
}

// Whether the sums can be is the desk's to say, which knows what is learned.
EvaluationReport read_report(ParcelReader& reader) {
  EvaluationReport out{.round = reader.integer("an evaluated round", 0, kMostNumber)};
  EvaluationSums& sums = out.sums;
  sums.rows = reader.integer("the number of test rows", 0, kMostNumber);
  sums.log_likelihood = reader.head().number();
  const std::int64_t bins = reader.integer("the number of bins", 0, kMostBins);
  for (std::int64_t i = 0; i < bins; ++i) {
    ReliabilityBin bin;
    bin.count = reader.integer("a bin's count", 0, kMostNumber);
    bin.correct = reader.integer("a bin's right ones", 0, bin.count);
    bin.confidence_sum = reader.head().number();
    sums.bins.push_back(bin);
  }
  sums.brier = reader.head().number();
  sums.squared_error = reader.head().number();
  sums.intervals = reader.integer("the number of intervals", 0, sums.rows);
  sums.covered = reader.integer("the number of targets inside", 0, sums.intervals);
  return out;
}

}  // namespace

Parcel parcel_of(const RelayMessage& message) {
  ParcelWriter writer(kToAgent);
  writer.head().integer(message.serial);
  writer.head().integer(static_cast<std::int64_t>(message.instance));
  writer.head().integer(message.charter ? 1 : 0);
  if (message.charter) write_charter(writer, *message.charter);
  writer.head().integer(message.addressed ? 1 : 0);
  if (message.addressed) relayed::write(writer, *message.addressed);
  writer.head().integer(static_cast<std::int64_t>(message.letters.size()));
  for (const Letter& letter : message.letters) relayed::write(writer, letter);
  return std::move(writer).finish();
}

RelayMessage message_from(const Parcel& parcel) {
  ParcelReader reader(parcel, kToAgent);
  RelayMessage out;
  out.serial = reader.integer("the serial number", 1, kMostNumber);
  out.instance = static_cast<std::uint64_t>(reader.head().integer());
  if (reader.flag("whether there is a charter")) out.charter = read_charter(reader);
  if (reader.flag("whether a state is addressed")) out.addressed = relayed::read_hello(reader);
  const std::int64_t letters = reader.integer("the number of letters", 0, kMostLetters);
  if (letters > 0 && !(out.charter && out.addressed)) {
    throw BadState("relayed message: letters without a charter, or for no state");
  }
  for (std::int64_t i = 0; i < letters; ++i) {
    out.letters.push_back(relayed::read_letter(reader, out.charter->agent));
  }
  reader.finish();
  return out;
}

Parcel parcel_of(const RelayAnswer& answer) {
  ParcelWriter writer(kToServer);
  writer.head().integer(answer.serial);
  writer.head().text(answer.name);
  writer.head().integer(answer.busy ? 1 : 0);
  writer.head().text(printable(answer.trouble));
  writer.head().integer(answer.arrival ? 1 : 0);
  if (answer.arrival) {
    write_facts(writer, answer.arrival->facts);
    relayed::write(writer, answer.arrival->hello);
  }
  writer.head().integer(answer.upload ? 1 : 0);
  if (answer.upload) write_upload(writer, *answer.upload);
  writer.head().integer(static_cast<std::int64_t>(answer.failures.size()));
  for (const Failure& failure : answer.failures) relayed::write(writer, failure);
  writer.head().integer(static_cast<std::int64_t>(answer.evaluations.size()));
  for (const EvaluationReport& report : answer.evaluations) write_report(writer, report);
  writer.head().integer(answer.leaves ? 1 : 0);
  return std::move(writer).finish();
}

RelayAnswer answer_from(const Parcel& parcel, Index agent) {
  ParcelReader reader(parcel, kToServer);
  RelayAnswer out;
  out.serial = reader.integer("the serial number", 0, kMostNumber);
  out.name = reader.short_text("the agent's name");
  out.busy = reader.flag("whether the agent is busy");
  out.trouble = printable(reader.short_text("the agent's trouble"));
  if (reader.flag("whether there is a hello")) {
    out.arrival = RelayArrival{.facts = read_facts(reader), .hello = relayed::read_hello(reader)};
  }
  if (reader.flag("whether there is an upload")) out.upload = read_upload(reader, agent);
  if (out.upload && !out.arrival) throw BadState("relayed message: an upload without a hello");
  const std::int64_t failures = reader.integer("the number of failures", 0, kMostReports);
  for (std::int64_t i = 0; i < failures; ++i) out.failures.push_back(relayed::read_failure(reader, agent, 0));
  const std::int64_t evaluations = reader.integer("the number of evaluations", 0, kMostEvaluations);
  for (std::int64_t i = 0; i < evaluations; ++i) out.evaluations.push_back(read_report(reader));
  out.leaves = reader.flag("whether the agent leaves");
  reader.finish();
  return out;
}

}  // namespace fedstein
