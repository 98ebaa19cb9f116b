// SPDX-License-Identifier: Apache-2.0
#include "fedstein/algorithm/federation.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <atomic>
#include <cmath>
#include <thread>

#include "arrays.h"
#include "callables.h"
#include "errors.h"
#include "federations.h"
#include "fedstein/base/instead_of.h"
#include "fedstein/numeric/check.h"
#include "interrupts.h"
#include "models.h"
#include "records.h"
#include "settings.h"

namespace fedstein::python {
namespace {

constexpr const char* kWho = "Federation";

// The rows of all agents: copies, because a row that changed after it was checked could lead anywhere.
struct HeldRows {
  std::vector<Matrix> x = {};
  std::vector<Vector> y = {};

  std::vector<Batch> batches() const {
    std::vector<Batch> out;
    for (std::size_t k = 0; k < x.size(); ++k) out.emplace_back(x[k], y[k]);
    return out;
  }
};

HeldRows rows_of(nb::handle shards) {
  HeldRows out;
  check_argument(nb::isinstance<nb::list>(shards) || nb::isinstance<nb::tuple>(shards), kWho, [&] {
    return "shards is a " + class_name(shards) + "; it must be a list of pairs (x, y), one for each agent";
  });
  for (const nb::handle shard : shards) {
    const std::string which = "shards[" + std::to_string(out.x.size()) + "]";
    check_argument(nb::isinstance<nb::tuple>(shard) && nb::len(shard) == 2, kWho, which + " must be a pair (x, y)");
    const std::string name = which + "[0]";
    const std::string label = which + "[1]";
    out.x.emplace_back(MatrixArgument(shard[0], {kWho, name.c_str()}).view());
    out.y.push_back(vector_of(shard[1], {kWho, label.c_str()}));
    check_argument(out.x.back().rows() == out.y.back().size(), kWho, [&] {
      return which + " has " + std::to_string(out.x.back().rows()) + " rows in x and " +
             std::to_string(out.y.back().size()) + " values in y; there must be one for each row";
    });
  }
  return out;
}

// Everything a federation borrows, in the order in which it has to die.
class HeldFederation {
 public:
  HeldFederation(HeldMethod method,
                 nb::dict settings,
                 HeldModel model,
                 nb::handle shards,
                 std::uint64_t seed,
                 nb::handle unlabelled)
      : method_(std::move(method)), model_(std::move(model)), rows_(rows_of(shards)) {
    if (method_.for_model) method_.algorithm = std::make_shared<Algorithm>(method_.for_model(model_));
    const Algorithm& algorithm = *method_.algorithm;
    const Settings chosen = settings_of(algorithm.settings, settings, algorithm.name.c_str());
    FederationOptions options{.seed = seed};
    if (!unlabelled.is_none()) {
      unlabelled_ = MatrixArgument(unlabelled, {kWho, "unlabelled"}).view();
      if (!rows_.x.empty()) check_columns(kWho, "unlabelled", unlabelled_, rows_.x.front().cols());
      options.unlabelled = &unlabelled_;
    }
    const std::vector<Batch> batches = rows_.batches();
    federation_ =
        without_lock([&] { return std::make_unique<Federation>(algorithm, chosen, *model_.model, batches, options); });
  }

  // What is only allowed between rounds. While run() works, its callback may look, nobody else.
  Federation& between_rounds(const char* what) {
    check_argument(!busy_ || (watched_ && owner_ == std::this_thread::get_id()), kWho, [&] {
      return std::string(what) + " was called while run() works; call it from on_round or afterwards";
    });
    return *federation_;
  }
  Federation& at_rest(const char* what) {
    check_argument(
        !busy_, kWho, [&] { return std::string(what) + " was called while run() works; call it afterwards"; });
    check_argument(readers_ == 0, kWho, [&] {
      return std::string(what) + " was called while another thread reads; call it afterwards";
    });
    return *federation_;
  }
  const Federation& settled() const { return *federation_; }

