// SPDX-License-Identifier: Apache-2.0
// Server and agents of a federation whose bytes another engine carries.
#include "relays.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <deque>
#include <mutex>
#include <utility>

#include "arrays.h"
#include "errors.h"
#include "fedstein/base/instead_of.h"
#include "fedstein/numeric/check.h"
#include "fedstein/relay/agent_relay.h"
#include "fedstein/relay/server_relay.h"
#include "records.h"

namespace fedstein::python {
namespace {

std::string string_of(nb::bytes bytes) {
  return {bytes.c_str(), bytes.size()};
}

nb::bytes bytes_object(const std::string& bytes) {
  return nb::bytes(bytes.data(), bytes.size());
}

Parcel parcel_of_python(nb::bytes head, nb::list numbers) {
  Parcel out{string_of(std::move(head)), {}};
  for (const nb::handle array : numbers) {
    check_argument(nb::isinstance<nb::bytes>(array), "numbers", [&] {
      return "an entry is a " + class_name(array) + "; all must be bytes";
    });
    out.numbers.push_back(string_of(nb::cast<nb::bytes>(array)));
  }
  return out;
}

nb::tuple pair_of(const Parcel& parcel) {
  nb::list numbers;
  for (const std::string& array : parcel.numbers) numbers.append(bytes_object(array));
  return nb::make_tuple(bytes_object(parcel.head), numbers);
}

// What the library tells, from whichever thread, until Python asks for it.
template <typename Word>
class Told {
 public:
  void add(const Word& word) {
    constexpr std::size_t kMost = 10000;  // nobody listens
    const std::lock_guard lock(mutex_);
    if (words_.size() < kMost) words_.push_back(word);
  }
  std::deque<Word> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(words_, {});
  }

 private:
  std::mutex mutex_;
  std::deque<Word> words_;
};

nb::list list_of_lines(Told<std::string>& told) {
  nb::list out;
  for (const std::string& line : told.take()) out.append(line);
  return out;
}

Failure::Kind kind_of(const std::string& name) {
  for (const Failure::Kind kind : {Failure::Kind::kLost, Failure::Kind::kTimedOut, Failure::Kind::kBroken}) {
    if (name == name_of(kind)) return kind;
  }
  refuse("ServerRelay.fail",
         "kind is '" + name + "'" +
             instead_of(
                 name,
                 {name_of(Failure::Kind::kLost), name_of(Failure::Kind::kTimedOut), name_of(Failure::Kind::kBroken)}));
}

class PyServerRelay {
 public:
  PyServerRelay(const std::string& document,
                const std::string& file,
                const std::string& state,
                const std::string& data_folder,
                bool bind_keys,
                int tries,
                double probe_seconds,
                nb::handle model,
                nb::handle method)
      : registry_(registry_with(model, method)) {
    check_argument(tries >= 1, "ServerRelay", [&] { return "tries is " + std::to_string(tries) + "; at least 1"; });
    check_positive("ServerRelay", "probe_seconds", probe_seconds);
    FederationPlan plan = parse_federation(document, file, data_folder, *registry_);
    if (!state.empty()) plan.server.state = state;
    state_ = plan.server.state;
    ServerRelayOptions options{.binds_keys = bind_keys};
    options.hub.tries = tries;
    options.hub.probe_seconds = probe_seconds;
    options.server.data_folder = data_folder;
    options.server.on_event = [told = lines_](const std::string& line) { told->add(line); };
    options.server.on_round = [told = rounds_](const RoundRecord& record, const FederationPlan&) { told->add(record); };
    without_lock([&] { relay_ = std::make_unique<ServerRelay>(std::move(plan), std::move(options)); });
  }
  // Its thread may need the interpreter to come to its end.
  ~PyServerRelay() {
    without_lock([&] { relay_.reset(); });
  }
  PyServerRelay(const PyServerRelay&) = delete;
  PyServerRelay& operator=(const PyServerRelay&) = delete;

