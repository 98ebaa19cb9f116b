// SPDX-License-Identifier: Apache-2.0
#include "fedstein/relay/relay_parts.h"

#include <cmath>
#include <utility>

#include "fedstein/exchange/printable.h"

namespace fedstein::relayed {

void write(ParcelWriter& writer, const Attempt& attempt) {
  writer.head().integer(attempt.round);
  writer.head().integer(attempt.token);
}

Attempt read_attempt(ParcelReader& reader) {
  Attempt out;
  out.round = reader.integer("a round", 0, kMostNumber);
  out.token = reader.integer("a token", 0, kMostNumber);
  return out;
}

void write(ParcelWriter& writer, const Hello& hello) {
  writer.head().text(hello.run);
  writer.head().integer(hello.settled);
  writer.head().integer(hello.in_hand ? 1 : 0);
  if (hello.in_hand) write(writer, *hello.in_hand);
  writer.head().integer(hello.forgets ? 1 : 0);
}

Hello read_hello(ParcelReader& reader) {
  Hello out;
  out.run = reader.short_text("the run's name");
  out.settled = reader.integer("the settled round", 0, kMostNumber);
  if (reader.flag("whether an attempt is in hand")) out.in_hand = read_attempt(reader);
  out.forgets = reader.flag("whether the factor is given up");
  return out;
}

void write(ParcelWriter& writer, const Failure& failure) {
  writer.head().integer(failure.round);
  writer.head().integer(static_cast<std::int64_t>(failure.kind));
  writer.head().text(printable(failure.reason));
}

Failure read_failure(ParcelReader& reader, Index agent, Index least_round) {
  Failure out{reader.integer("a failure's round", least_round, kMostNumber), agent, Failure::Kind::kLost, {}};
  out.kind = static_cast<Failure::Kind>(
      reader.integer("a kind of failure", 0, static_cast<std::int64_t>(Failure::Kind::kBroken)));
  out.reason = printable(reader.short_text("a failure's reason"));
  return out;
}

namespace {

enum class LetterKind : std::int64_t { kBeginning, kNotice, kOffer, kFarewell, kBeatRequest };

void tag(ParcelWriter& writer, LetterKind kind) {
  writer.head().integer(static_cast<std::int64_t>(kind));
}

void put(ParcelWriter& writer, const Beginning& beginning) {
  tag(writer, LetterKind::kBeginning);
  writer.head().integer(beginning.agents);
  writer.head().integer(beginning.total_rows);
  writer.head().text(beginning.statistics);
  writer.head().integer(beginning.last_folded);
  writer.head().integer(beginning.evaluations_from);
}

void put(ParcelWriter& writer, const Notice& notice) {
  tag(writer, LetterKind::kNotice);
  write(writer, notice.attempt);
  writer.head().integer(static_cast<std::int64_t>(notice.standing.kind));
  writer.head().number(notice.standing.weight);
  writer.head().text(printable(notice.standing.reason));
}

void put(ParcelWriter& writer, const Offer& offer) {
  tag(writer, LetterKind::kOffer);
  write(writer, Attempt{offer.task.round, offer.token});
  writer.head().integer(offer.task.version);
  writer.belief(offer.task.belief);
  writer.belief(offer.predicting.size() > 0 ? Belief{offer.predicting} : Belief{});
  writer.head().integer(offer.task.verdict ? 1 : 0);
  if (!offer.task.verdict) return;
  writer.head().integer(offer.task.verdict->round);
  writer.head().integer(offer.task.verdict->folded ? 1 : 0);
  writer.head().number(offer.task.verdict->weight);
}

void put(ParcelWriter& writer, const Farewell& farewell) {
  tag(writer, LetterKind::kFarewell);
  writer.head().integer(farewell.round);
  writer.belief(farewell.belief);
}

void put(ParcelWriter& writer, const BeatRequest& /*request*/) {
  tag(writer, LetterKind::kBeatRequest);
}

double read_weight(ParcelReader& reader) {
  const double weight = reader.head().number();
  if (std::isfinite(weight)) return weight;
  throw BadState("relayed message: a verdict's weight is not finite");
}

Offer read_offer(ParcelReader& reader, Index agent) {
  const Attempt attempt = read_attempt(reader);
  if (attempt.round < 1 || attempt.token < 1) throw BadState("relayed message: an offer without a round or a token");
  Offer out{.token = attempt.token};
  out.task.round = attempt.round;
  out.task.agent = agent;
  out.task.version = reader.integer("a belief's version", 0, kMostNumber);
  out.task.belief = reader.belief();
  Belief predicting = reader.belief();
  if (predicting.size() > 1) throw BadState("relayed message: an offer with several matrices to predict with");
  if (!predicting.empty()) out.predicting = std::move(predicting.front());
  if (!reader.flag("whether there is a verdict")) return out;
  Verdict verdict{.round = reader.integer("a verdict's round", 1, attempt.round - 1), .agent = agent};
  verdict.folded = reader.flag("whether an update was folded");
  verdict.weight = read_weight(reader);
  out.task.verdict = verdict;
  return out;
}

}  // namespace

void write(ParcelWriter& writer, const Letter& letter) {
  std::visit([&](const auto& content) { put(writer, content); }, letter);
}

Letter read_letter(ParcelReader& reader, Index agent) {
  constexpr auto kLast = static_cast<std::int64_t>(LetterKind::kBeatRequest);
  switch (static_cast<LetterKind>(reader.integer("a letter's kind", 0, kLast))) {
    case LetterKind::kBeginning: {
      Beginning out;
      out.agents = reader.integer("the number of agents", 1, kMostNumber);
      out.total_rows = reader.integer("the number of rows", 1, kMostNumber);
      out.statistics = reader.head().text();
      out.last_folded = reader.integer("the last folded round", 0, kMostNumber);
      out.evaluations_from = reader.integer("the first round to evaluate", 0, kMostNumber);
      return out;
    }
    case LetterKind::kNotice: {
      Notice out{.attempt = read_attempt(reader)};
      out.standing.kind = static_cast<Standing::Kind>(
          reader.integer("a standing", 0, static_cast<std::int64_t>(Standing::Kind::kLater)));
      out.standing.weight = read_weight(reader);
      out.standing.reason = printable(reader.short_text("a standing's reason"));
      return out;
    }
    case LetterKind::kOffer:
      return read_offer(reader, agent);
    case LetterKind::kFarewell: {
      const Index round = reader.integer("the last round", 0, kMostNumber);
      return Farewell{round, reader.belief()};
    }
    case LetterKind::kBeatRequest:
      return BeatRequest{};
  }
  throw BadState("relayed message: a letter of no kind");
}

}  // namespace fedstein::relayed
