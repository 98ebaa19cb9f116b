// SPDX-License-Identifier: Apache-2.0
// A method of the user's own from Python: a server that starts and folds, agents that answer tasks.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include "arrays.h"
#include "callables.h"
#include "errors.h"
#include "federations.h"
#include "fedstein/federated/versioned_belief.h"
#include "fedstein/numeric/check.h"
#include "fedstein/registry/registry.h"
#include "models.h"
#include "settings.h"

namespace fedstein::python {

namespace {

// What all halves of one method share.
struct OwnMethod {
  std::string name = {};
  Kept start = {};
  Kept fold = {};
  Kept make_agent = {};
  Kept particles = {};
};

nb::dict dict_of_task(const Task& task) {
  nb::dict out;
  out["round"] = task.round;
  out["agent"] = task.agent;
  out["version"] = task.version;
  out["belief"] = list_of(task.belief);
  return out;
}

class OwnServer : public ServerSide {
 public:
  OwnServer(std::shared_ptr<const OwnMethod> method, Belief start, Settings settings)
      : method_(std::move(method)), belief_(std::move(start)), settings_(std::move(settings)) {}

  std::vector<Task> plan(Index round, const std::vector<Index>& agents) const override {
    return belief_.plan(round, agents);
  }
  std::string objection(const Update& update) const override {
    for (const Matrix& part : update.belief) {
      if (first_non_finite(part).row >= 0) return "the update holds a number that is not finite";
    }
    return update.belief.empty() ? "the update is empty" : "";
  }

  std::vector<Verdict> fold(Index round, const std::vector<Update>& updates) override {
    Belief next = in_python([&] {
      nb::list told;
      for (const Update& update : updates) {
        nb::dict one;
        one["agent"] = update.agent;
        one["belief"] = list_of(update.belief);
        told.append(one);
      }
      Belief found =
          belief_of(method_->fold.get()(list_of(belief_.parts()), told, dict_of(settings_)), "fold", "the result");
      check_shapes(found);
      return found;
    });
    for (const Matrix& part : next) {
      if (first_non_finite(part).row >= 0) throw Divergence("fold: the next belief is not finite");
    }
    belief_.replace(std::move(next));
    std::vector<Verdict> verdicts;
    for (const Update& update : updates) verdicts.push_back({round, update.agent, /*folded=*/true, /*weight=*/1});
    return verdicts;
  }

  Particles particles() const override {
    if (!method_->particles) return belief_.front();
    return in_python([&] {
      return Particles(
          MatrixArgument(method_->particles.get()(list_of(belief_.parts())), {"particles", "the result"}).view());
    });
  }

  std::string save() const override { return belief_.save(method_->name); }
  void restore(const std::string& bytes) override { belief_.restore(bytes, method_->name); }

 private:
  void check_shapes(const Belief& found) const {
    const Belief& now = belief_.parts();
    check_argument(found.size() == now.size(), "fold", [&] {
      return "the result has " + std::to_string(found.size()) + " arrays; the belief has " + std::to_string(now.size());
    });
    for (std::size_t i = 0; i < now.size(); ++i) check_same_shape("fold", "the result", found[i], "the belief", now[i]);
  }

  std::shared_ptr<const OwnMethod> method_;
  VersionedBelief belief_;
  Settings settings_;
};

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

std::unique_ptr<ServerSide> make_own_server(const std::shared_ptr<const OwnMethod>& method,
                                            const HeldModel& model,
                                            const ServerContext& context,
                                            const Settings& settings) {
  return in_python([&]() -> std::unique_ptr<ServerSide> {
    nb::object first = method->start.get()(nb::cast(model), nb::cast(context.rows), context.seed, dict_of(settings));
    Belief belief = belief_of(first, "start", "the result");
    for (const Matrix& part : belief) check_finite("start", "the result", part);
    return std::make_unique<OwnServer>(method, std::move(belief), settings);
  });
}

HeldMethod own_method(const std::string& name,
                      nb::handle start,
                      nb::handle fold,
                      nb::handle make_agent,
                      nb::handle particles,
                      bool parallel,
                      bool centralised,
                      nb::list settings,
                      const std::string& summary) {
  constexpr const char* kWho = "Method";
  auto shared = std::make_shared<OwnMethod>();
  shared->name = name;
  shared->start = callable_of(start, {kWho, "start"});
  shared->fold = callable_of(fold, {kWho, "fold"});
  shared->make_agent = callable_of(make_agent, {kWho, "make_agent"});
  shared->particles = callable_of(particles, {kWho, "particles"}, Absent::kAllowed);
  Algorithm algorithm{.name = name, .summary = summary, .centralised = centralised, .parallel = parallel};
  for (const nb::handle one : settings) {
    check_argument(nb::isinstance<nb::dict>(one), kWho, "settings must be a list of dictionaries");
    algorithm.settings.push_back(definition_of(nb::cast<nb::dict>(one), kWho));
  }
  const std::shared_ptr<const OwnMethod> method = shared;
  const auto for_model = [method, algorithm](const HeldModel& model) {
    Algorithm whole = algorithm;
    whole.make_server = [method, model](const ServerContext& context, const Settings& chosen) {
      return make_own_server(method, model, context, chosen);
    };
    whole.make_agent = [method, model](const AgentContext& context, const Settings& chosen) {
      return make_own_agent(*method, model, context, chosen);
    };
    return whole;
  };
  Registry checked;  // the rules for names and settings
  checked.add(for_model({}));
  return {.algorithm = std::make_shared<Algorithm>(algorithm), .for_model = for_model};
}

std::string objection(nb::handle method, const HeldModel& model) {
  const HeldMethod held_method = method_of(method, "method_objection");
  return held_method.algorithm->objection ? held_method.algorithm->objection(*model.model) : std::string();
}

}  // namespace

HeldMethod method_of(nb::handle given, const char* function) {
  if (nb::isinstance<nb::str>(given)) {
    const Algorithm& known = Registry::standard().algorithm(nb::cast<std::string>(given));
    return {.algorithm = std::shared_ptr<const Algorithm>(std::shared_ptr<const Algorithm>(), &known)};
  }
  HeldMethod* own = nullptr;
  check_argument(nb::try_cast(given, own, /*convert=*/false) && own != nullptr, function, [&] {
    return "method is a " + class_name(given) + "; it must be a method's name or a Method";
  });
  return *own;
}

void bind_method(nb::module_& module) {
  using nb::literals::operator""_a;
  nb::class_<HeldMethod>(module, "Method", "A federated method of your own, from functions.")
      .def(
          "__init__",
          [](HeldMethod* self,
             const std::string& name,
             nb::handle start,
             nb::handle fold,
             nb::handle make_agent,
             nb::handle particles,
             bool parallel,
             bool centralised,
             nb::list settings,
             const std::string& summary) {
            new (self) HeldMethod(
                own_method(name, start, fold, make_agent, particles, parallel, centralised, settings, summary));
          },
          "name"_a,
          nb::kw_only(),
          "start"_a,
          "fold"_a,
          "make_agent"_a,
          "particles"_a = nb::none(),
          "parallel"_a = false,
          "centralised"_a = false,
          "settings"_a = nb::list(),
          "summary"_a = "")
      .def_prop_ro("name", [](const HeldMethod& self) { return self.algorithm->name; });
  module.def("method_objection", objection, "method"_a, "model"_a, "Why a method cannot serve a model; empty: it can.");
}

}  // namespace fedstein::python
