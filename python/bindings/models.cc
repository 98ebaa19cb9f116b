// SPDX-License-Identifier: Apache-2.0
#include "models.h"

#include <nanobind/stl/string.h>

#include "fedstein/base/check.h"
#include "model_arguments.h"
#include "settings.h"

namespace fedstein::python {
namespace {

// More than any table has; beyond it, the number of parameters could overflow.
constexpr Index kMostFeatures = Index{1} << 31;

}  // namespace

HeldModel make_held_model(const std::string& name, nb::dict given, const ModelShape& shape) {
  const ModelType& type = Registry::standard().model_type(name);
  HeldModel out{.model = {}, .type = name, .settings = settings_of(type.settings, given, name.c_str()), .shape = shape};
  const auto check_count = [&](const char* what, Index value, Index least) {
    check_argument(value >= least && value <= kMostFeatures, name.c_str(), [&] {
      return std::string(what) + " is " + std::to_string(value) + "; allowed: " + std::to_string(least) + " to " +
             std::to_string(kMostFeatures);
    });
  };
  if (!type.is_toy()) check_count("features", shape.features, 1);
  const bool classifies = shape.labels == LabelKind::kBinary || shape.labels == LabelKind::kMulticlass;
  if (!type.is_toy()) check_count("classes", shape.classes, classifies ? 2 : 0);
  if (type.is_toy()) out.shape = {.features = 1, .classes = 0, .labels = LabelKind::kDensity};
  const bool taken = std::find(type.labels.begin(), type.labels.end(), out.shape.labels) != type.labels.end();
  check_argument(taken, name.c_str(), [&] {
    std::string allowed;
    for (const LabelKind kind : type.labels)
      allowed += (allowed.empty() ? "" : ", ") + std::string(label_kind_name(kind));
    return std::string("labels is '") + label_kind_name(out.shape.labels) + "'; allowed: " + allowed;
  });
  out.model = type.make(out.settings, out.shape);
  return out;
}

void bind_model(nb::module_& module) {
  using nb::literals::operator""_a;
  nb::class_<HeldModel> bound(module, "Model", "A statistical model: prior and likelihood, their scores, predictions.");
  bound
      .def(
          "__init__",
          [](HeldModel* self,
             const std::string& type,
             nb::dict settings,
             Index features,
             Index classes,
             const std::string& labels) {
            const ModelType& known = Registry::standard().model_type(type);
            const LabelKind kind = labels.empty() ? known.labels.at(0) : labels_of(labels, type.c_str());
            new (self) HeldModel(make_held_model(type, settings, {features, classes, kind}));
          },
          "type"_a,
          "settings"_a = nb::dict(),
          "features"_a = 1,
          "classes"_a = 2,
          "labels"_a = "")
      .def_ro("type", &HeldModel::type)
      .def_prop_ro("settings", [](const HeldModel& self) { return dict_of(self.settings); })
      .def_prop_ro("features", [](const HeldModel& self) { return self.shape.features; })
      .def_prop_ro("classes", [](const HeldModel& self) { return self.shape.classes; })
      .def_prop_ro("labels", [](const HeldModel& self) { return std::string(label_kind_name(self.shape.labels)); })
      .def_prop_ro("dimension", [](const HeldModel& self) { return self.model->dimension(); })
      .def_prop_ro("starts_at_zero", [](const HeldModel& self) { return self.model->starts_at_zero(); })
      .def_prop_ro("predicts", [](const HeldModel& self) { return self.model->predictive() != nullptr; })
      .def_ro("is_own", &HeldModel::is_own);
  bind_model_densities(bound);
  bind_model_predictions(bound);
}

}  // namespace fedstein::python
