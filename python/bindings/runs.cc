// SPDX-License-Identifier: Apache-2.0
// The extension that reads run folders. It computes nothing, so one of it serves both precisions.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <set>

#include "arrays.h"
#include "errors.h"
#include "fedstein/base/text.h"
#include "fedstein/experiment/comparison.h"
#include "fedstein/experiment/run_choice.h"
#include "fedstein/numeric/check.h"
#include "fedstein/report/report.h"
#include "records.h"

namespace fedstein::python {
namespace {

// Guarded by the interpreter's lock: an open store is not for several threads.
class HeldRun {
 public:
  HeldRun(const std::string& place, std::optional<Index> number)
      : choice_(choose_run(number ? place + "#" + std::to_string(*number) : place)),
        result_(load_results(choice_.store, choice_.run)) {}

  const RunStore& store() const { return choice_.store; }
  const RunResult& result() const { return result_; }
  const RunFacts& facts() const { return result_.run.facts; }

  // Numbers of jobs that are not this run's are refused.
  JobId job(std::int64_t number) const {
    for (const CaseResult& one : result_.cases) {
      for (const MethodResult& method : one.methods) {
        for (const TrialResult& trial : method.trials) {
          if (trial.job == number) return number;
        }
      }
    }
    refuse("Run", "there is no job " + std::to_string(number) + "; jobs() lists those of this run");
  }

