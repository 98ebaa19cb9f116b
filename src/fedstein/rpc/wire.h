// SPDX-License-Identifier: Apache-2.0
// Between protobuf and the exchange's plain values. Decoding believes nothing: sizes must agree with the bytes there
// are before anything is allocated.
#pragma once

#include <federation.pb.h>

#include "fedstein/base/error.h"
#include "fedstein/exchange/letters.h"

namespace fedstein {

inline constexpr std::uint32_t kProtocol = 3;

// A message that no fedstein of this protocol sends.
class MalformedMessage : public ErrorOf<ErrorKind::kData> {
 public:
  using ErrorOf::ErrorOf;
};

// Throws MalformedMessage for a text that is longer than any reason or name.
void check_text(const std::string& text);

void encode(const Belief& belief, v1::Belief& out);
Belief decode(const v1::Belief& belief);

void encode(const Standing& standing, v1::Standing& out);
Standing decode(const v1::Standing& standing);

void encode(const Upload& upload, v1::Upload& out);
// The agent's number is the caller's, from its certificate.
Upload decode(const v1::Upload& upload, Index agent);

void encode(const Letter& letter, v1::Letter& out);
Letter decode(const v1::Letter& letter, Index agent);

void encode(const AgentFacts& facts, const Hello& hello, v1::Attendance& out);
AgentFacts facts_in(const v1::Attendance& attendance);
Hello hello_in(const v1::Attendance& attendance);

void encode(const Attempt& attempt, v1::Attempt& out);
Attempt decode(const v1::Attempt& attempt);

void encode(const EvaluationReport& report, v1::Evaluation& out);
EvaluationReport decode(const v1::Evaluation& report);
void encode(const Matrix& matrix, v1::MatrixValue& out);
Matrix decode(const v1::MatrixValue& value);
void encode(const Failure& failure, v1::SettlingFailure& out);
Failure decode(const v1::SettlingFailure& failure, Index agent);

v1::Introduction introduction();
// Why a caller that introduces itself so cannot take part; empty: it can.
std::string objection_to(const v1::Introduction& introduction);

}  // namespace fedstein
