// SPDX-License-Identifier: Apache-2.0
// How an agent presents itself.
#include "fedstein/rpc/wire.h"

namespace fedstein {

void encode(const AgentFacts& facts, const Hello& hello, v1::Attendance& out) {
  *out.mutable_introduction() = introduction();
  out.set_algorithm(facts.algorithm);
  out.set_dimension(facts.dimension);
  out.set_rows(facts.rows);
  out.set_features(facts.features);
  out.set_statistics(facts.statistics);
  out.set_instance(facts.instance);
  out.set_evaluates(facts.evaluates);
  out.set_run(hello.run);
  out.set_settled(hello.settled);
  if (hello.in_hand) encode(*hello.in_hand, *out.mutable_in_hand());
  out.set_forgets(hello.forgets);
}

AgentFacts facts_in(const v1::Attendance& attendance) {
  check_text(attendance.algorithm());
  if (attendance.rows() < 0 || attendance.features() < 0 || attendance.dimension() < 0) {
    throw MalformedMessage("a negative number of rows, features or parameters");
  }
  return {.algorithm = attendance.algorithm(),
          .dimension = attendance.dimension(),
          .rows = attendance.rows(),
          .features = attendance.features(),
          .statistics = attendance.statistics(),
          .rows_digest = {},
          .instance = attendance.instance(),
          .evaluates = attendance.evaluates()};
}

Hello hello_in(const v1::Attendance& attendance) {
  check_text(attendance.run());
  if (attendance.settled() < 0) throw MalformedMessage("a negative round");
  Hello hello{.run = attendance.run(), .settled = attendance.settled(), .in_hand = {}, .forgets = attendance.forgets()};
  if (attendance.has_in_hand()) hello.in_hand = decode(attendance.in_hand());
  return hello;
}

v1::Introduction introduction() {
  v1::Introduction out;
  out.set_protocol(kProtocol);
  out.set_real_bytes(sizeof(Real));
  return out;
}

std::string objection_to(const v1::Introduction& introduction) {
  if (introduction.protocol() != kProtocol) {
    return "it speaks protocol " + std::to_string(introduction.protocol()) + "; this server speaks " +
           std::to_string(kProtocol);
  }
  if (introduction.real_bytes() != sizeof(Real)) {
    return "its numbers have " + std::to_string(introduction.real_bytes()) + " bytes; this server's have " +
           std::to_string(sizeof(Real)) + " (" + kRealName + ")";
  }
  return {};
}

}  // namespace fedstein
