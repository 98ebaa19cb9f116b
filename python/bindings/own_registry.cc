// SPDX-License-Identifier: Apache-2.0
// A user's own model and method under names that a configuration can give.
#include <utility>

#include "federations.h"
#include "fedstein/numeric/check.h"
#include "models.h"
#include "relays.h"

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

}  // namespace

std::shared_ptr<const Registry> registry_with(nb::handle model, nb::handle method) {
  auto out = std::make_shared<Registry>(Registry::standard());
  HeldModel* held = nullptr;
  if (!model.is_none()) {
    check_argument(nb::try_cast(model, held, /*convert=*/false) && held != nullptr,
                   "model",
                   "it must be a fedstein.Model of your own, or None");
    out->add(type_of(*held));
  }
  if (method.is_none()) return out;
  const HeldMethod own = method_of(method, "method");
  if (!own.for_model) return out;  // one of ours, which the registry has
  check_argument(held != nullptr, "method", "a method of your own needs the model that it is for; give both");
  out->add(own.for_model(*held));
  return out;
}

}  // namespace fedstein::python