  // Marks the federation as busy; with the interpreter's lock on both ends.
  class Busy {
   public:
    explicit Busy(HeldFederation& held) : held_(held) {
      held_.busy_ = true;
      held_.owner_ = std::this_thread::get_id();
    }
    ~Busy() { held_.busy_ = false; }
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;

   private:
    HeldFederation& held_;
  };
  // Between two rounds, while the callback looks.
  class Watched {
   public:
    explicit Watched(HeldFederation& held) : held_(held) { held_.watched_ = true; }
    ~Watched() { held_.watched_ = false; }
    Watched(const Watched&) = delete;
    Watched& operator=(const Watched&) = delete;

   private:
    HeldFederation& held_;
  };

  // While somebody reads without the interpreter's lock; with it on both ends.
  class Read {
   public:
    explicit Read(HeldFederation& held) : held_(held) { ++held_.readers_; }
    ~Read() { --held_.readers_; }
    Read(const Read&) = delete;
    Read& operator=(const Read&) = delete;

   private:
    HeldFederation& held_;
  };

  const HeldMethod& method() const { return method_; }
  std::vector<Index> row_counts() const {
    std::vector<Index> out;
    for (const Matrix& x : rows_.x) out.push_back(x.rows());
    return out;
  }
  const HeldModel& model() const { return model_; }

 private:
  HeldMethod method_;
  HeldModel model_;
  HeldRows rows_;
  Matrix unlabelled_ = {};
  std::unique_ptr<Federation> federation_ = {};
  bool busy_ = false;  // all four guarded by the interpreter's lock
  bool watched_ = false;
  int readers_ = 0;
  std::thread::id owner_ = {};
};

std::unique_ptr<Scheduler> scheduler_of(const std::string& name,
                                        double fraction,
                                        const Federation& federation,
                                        std::uint64_t seed,
                                        const std::vector<Index>& rows) {
  const Index agents = federation.agents();
  if (name == "round-robin") return std::make_unique<RoundRobin>(agents);
  if (name == "random") return std::make_unique<RandomOne>(agents, seed);
  if (name == "weighted") return std::make_unique<WeightedByData>(rows, seed);
  if (name == "fraction") {
    check_argument(fraction > 0 && fraction <= 1, "Federation.run", [&] {
      return "fraction is " + to_text(fraction) + "; it must be above 0 and at most 1";
    });
    return std::make_unique<RandomFraction>(agents, fraction, seed);
  }
  refuse("Federation.run",
         "scheduler is '" + name + "'" + instead_of(name, {"round-robin", "random", "weighted", "fraction"}));
}

// Figures that the callback left in the record.
void take_figures(nb::dict record, RoundRecord& into) {
  const nb::object figures = record["figures"];
  if (!nb::isinstance<nb::dict>(figures)) return;
  // A value's __float__ may change the dictionary meanwhile.
  const auto copy = nb::steal<nb::dict>(PyDict_Copy(figures.ptr()));
  if (!copy.is_valid()) throw nb::python_error();
  for (const auto& [name, value] : copy) {
    double number = 0;
    check_argument(nb::isinstance<nb::str>(name) && nb::try_cast(value, number), "on_round", [&] {
      return "the figure " + shown(nb::borrow(name)) + " is " + shown(nb::borrow(value)) +
             "; figures are numbers by name";
    });
    into.figures[nb::cast<std::string>(name)] = number;
  }
}

}  // namespace

namespace {

class PyFederation {
 public:
  PyFederation(nb::handle method,
               nb::dict settings,
               const HeldModel& model,
               nb::handle shards,
               std::uint64_t seed,
               nb::handle unlabelled)
      : held_(method_of(method, kWho), settings, model, shards, seed, unlabelled), seed_(seed) {}

