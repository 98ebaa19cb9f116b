// SPDX-License-Identifier: Apache-2.0
// The server of a method of the user's own: it starts and folds.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include "arrays.h"
#include "errors.h"
#include "fedstein/federated/versioned_belief.h"
#include "fedstein/numeric/check.h"
#include "own_halves.h"
#include "settings.h"

namespace fedstein::python {
namespace {

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

}  // namespace

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

}  // namespace fedstein::python
