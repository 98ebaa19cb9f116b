// SPDX-License-Identifier: Apache-2.0
// The server's pushes on the wire.
#include "fedstein/rpc/wire.h"

namespace fedstein {
namespace {

void put(const Beginning& beginning, v1::Letter& out) {
  v1::Beginning& value = *out.mutable_beginning();
  value.set_agents(beginning.agents);
  value.set_total_rows(beginning.total_rows);
  value.set_statistics(beginning.statistics);
  value.set_last_folded(beginning.last_folded);
  value.set_evaluations_from(beginning.evaluations_from);
}

void put(const Notice& notice, v1::Letter& out) {
  encode(notice.attempt, *out.mutable_notice()->mutable_attempt());
  encode(notice.standing, *out.mutable_notice()->mutable_standing());
}

void put(const Offer& offer, v1::Letter& out) {
  v1::Offer& value = *out.mutable_offer();
  encode(Attempt{offer.task.round, offer.token}, *value.mutable_attempt());
  value.set_version(offer.task.version);
  encode(offer.task.belief, *value.mutable_belief());
  if (offer.task.verdict) {
    value.mutable_verdict()->set_round(offer.task.verdict->round);
    value.mutable_verdict()->set_folded(offer.task.verdict->folded);
    value.mutable_verdict()->set_weight(offer.task.verdict->weight);
  }
  if (offer.predicting.size() > 0) encode(offer.predicting, *value.mutable_predicting());
}

void put(const Farewell& farewell, v1::Letter& out) {
  out.mutable_farewell()->set_round(farewell.round);
  encode(farewell.belief, *out.mutable_farewell()->mutable_belief());
}

void put(const BeatRequest& /*request*/, v1::Letter& out) {
  out.mutable_beat_request();
}

Beginning decode(const v1::Beginning& value) {
  return {value.agents(), value.total_rows(), value.statistics(), value.last_folded(), value.evaluations_from()};
}

Offer decode(const v1::Offer& value, Index agent) {
  const Attempt attempt = fedstein::decode(value.attempt());
  Task task{.round = attempt.round,
            .agent = agent,
            .version = value.version(),
            .belief = fedstein::decode(value.belief()),
            .verdict = {}};
  if (value.has_verdict()) {
    task.verdict = Verdict{value.verdict().round(), agent, value.verdict().folded(), value.verdict().weight()};
  }
  Offer out{attempt.token, std::move(task)};
  if (value.has_predicting()) out.predicting = fedstein::decode(value.predicting());
  return out;
}

}  // namespace

void encode(const Letter& letter, v1::Letter& out) {
  std::visit([&](const auto& content) { put(content, out); }, letter);
}

Letter decode(const v1::Letter& letter, Index agent) {
  switch (letter.content_case()) {
    case v1::Letter::kBeginning:
      return decode(letter.beginning());
    case v1::Letter::kNotice:
      return Notice{decode(letter.notice().attempt()), decode(letter.notice().standing())};
    case v1::Letter::kOffer:
      return decode(letter.offer(), agent);
    case v1::Letter::kFarewell:
      return Farewell{letter.farewell().round(), decode(letter.farewell().belief())};
    case v1::Letter::kBeatRequest:
      return BeatRequest{};
    case v1::Letter::CONTENT_NOT_SET:
      break;
  }
  throw MalformedMessage("a letter without content");
}

}  // namespace fedstein
