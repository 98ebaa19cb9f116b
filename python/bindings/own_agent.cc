// SPDX-License-Identifier: Apache-2.0
// An agent of a method of the user's own: it answers tasks.
#include <nanobind/stl/string.h>

#include <utility>

#include "arrays.h"
#include "errors.h"
#include "fedstein/federated/state.h"
#include "fedstein/numeric/check.h"
#include "own_halves.h"
#include "settings.h"

namespace fedstein::python {
namespace {

nb::dict dict_of_task(const Task& task) {
  nb::dict out;
  out["round"] = task.round;
  out["agent"] = task.agent;
  out["version"] = task.version;
  out["belief"] = list_of(task.belief);
  return out;
}

class OwnAgent : public AgentSide {
 public:
  OwnAgent(std::string name, nb::object agent)
      : name_(std::move(name)),
        settles_(nb::hasattr(agent, "settle")),
        saves_(nb::hasattr(agent, "save")),
        agent_(std::move(agent)) {}

  Update update(const Task& task) override {
    return in_python([&] {
      return Update{
          task.round, task.agent, belief_of(agent_.get().attr("update")(dict_of_task(task)), "update", "the result")};
    });
  }

  void settle(const Verdict& verdict, const Update& as_sent) override {
    if (!settles_) return;
    in_python([&] {
      nb::dict told;
      told["round"] = verdict.round;
      told["agent"] = verdict.agent;
      told["folded"] = verdict.folded;
      told["weight"] = verdict.weight;
      agent_.get().attr("settle")(told, list_of(as_sent.belief));
    });
  }

  std::string save() const override {
    StateWriter writer(name_);
    writer.text(saves_ ? in_python([&] {
      const nb::object bytes = agent_.get().attr("save")();
      check_argument(nb::isinstance<nb::bytes>(bytes), "save", [&] {
        return "the result is a " + class_name(bytes) + "; it must be bytes";
      });
      const auto held = nb::cast<nb::bytes>(bytes);
      return std::string(held.c_str(), held.size());
    })
                       : std::string());
    return std::move(writer).finish();
  }

  void restore(const std::string& bytes) override {
    StateReader reader(bytes, name_);
    const std::string state = reader.text();
    reader.finish();
    if (!saves_) return;
    in_python([&] { agent_.get().attr("restore")(nb::bytes(state.data(), state.size())); });
  }

  Index state_size() const override { return 0; }

 private:
  std::string name_;
  bool settles_;
  bool saves_;
  Kept agent_;
};

nb::dict dict_of_context(const AgentContext& context, const HeldModel& model, const Settings& settings) {
  nb::dict out;
  out["model"] = nb::cast(model);
  out["x"] = copy_of(context.data.x);
  out["y"] = array_of_reals(context.data.y);
  out["agent"] = context.agent;
  out["agents"] = context.agents;
  out["total_rows"] = context.total_rows;
  out["seed"] = context.seed;
  out["settings"] = dict_of(settings);
  return out;
}

}  // namespace

std::unique_ptr<AgentSide> make_own_agent(const OwnMethod& method,
                                          const HeldModel& model,
                                          const AgentContext& context,
                                          const Settings& settings) {
  return in_python([&]() -> std::unique_ptr<AgentSide> {
    nb::object agent = method.make_agent.get()(dict_of_context(context, model, settings));
    check_argument(nb::hasattr(agent, "update"), method.name.c_str(), [&] {
      return "make_agent returned a " + class_name(agent) + " without update(task)";
    });
    check_argument(nb::hasattr(agent, "save") == nb::hasattr(agent, "restore"), method.name.c_str(), [&] {
      return "the agent " + class_name(agent) + " has one of save and restore; it needs both or none";
    });
    return std::make_unique<OwnAgent>(method.name, std::move(agent));
  });
}

}  // namespace fedstein::python
