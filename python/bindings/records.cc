// SPDX-License-Identifier: Apache-2.0
#include "records.h"

#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace fedstein::python {

nb::dict dict_of(const RoundRecord& record) {
  nb::list failures;
  for (const Failure& failure : record.failures) {
    nb::dict one;
    one["round"] = failure.round;
    one["agent"] = failure.agent;
    one["kind"] = name_of(failure.kind);
    one["reason"] = failure.reason;
    failures.append(one);
  }
  nb::dict out;
  out["round"] = record.round;
  out["scheduled"] = nb::cast(record.scheduled);
  out["folded"] = nb::cast(record.folded);
  out["failures"] = failures;
  out["seconds"] = record.seconds;
  out["bytes_down"] = record.bytes_down;
  out["bytes_up"] = record.bytes_up;
  out["spread"] = record.spread;
  out["figures"] = nb::cast(record.figures);
  return out;
}

nb::dict dict_of(const RunSummary& summary) {
  nb::list records;
  for (const RoundRecord& record : summary.records) records.append(dict_of(record));
  nb::dict out;
  out["records"] = records;
  out["rounds"] = summary.rounds;
  out["stopped"] = summary.stopped;
  out["lost_rounds"] = summary.lost_rounds;
  out["loss"] = summary.loss;
  out["message"] = summary.message();
  return out;
}

}  // namespace fedstein::python