 private:
  RunChoice choice_;
  RunResult result_;
};

const char* status_name(JobStatus status) {
  constexpr const char* kNames[] = {"waiting", "done", "failed"};
  return kNames[static_cast<std::size_t>(status)];
}

// Calls take(case, method, trial) for every trial of the run, in the order of the configuration.
template <typename Take>
void for_trials(const HeldRun& run, const Take& take) {
  for (const CaseResult& one : run.result().cases) {
    for (const MethodResult& method : one.methods) {
      for (const TrialResult& trial : method.trials) take(one, method, trial);
    }
  }
}

nb::list jobs(const HeldRun& self) {
  nb::list out;
  for_trials(self, [&](const CaseResult& one, const MethodResult& method, const TrialResult& trial) {
    nb::dict job;
    job["job"] = trial.job;
    job["case"] = one.name;
    job["algorithm"] = method.label;
    job["method"] = method.method;
    job["trial"] = trial.trial;
    job["rounds"] = method.rounds;
    job["centralised"] = method.centralised;
    job["status"] = status_name(trial.status);
    job["error"] = trial.error;
    out.append(job);
  });
  return out;
}

nb::dict curves(const HeldRun& self) {
  std::set<std::string> figures;
  for_trials(self, [&](const CaseResult&, const MethodResult&, const TrialResult& trial) {
    for (const RoundRecord& record : trial.rounds) {
      for (const auto& [name, value] : record.figures) figures.insert(name);
    }
  });
  constexpr const char* kColumns[] = {"case",
                                      "algorithm",
                                      "trial",
                                      "round",
                                      "seconds",
                                      "bytes_down",
                                      "bytes_up",
                                      "spread",
                                      "scheduled",
                                      "folded",
                                      "failures"};
  nb::dict out;
  for (const char* column : kColumns) out[column] = nb::list();
  for (const std::string& name : figures) out[name.c_str()] = nb::list();
  const auto append = [&](const char* column, const auto& value) { nb::cast<nb::list>(out[column]).append(value); };
  for_trials(self, [&](const CaseResult& one, const MethodResult& method, const TrialResult& trial) {
    for (const RoundRecord& record : trial.rounds) {
      append("case", one.name);
      append("algorithm", method.label);
      append("trial", trial.trial);
      append("round", record.round);
      append("seconds", record.seconds);
      append("bytes_down", record.bytes_down);
      append("bytes_up", record.bytes_up);
      append("spread", record.spread);
      append("scheduled", record.scheduled.size());
      append("folded", record.folded.size());
      append("failures", record.failures.size());
      for (const std::string& name : figures) {
        const auto found = record.figures.find(name);
        append(name.c_str(), found == record.figures.end() ? std::numeric_limits<double>::quiet_NaN() : found->second);
      }
    }
  });
  return out;
}

nb::list rounds(const HeldRun& self, std::int64_t job) {
  nb::list out;
  for (const RoundRecord& record : self.store().rounds(self.job(job))) out.append(dict_of(record));
  return out;
}

nb::list reliability(const HeldRun& self, std::int64_t job) {
  nb::list out;
  for (const StoredReliability& stored : self.store().reliability(self.job(job))) {
    nb::list bins;
    const auto count = static_cast<Index>(stored.bins.size());
    for (Index i = 0; i < count; ++i) {
      const ReliabilityBin& bin = stored.bins[static_cast<std::size_t>(i)];
      nb::dict one;
      one["low"] = reliability_edge(i, count);
      one["high"] = reliability_edge(i + 1, count);
      one["count"] = bin.count;
      one["correct"] = bin.correct;
      one["confidence_sum"] = bin.confidence_sum;
      bins.append(one);
    }
    nb::dict round;
    round["round"] = stored.round;
    round["bins"] = bins;
    out.append(round);
  }
  return out;
}

nb::object density(const HeldRun& self, std::int64_t job, Index round) {
  std::optional<Matrix> found = self.store().density(self.job(job), round);
  return found ? nb::cast(array_of(std::move(*found))) : nb::none();
}

nb::dict details(const HeldRun& self, std::int64_t job) {
  nb::dict out;
  for (const auto& [name, text] : self.store().details(self.job(job))) out[name.c_str()] = text;
  return out;
}

std::string report_html(const HeldRun& self) {
  return report_page(report_json({{.store = &self.store(), .result = self.result()}}, utc_now()));
}

}  // namespace

void bind_run(nb::module_& module) {
  using nb::literals::operator""_a;
  const auto text = [](auto member) { return [member](const HeldRun& self) { return self.facts().*member; }; };
  nb::class_<HeldRun>(module, "Run", "A run as its folder holds it.")
      .def(nb::init<const std::string&, std::optional<Index>>(), "place"_a, "number"_a = nb::none())
      .def_prop_ro("name", text(&RunFacts::name))
      .def_prop_ro("title", text(&RunFacts::title))
      .def_prop_ro("document", text(&RunFacts::document))
      .def_prop_ro("configuration", text(&RunFacts::configuration))
      .def_prop_ro("version", text(&RunFacts::version))
      .def_prop_ro("precision", text(&RunFacts::precision))
      .def_prop_ro("host", text(&RunFacts::host))
      .def_prop_ro("command", text(&RunFacts::command))
      .def_prop_ro("seed", [](const HeldRun& self) { return self.facts().seed; })
      .def_prop_ro("number", [](const HeldRun& self) { return self.result().run.id; })
      .def_prop_ro("started", [](const HeldRun& self) { return self.result().run.started; })
      .def_prop_ro("finished", [](const HeldRun& self) { return self.result().run.finished; })
      .def("jobs", jobs)
      .def("curves", curves)
      .def("rounds", rounds, "job"_a)
      .def(
          "rounds_with_particles",
          [](const HeldRun& self, std::int64_t job) { return self.store().rounds_with_particles(self.job(job)); },
          "job"_a)
      .def(
          "particles",
          [](const HeldRun& self, std::int64_t job, Index round) {
            return array_of(self.store().particles(self.job(job), round));
          },
          "job"_a,
          "round"_a)
      .def("density", density, "job"_a, "round"_a)
      .def("reliability", reliability, "job"_a)
      .def("details", details, "job"_a)
      .def("comparison", [](const HeldRun& self) { return comparison_json(compare(self.result())); })
      .def("comparison_text",
           [](const HeldRun& self) { return comparison_text(compare(self.result()), /*rich=*/false); })
      .def("report_html", report_html);
}

}  // namespace fedstein::python

NB_MODULE(FEDSTEIN_MODULE, module) {
  nanobind::set_leak_warnings(false);
  fedstein::python::translate_errors();
  fedstein::python::watch_ending();
  module.attr("version") = FEDSTEIN_VERSION;
  fedstein::python::bind_run(module);
}