  void see(nb::list nodes) {
    std::vector<RelayNode> present;
    for (const nb::handle node : nodes) {
      const auto pair = nb::cast<nb::tuple>(node);
      present.push_back({nb::cast<std::string>(pair[0]), string_of(nb::cast<nb::bytes>(pair[1]))});
    }
    without_lock([&] { relay_->see(present); });
  }
  nb::list dispatches(double patience) {
    heed_signals();
    const std::vector<RelayDispatch> sent = without_lock([&] { return relay_->dispatches(patience); });
    nb::list out;
    for (const RelayDispatch& one : sent) {
      const nb::tuple parcel = pair_of(one.parcel);
      out.append(nb::make_tuple(one.serial, one.node, name_of(one.kind), parcel[0], parcel[1]));
    }
    return out;
  }
  void take(std::int64_t serial, nb::bytes head, nb::list numbers) {
    const Parcel answer = parcel_of_python(std::move(head), std::move(numbers));
    without_lock([&] { relay_->take(serial, answer); });
  }
  void fail(std::int64_t serial, const std::string& kind, const std::string& reason) {
    without_lock([&] { relay_->fail(serial, kind_of(kind), reason); });
  }
  bool is_over() const {
    return without_lock([&] { return relay_->is_over(); });
  }
  void stop() {
    without_lock([&] { relay_->stop(); });
  }
  nb::list lines() { return list_of_lines(*lines_); }
  nb::list rounds() {
    nb::list out;
    for (const RoundRecord& record : rounds_->take()) out.append(dict_of(record));
    return out;
  }
  nb::dict result() {
    ServedRun run = without_lock([&] { return relay_->result(); });
    nb::dict out;
    out["rounds"] = run.rounds;
    out["lost_rounds"] = run.lost_rounds;
    out["loss"] = run.loss;
    out["posterior"] = run.posterior;
    out["particles"] = array_of(std::move(run.particles));
    return out;
  }
  nb::dict traffic() const {
    const DeskStatus status = without_lock([&] { return relay_->server().desk().status(); });
    nb::dict out;
    std::int64_t in = 0;
    std::int64_t sent = 0;
    for (const AgentStatus& agent : status.agents) {
      in += agent.bytes_in;
      sent += agent.bytes_out;
    }
    out["bytes_up"] = in;
    out["bytes_down"] = sent;
    out["closed_round"] = status.closed_round;
    return out;
  }
  const std::string& state() const { return state_; }
  const std::vector<std::string>& agents() const { return relay_->server().federation().server.agents; }
  Index total_rounds() const { return relay_->server().federation().algorithm().rounds; }

 private:
  std::shared_ptr<const Registry> registry_;
  std::string state_;
  std::shared_ptr<Told<std::string>> lines_ = std::make_shared<Told<std::string>>();
  std::shared_ptr<Told<RoundRecord>> rounds_ = std::make_shared<Told<RoundRecord>>();
  std::unique_ptr<ServerRelay> relay_;
};

OwnRows own_rows(nb::handle x, nb::handle y, const char* name) {
  if (x.is_none() && y.is_none()) return {};
  const std::string labels = std::string(name) + "'s labels";
  return {MatrixArgument(x, {"AgentRelay", name}).view(), vector_of(y, {"AgentRelay", labels.c_str()})};
}

class PyAgentRelay {
 public:
  PyAgentRelay(const std::string& name,
               const std::string& state,
               const std::string& file,
               const std::string& label_file,
               const std::string& test_file,
               const std::string& test_label_file,
               nb::handle x,
               nb::handle y,
               nb::handle test_x,
               nb::handle test_y,
               bool simulate,
               const std::string& data_folder,
               const std::string& forget_factor,
               nb::handle model,
               nb::handle method)
      : registry_(registry_with(model, method)) {
    AgentData data{.rows = own_rows(x, y, "x"),
                   .file = file,
                   .label_file = label_file,
                   .simulate = simulate,
                   .test_rows = own_rows(test_x, test_y, "test_x"),
                   .test_file = test_file,
                   .test_label_file = test_label_file,
                   .data_folder = data_folder,
                   .registry = registry_.get()};
    relay_.emplace(std::move(data),
                   AgentRelayOptions{.name = name,
                                     .state = state,
                                     .forget_factor = forget_factor,
                                     .on_event = [told = lines_](const std::string& line) { told->add(line); }});
  }

