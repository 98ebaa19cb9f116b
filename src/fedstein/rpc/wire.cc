// SPDX-License-Identifier: Apache-2.0
#include "fedstein/rpc/wire.h"

#include <bit>
#include <cstring>

#include "fedstein/exchange/printable.h"

namespace fedstein {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers travel as they lie in memory");

constexpr int kMostMatrices = 64;        // more than any method's
constexpr int kMostBins = 10000;         // of a reliability diagram, as many as a configuration may ask for
constexpr std::size_t kMostText = 4096;  // of a reason

Failure decode(const v1::FailureNote& note, Index round, Index agent) {
  if (note.kind() > static_cast<std::uint32_t>(Failure::Kind::kBroken)) {
    throw MalformedMessage("a failure of kind " + std::to_string(note.kind()));
  }
  check_text(note.reason());
  return {round, agent, static_cast<Failure::Kind>(note.kind()), printable(note.reason())};
}

void encode(const Failure& failure, v1::FailureNote& out) {
  out.set_kind(static_cast<std::uint32_t>(failure.kind));
  out.set_reason(failure.reason.substr(0, kMostText));
}

}  // namespace

void check_text(const std::string& text) {
  if (text.size() > kMostText) throw MalformedMessage("a text of " + std::to_string(text.size()) + " bytes");
}

void encode(const Matrix& matrix, v1::MatrixValue& out) {
  out.set_rows(matrix.rows());
  out.set_columns(matrix.cols());
  out.set_numbers(matrix.data(), static_cast<std::size_t>(matrix.size()) * sizeof(Real));
}

Matrix decode(const v1::MatrixValue& value) {
  const auto available = static_cast<std::int64_t>(value.numbers().size() / sizeof(Real));
  const std::int64_t rows = value.rows();
  const std::int64_t columns = value.columns();
  // Rows without columns take no bytes: a message of twenty could claim more of them than can be looked at one by one.
  const bool fits = rows >= 0 && columns >= 0 && (rows == 0 || (columns > 0 && columns <= available / rows));
  if (!fits || value.numbers().size() != static_cast<std::size_t>(rows * columns) * sizeof(Real)) {
    throw MalformedMessage("a matrix of " + std::to_string(rows) + " x " + std::to_string(columns) + " in " +
                           std::to_string(value.numbers().size()) + " bytes");
  }
  Matrix out(rows, columns);
  if (out.size() > 0) std::memcpy(out.data(), value.numbers().data(), value.numbers().size());
  return out;
}

void encode(const Belief& belief, v1::Belief& out) {
  for (const Matrix& matrix : belief) encode(matrix, *out.add_matrices());
}

Belief decode(const v1::Belief& belief) {
  if (belief.matrices_size() > kMostMatrices) {
    throw MalformedMessage(std::to_string(belief.matrices_size()) + " matrices; at most " +
                           std::to_string(kMostMatrices) + " are allowed");
  }
  Belief out;
  for (const v1::MatrixValue& value : belief.matrices()) out.push_back(decode(value));
  return out;
}

// The enumerators of both sides have the same order; the wire's begin with UNKNOWN.
void encode(const Standing& standing, v1::Standing& out) {
  out.set_kind(static_cast<v1::Standing::Kind>(static_cast<int>(standing.kind) + 1));
  out.set_weight(standing.weight);
  out.set_reason(standing.reason.substr(0, kMostText));
}

Standing decode(const v1::Standing& standing) {
  if (standing.kind() < v1::Standing::WANTED || standing.kind() > v1::Standing::LATER) {
    throw MalformedMessage("a standing of kind " + std::to_string(standing.kind()));
  }
  return {static_cast<Standing::Kind>(standing.kind() - 1), standing.weight(), printable(standing.reason())};
}

void encode(const Attempt& attempt, v1::Attempt& out) {
  out.set_round(attempt.round);
  out.set_token(attempt.token);
}

Attempt decode(const v1::Attempt& attempt) {
  if (attempt.round() < 0 || attempt.token() < 0) throw MalformedMessage("a negative round or token");
  return {attempt.round(), attempt.token()};
}

void encode(const Upload& upload, v1::Upload& out) {
  if (const auto* update = std::get_if<Update>(&upload.reply)) {
    encode(Attempt{update->round, upload.token}, *out.mutable_attempt());
    encode(update->belief, *out.mutable_update());
  } else {
    const auto& failure = std::get<Failure>(upload.reply);
    encode(Attempt{failure.round, upload.token}, *out.mutable_attempt());
    encode(failure, *out.mutable_failure());
  }
}

Upload decode(const v1::Upload& upload, Index agent) {
  const Attempt attempt = decode(upload.attempt());
  switch (upload.content_case()) {
    case v1::Upload::kUpdate:
      return {attempt.token, Update{attempt.round, agent, decode(upload.update())}};
    case v1::Upload::kFailure:
      return {attempt.token, decode(upload.failure(), attempt.round, agent)};
    case v1::Upload::CONTENT_NOT_SET:
      break;
  }
  throw MalformedMessage("an upload with neither an update nor a failure");
}

void encode(const EvaluationReport& report, v1::Evaluation& out) {
  const EvaluationSums& sums = report.sums;
  out.set_round(report.round);
  out.set_rows(sums.rows);
  out.set_log_likelihood(sums.log_likelihood);
  for (const ReliabilityBin& bin : sums.bins) {
    v1::Bin& value = *out.add_bins();
    value.set_count(bin.count);
    value.set_correct(bin.correct);
    value.set_confidence_sum(bin.confidence_sum);
  }
  out.set_brier(sums.brier);
  out.set_squared_error(sums.squared_error);
  out.set_intervals(sums.intervals);
  out.set_covered(sums.covered);
}

// The numbers as they come: whether they can be is the desk's to say, which knows what is learned.
EvaluationReport decode(const v1::Evaluation& report) {
  if (report.bins_size() > kMostBins) throw MalformedMessage(std::to_string(report.bins_size()) + " bins");
  EvaluationReport out{.round = report.round(),
                       .sums = {.rows = report.rows(),
                                .log_likelihood = report.log_likelihood(),
                                .brier = report.brier(),
                                .squared_error = report.squared_error(),
                                .intervals = report.intervals(),
                                .covered = report.covered()}};
  for (const v1::Bin& bin : report.bins()) {
    out.sums.bins.push_back({bin.count(), bin.correct(), bin.confidence_sum()});
  }
  return out;
}

void encode(const Failure& failure, v1::SettlingFailure& out) {
  out.set_round(failure.round);
  encode(failure, *out.mutable_failure());
}

Failure decode(const v1::SettlingFailure& failure, Index agent) {
  return decode(failure.failure(), failure.round(), agent);
}

}  // namespace fedstein