  nb::dict run(Index rounds,
               nb::handle on_round,
               int retries,
               std::optional<std::string> scheduler,
               double fraction,
               bool keep_records) {
    Federation& federation = held_.at_rest("run");
    check_argument(retries >= 0, "Federation.run", [&] {
      return "retries is " + std::to_string(retries) + "; it must be at least 0";
    });
    const Kept watch = callable_of(on_round, {"Federation.run", "on_round"}, Absent::kAllowed);
    std::unique_ptr<Scheduler> chosen;
    if (scheduler) chosen = scheduler_of(*scheduler, fraction, federation, seed_, held_.row_counts());
    RunOptions options{.rounds = rounds, .scheduler = chosen.get(), .retries = retries, .keep_records = keep_records};
    options.on_round = [&](RoundRecord& record, const Particles& particles) {
      heed_signals();
      return watch ? watched(watch, record, particles) : Next::kContinue;
    };
    const HeldFederation::Busy busy(held_);
    const EndedByInterrupt ended_by;
    return dict_of(without_lock([&] { return federation.run(options); }));
  }

  RealMatrix particles() { return array_of(held_.between_rounds("particles").particles()); }
  RealMatrix working_particles() {
    return array_of(held_.between_rounds("working_particles").server().working_particles());
  }
  nb::object log_density(nb::handle given) {
    Federation& federation = held_.between_rounds("log_density");
    const MatrixArgument theta(given, {"Federation.log_density", "theta"});
    check_columns("Federation.log_density", "theta", theta.view(), held_.model().model->dimension());
    const HeldFederation::Read reading(held_);
    DoubleVector found = without_lock([&] { return federation.server().log_density(theta.view()); });
    return found.size() == 0 && theta.rows() > 0 ? nb::none() : nb::cast(array_of(std::move(found)));
  }
  nb::dict server_figures() {
    nb::dict out;
    for (const auto& [name, value] : held_.between_rounds("server_figures").server().figures())
      out[name.c_str()] = value;
    return out;
  }
  nb::bytes save() {
    const std::string bytes = held_.between_rounds("save").save();
    return nb::bytes(bytes.data(), bytes.size());
  }
  void restore(nb::bytes bytes, Index rounds_before) {
    held_.at_rest("restore").restore(std::string(bytes.c_str(), bytes.size()), rounds_before);
  }
  Index rounds() const { return held_.settled().rounds(); }
  Index agents() const { return held_.settled().agents(); }
  const std::string& method() const { return held_.method().algorithm->name; }
  HeldModel model() const { return held_.model(); }

 private:
  Next watched(const Kept& watch, RoundRecord& record, const Particles& particles) {
    return in_python([&] {
      const HeldFederation::Watched between(held_);
      const nb::dict told = dict_of(record);
      const nb::object answer = watch.get()(told, copy_of(particles));
      take_figures(told, record);
      const int stops = PyObject_IsTrue(answer.ptr());
      if (stops < 0) throw nb::python_error();
      return stops == 1 ? Next::kStop : Next::kContinue;
    });
  }

  HeldFederation held_;
  std::uint64_t seed_;
};

}  // namespace

void bind_federation(nb::module_& module) {
  using nb::literals::operator""_a;
  nb::class_<PyFederation>(module, "Federation", "A whole federation in this process.")
      .def(nb::init<nb::handle, nb::dict, const HeldModel&, nb::handle, std::uint64_t, nb::handle>(),
           "method"_a,
           "settings"_a,
           "model"_a,
           "shards"_a,
           "seed"_a = 1,
           "unlabelled"_a = nb::none())
      .def("run",
           &PyFederation::run,
           "rounds"_a,
           "on_round"_a = nb::none(),
           nb::kw_only(),
           "retries"_a = 0,
           "scheduler"_a = nb::none(),
           "fraction"_a = 1.0,
           "keep_records"_a = true)
      .def("particles", &PyFederation::particles)
      .def("working_particles", &PyFederation::working_particles)
      .def("log_density", &PyFederation::log_density, "theta"_a)
      .def("server_figures", &PyFederation::server_figures)
      .def("save", &PyFederation::save)
      .def("restore", &PyFederation::restore, "bytes"_a, "rounds_before"_a = 0)
      .def_prop_ro("rounds", &PyFederation::rounds)
      .def_prop_ro("agents", &PyFederation::agents)
      .def_prop_ro("method", &PyFederation::method)
      .def_prop_ro("model", &PyFederation::model);
}

}  // namespace fedstein::python