  nb::tuple answer(nb::bytes head, nb::list numbers) {
    const Parcel message = parcel_of_python(std::move(head), std::move(numbers));
    return pair_of(without_lock([&] { return relay_->answer(message); }));
  }
  nb::tuple apology(nb::bytes head, nb::list numbers) {
    return pair_of(relay_->apology(parcel_of_python(std::move(head), std::move(numbers))));
  }
  nb::list lines() { return list_of_lines(*lines_); }

 private:
  std::shared_ptr<const Registry> registry_;
  std::shared_ptr<Told<std::string>> lines_ = std::make_shared<Told<std::string>>();
  std::optional<AgentRelay> relay_;
};

}  // namespace

void bind_relays(nb::module_& module) {
  using nb::literals::operator""_a;
  // All mistakes of a configuration at once, as `fedstein serve` would find them.
  module.def(
      "check_federation",
      [](const std::string& document, const std::string& file) { parse_federation(document, file, ""); },
      "document"_a,
      "file"_a);
  nb::class_<PyServerRelay>(module, "ServerRelay", "A federation's server behind an engine that carries its messages.")
      .def(nb::init<const std::string&,
                    const std::string&,
                    const std::string&,
                    const std::string&,
                    bool,
                    int,
                    double,
                    nb::handle,
                    nb::handle>(),
           "document"_a,
           "file"_a = "configuration",
           nb::kw_only(),
           "state"_a = "",
           "data_folder"_a = "",
           "bind_keys"_a = false,
           "tries"_a = 3,
           "probe_seconds"_a = 15.0,
           "model"_a = nb::none(),
           "method"_a = nb::none())
      .def("see", &PyServerRelay::see, "nodes"_a)
      .def("dispatches", &PyServerRelay::dispatches, "patience"_a)
      .def("take", &PyServerRelay::take, "serial"_a, "head"_a, "numbers"_a)
      .def("fail", &PyServerRelay::fail, "serial"_a, "kind"_a, "reason"_a)
      .def("stop", &PyServerRelay::stop)
      .def("lines", &PyServerRelay::lines)
      .def("rounds", &PyServerRelay::rounds)
      .def("result", &PyServerRelay::result)
      .def("traffic", &PyServerRelay::traffic)
      .def_prop_ro("is_over", &PyServerRelay::is_over)
      .def_prop_ro("state", [](const PyServerRelay& self) { return self.state(); })
      .def_prop_ro("total_rounds", &PyServerRelay::total_rounds)
      .def_prop_ro("agents", [](const PyServerRelay& self) {
        nb::list out;
        for (const std::string& name : self.agents()) out.append(name);
        return out;
      });
  nb::class_<PyAgentRelay>(module, "AgentRelay", "An agent behind an engine that carries its messages.")
      .def(nb::init<const std::string&,
                    const std::string&,
                    const std::string&,
                    const std::string&,
                    const std::string&,
                    const std::string&,
                    nb::handle,
                    nb::handle,
                    nb::handle,
                    nb::handle,
                    bool,
                    const std::string&,
                    const std::string&,
                    nb::handle,
                    nb::handle>(),
           "name"_a,
           "state"_a,
           nb::kw_only(),
           "file"_a = "",
           "label_file"_a = "",
           "test_file"_a = "",
           "test_label_file"_a = "",
           "x"_a = nb::none(),
           "y"_a = nb::none(),
           "test_x"_a = nb::none(),
           "test_y"_a = nb::none(),
           "simulate"_a = false,
           "data_folder"_a = "",
           "forget_factor"_a = "",
           "model"_a = nb::none(),
           "method"_a = nb::none())
      .def("answer", &PyAgentRelay::answer, "head"_a, "numbers"_a)
      .def("apology", &PyAgentRelay::apology, "head"_a, "numbers"_a)
      .def("lines", &PyAgentRelay::lines);
}

}  // namespace fedstein::python
