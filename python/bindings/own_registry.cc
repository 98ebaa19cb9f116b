// SPDX-License-Identifier: Apache-2.0
// A user's own model and method under names that a configuration can give.
#include <mutex>
#include <utility>
#include <vector>

#include "federations.h"
#include "fedstein/numeric/check.h"
#include "models.h"
#include "own_registry.h"
#include "raising_agent.h"

namespace fedstein::python {
namespace {

// A registry's models are made anew for every federation; a user's own is one object that all of them share.
class SharedModel : public Model {
 public:
  explicit SharedModel(std::shared_ptr<const Model> model) : model_(std::move(model)) {}

  Index dimension() const override { return model_->dimension(); }
  Index weight_dimension() const override { return model_->weight_dimension(); }
  void draw_prior(Rng& rng, MatrixRef particles) const override { model_->draw_prior(rng, particles); }
  bool starts_at_zero() const override { return model_->starts_at_zero(); }
  void fit_start(const Batch& batch, MatrixRef particles) const override { model_->fit_start(batch, particles); }
  DoubleVector prior_log_density(const ConstMatrixRef& theta) const override {
    return model_->prior_log_density(theta);
  }
  void add_prior_score(const ConstMatrixRef& theta, double weight, MatrixRef grad) const override {
    model_->add_prior_score(theta, weight, grad);
  }
  const Support* support() const override { return model_->support(); }
  void check_data(const Batch& batch) const override { model_->check_data(batch); }
  DoubleVector log_likelihood(const ConstMatrixRef& theta, const Batch& batch) const override {
    return model_->log_likelihood(theta, batch);
  }
  void add_likelihood_score(const ConstMatrixRef& theta,
                            const Batch& batch,
                            double weight,
                            MatrixRef grad) const override {
    model_->add_likelihood_score(theta, batch, weight, grad);
  }
  const Predictive* predictive() const override { return model_->predictive(); }
  const Answers* answers() const override { return model_->answers(); }
  const Curvature* curvature() const override { return model_->curvature(); }
  const GaussNewton* gauss_newton() const override { return model_->gauss_newton(); }
  const Coefficients* coefficients() const override { return model_->coefficients(); }
  const Information* information() const override { return model_->information(); }

 private:
  std::shared_ptr<const Model> model_;
};

ModelType type_of(const HeldModel& held) {
  check_argument(held.is_own, "model", [&] {
    return "'" + held.type + "' is one of fedstein's own models; name it in the configuration and give none here";
  });
  return {.name = held.type,
          .summary = "a model of the user's own",
          .labels = {held.shape.labels},
          .make = [model = held.model](const Settings&, const ModelShape&) -> std::unique_ptr<Model> {
            return std::make_unique<SharedModel>(model);
          }};
}

// What the configuration's model was made of last. A method of the user's own is shown that model as an object of its
// own: Python may keep it for longer than the federation keeps the one that it computes with.
class LatestModel {
 public:
  using Make = std::function<HeldModel()>;

  void set(Make make) {
    const std::lock_guard lock(mutex_);
    make_ = std::move(make);
  }
  HeldModel again() const {
    const std::lock_guard lock(mutex_);
    check_argument(make_ != nullptr, "method", "it was asked for before there was a model");
    return make_();
  }

 private:
  mutable std::mutex mutex_;
  Make make_ = {};
};

ModelType remembered(ModelType type, const std::shared_ptr<LatestModel>& latest) {
  const auto make = type.make;
  const std::string name = type.name;
  type.make = [make, name, latest](const Settings& settings, const ModelShape& shape) {
    latest->set(
        [=] { return HeldModel{.model = make(settings, shape), .type = name, .settings = settings, .shape = shape}; });
    return make(settings, shape);
  };
  return type;
}

// The user's own model is one object, of which nothing need be made again.
ModelType remembered(ModelType type, const HeldModel& held, const std::shared_ptr<LatestModel>& latest) {
  type.make = [make = type.make, held, latest](const Settings& settings, const ModelShape& shape) {
    latest->set([held] { return held; });
    return make(settings, shape);
  };
  return type;
}

Algorithm for_latest(const HeldMethod& own, const std::shared_ptr<LatestModel>& latest) {
  Algorithm out = own.for_model({});
  out.make_server = [own, latest](const ServerContext& context, const Settings& settings) {
    return own.for_model(latest->again()).make_server(context, settings);
  };
  out.make_agent = [own, latest](const AgentContext& context, const Settings& settings) {
    return own.for_model(latest->again()).make_agent(context, settings);
  };
  return out;
}

using MakeAgent = std::function<std::unique_ptr<AgentSide>(const AgentContext&, const Settings&)>;

MakeAgent telling(MakeAgent make, const std::function<void(const std::string&)>& tell) {
  return [make = std::move(make), tell](const AgentContext& context, const Settings& settings) {
    return raising_agent(make(context, settings), tell);
  };
}

}  // namespace

std::shared_ptr<const Registry> registry_with(nb::handle model,
                                              nb::handle method,
                                              const std::function<void(const std::string&)>& tell) {
  HeldModel* held = nullptr;
  check_argument(model.is_none() || (nb::try_cast(model, held, /*convert=*/false) && held != nullptr),
                 "model",
                 "it must be a fedstein.Model of your own, or None");
  const HeldMethod own = method.is_none() ? HeldMethod{} : method_of(method, "method");
  const auto latest = std::make_shared<LatestModel>();
  std::vector<Algorithm> algorithms(Registry::standard().algorithms().begin(), Registry::standard().algorithms().end());
  if (own.for_model) algorithms.push_back(for_latest(own, latest));  // else one of ours, which is there
  auto out = std::make_shared<Registry>();
  for (Algorithm& algorithm : algorithms) {
    if (tell) algorithm.make_agent = telling(algorithm.make_agent, tell);
    out->add(std::move(algorithm));
  }
  for (const ModelType& type : Registry::standard().model_types()) out->add(remembered(type, latest));
  if (held != nullptr) out->add(remembered(type_of(*held), *held, latest));
  return out;
}

}  // namespace fedstein::python
