// SPDX-License-Identifier: Apache-2.0
#include "fedstein/relay/server_relay.h"

#include <nanobind/stl/string.h>

#include <memory>
#include <optional>
#include <utility>

#include "arrays.h"
#include "carried.h"
#include "errors.h"
#include "fedstein/base/instead_of.h"
#include "fedstein/numeric/check.h"
#include "own_registry.h"
#include "records.h"
#include "relays.h"

namespace fedstein::python {
namespace {

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

// All mistakes of a configuration at once, as `fedstein serve` would find them; gives the name of its method.
std::string method_of_configuration(const std::string& document,
                                    const std::string& file,
                                    nb::handle model,
                                    nb::handle method) {
  const auto registry = registry_with(model, method);
  return parse_federation(document, file, "", *registry).algorithm().method->name;
}

}  // namespace

void bind_server_relay(nb::module_& module) {
  using nb::literals::operator""_a;
  module.def("check_federation",
             method_of_configuration,
             "document"_a,
             "file"_a,
             "model"_a = nb::none(),
             "method"_a = nb::none());
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
}

}  // namespace fedstein::python
