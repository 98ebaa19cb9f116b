// SPDX-License-Identifier: Apache-2.0
#include "fedstein/store/journal_seal.h"

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "fedstein/store/run_facts.h"

namespace fedstein {
// Little-endian everywhere: a journal may be carried to another machine.
Sealing& Sealing::add(std::int64_t value) {
  std::array<char, 8> bytes{};
  auto rest = static_cast<std::uint64_t>(value);
  for (char& byte : bytes) {
    byte = static_cast<char>(rest & 0xffU);
    rest >>= 8U;
  }
  sum_.add({bytes.data(), bytes.size()});
  return *this;
}

Sealing& Sealing::add(double value) {
  const double kept = std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value + 0.0;
  return add(std::bit_cast<std::int64_t>(kept));
}

Sealing& Sealing::add(std::string_view bytes) {
  add(static_cast<std::int64_t>(bytes.size()));
  sum_.add(bytes);
  return *this;
}

Sealing& Sealing::add(const Digest& digest) {
  sum_.add({reinterpret_cast<const char*>(digest.data()), digest.size()});
  return *this;
}

Digest Sealing::digest() {
  return std::move(sum_).digest();
}

void SealedRows::set(Index agent, Sealing& row) {
  const Digest digest = row.add(agent).digest();
  const auto [place, fresh] = rows_.try_emplace(agent, digest);
  if (!fresh) add(std::exchange(place->second, digest));  // the old one, which takes it out
  add(digest);
}

void SealedRows::erase(Index agent) {
  const auto found = rows_.find(agent);
  if (found == rows_.end()) return;
  add(found->second);
  rows_.erase(found);
}

void SealedRows::clear() {
  rows_.clear();
  sum_ = {};
}

void SealedRows::add(const Digest& row) {
  for (std::size_t i = 0; i < sum_.size(); ++i) sum_[i] = static_cast<unsigned char>(sum_[i] ^ row[i]);
}

void JournalSeal::begin(const Digest& tables,
                        const std::string& run,
                        const std::string& document,
                        const std::string& precision) {
  beginning_ = Sealing().add(tables).add(run).add(document).add(precision).digest();
}

void JournalSeal::set_state(Index closed_round, std::string_view server_state) {
  closed_round_ = closed_round;
  server_state_ = Sealing().add(server_state).digest();
}

void JournalSeal::enrol(const Enrolment& enrolment) {
  enrolments_.set(enrolment.agent, Sealing().add(enrolment.rows).add(enrolment.features).add(enrolment.statistics));
}

void JournalSeal::open_attempt(Index agent, Token token) {
  attempts_.set(agent, Sealing().add(token));
}

void JournalSeal::hold(Index agent, Token token, std::string_view reply) {
  replies_.set(agent, Sealing().add(token).add(reply));
}

void JournalSeal::fold(Index agent, const FoldedUpload& upload) {
  folded_.set(agent, Sealing().add(upload.round).add(upload.token).add(upload.weight));
}

void JournalSeal::forget(Index agent, Index round, const std::string& at) {
  forgotten_ = Sealing().add(forgotten_).add(agent).add(round).add(at).digest();
}

void JournalSeal::close(const ClosedRound& round) {
  Sealing sealing;
  sealing.add(rounds_).add(round.round).add(round.closed).add(round.record);
  sealing.add(static_cast<std::int64_t>(round.parts.size()));
  for (const auto& [agent, part] : round.parts) {
    sealing.add(agent).add(part.folded).add(part.failure);
  }
  rounds_ = sealing.digest();
}

void JournalSeal::clear_open_round() {
  attempts_.clear();
  replies_.clear();
}

Digest JournalSeal::digest(std::int64_t sequence) const {
  Sealing sealing;
  sealing.add(sequence).add(beginning_).add(closed_round_).add(last_token_).add(server_state_);
  sealing.add(enrolments_.sum()).add(attempts_.sum()).add(replies_.sum()).add(folded_.sum());
  return sealing.add(rounds_).add(forgotten_).digest();
}

}  // namespace fedstein
