// SPDX-License-Identifier: Apache-2.0
#include "settings.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <string>

#include "arrays.h"
#include "fedstein/base/check.h"
#include "fedstein/base/instead_of.h"
#include "fedstein/registry/registry.h"

namespace fedstein::python {
namespace {

constexpr LabelKind kKinds[] = {
    LabelKind::kBinary, LabelKind::kMulticlass, LabelKind::kRegression, LabelKind::kCounts, LabelKind::kDensity};

bool is_truth(nb::handle given) {
  if (nb::isinstance<nb::bool_>(given)) return true;
  const std::string type = class_name(given);
  return type == "bool" || type == "bool_";  // NumPy's
}

Index whole_number(nb::handle given, const char* function, const std::string& key) {
  Index out = 0;
  const nb::object number = nb::steal(PyNumber_Index(given.ptr()));
  if (!number.is_valid()) throw nb::python_error();
  check_argument(nb::try_cast(number, out), function, [&] {
    return key + " is " + words_of(number) + "; it must have fewer digits";
  });
  return out;
}

bool is_list(nb::handle given) {
  return nb::isinstance<nb::list>(given) || nb::isinstance<nb::tuple>(given);
}

// The value as what it is; whether it may be that is the definition's affair.
SettingValue value_of(nb::handle given, const char* function, const std::string& key) {
  if (is_truth(given)) return PyObject_IsTrue(given.ptr()) == 1;
  if (PyIndex_Check(given.ptr()) != 0) return whole_number(given, function, key);
  if (nb::isinstance<nb::str>(given)) return text_of(given, {function, key.c_str()});
  if (is_list(given)) {
    IntegerList list;
    for (const nb::handle item : given) {
      check_argument(PyIndex_Check(item.ptr()) != 0 && !is_truth(item), function, [&] {
        return key + " holds " + shown(nb::borrow(item)) + "; a list may hold integers only";
      });
      list.push_back(whole_number(item, function, key));
    }
    return list;
  }
  double number = 0;
  check_argument(nb::hasattr(given, "__float__") && nb::try_cast(given, number), function, [&] {
    return key + " is " + shown(nb::borrow(given)) + "; allowed: a flag, a number, a text or a list";
  });
  return number;
}

nb::object object_of(const SettingValue& value) {
  return std::visit([](const auto& held) -> nb::object { return nb::cast(held); }, value);
}

const char* kind_of(const SettingValue& value) {
  constexpr const char* kNames[] = {"flag", "integer", "number", "text", "integer"};
  return kNames[value.index()];
}

nb::object bound(double value) {
  return std::isfinite(value) ? nb::object(nb::float_(value)) : nb::none();
}

nb::dict definition_dict(const Setting& setting) {
  nb::dict out;
  out["key"] = setting.key;
  out["kind"] = kind_of(setting.standard);
  out["default"] = object_of(setting.standard);
  out["help"] = setting.help;
  out["least"] = setting.least == kAboveZero ? nb::object(nb::float_(0)) : bound(setting.least);
  out["above"] = setting.least == kAboveZero;
  out["most"] = bound(setting.most);
  out["choices"] = nb::cast(setting.choices);
  out["list"] = holds_list(setting);
  out["allowed"] = allowed_values(setting);
  return out;
}

nb::list definition_list(const std::vector<Setting>& settings) {
  nb::list out;
  for (const Setting& setting : settings) out.append(definition_dict(setting));
  return out;
}

nb::list methods() {
  nb::list out;
  for (const Algorithm& algorithm : Registry::standard().algorithms()) {
    nb::dict one;
    one["name"] = algorithm.name;
    one["summary"] = algorithm.summary;
    one["centralised"] = algorithm.centralised;
    one["parallel"] = algorithm.parallel;
    one["settings"] = definition_list(algorithm.settings);
    out.append(one);
  }
  return out;
}

nb::list model_types() {
  nb::list out;
  for (const ModelType& type : Registry::standard().model_types()) {
    nb::list labels;
    for (const LabelKind kind : type.labels) labels.append(label_kind_name(kind));
    nb::dict one;
    one["name"] = type.name;
    one["summary"] = type.summary;
    one["labels"] = labels;
    one["factors"] = type.factors;
    one["settings"] = definition_list(type.settings);
    out.append(one);
  }
  return out;
}

double number_at(nb::dict given, const char* key, double otherwise) {
  return given.contains(key) && !given[key].is_none() ? nb::cast<double>(given[key]) : otherwise;
}

}  // namespace

Settings settings_of(const std::vector<Setting>& definitions, nb::dict given, const char* function) {
  Settings settings(definitions);
  for (const auto& [key, value] : given) {
    check_argument(nb::isinstance<nb::str>(key), function, [&] {
      return "settings has the key " + shown(nb::borrow(key)) + "; keys are texts";
    });
    const std::string name = text_of(key, {function, "a setting's key"});
    if (!settings.has(name)) {
      std::vector<std::string> names;
      for (const Setting& setting : definitions) names.push_back(setting.key);
      refuse(function,
             "there is no setting '" + name + "'" + (names.empty() ? "; it has none" : instead_of(name, names)));
    }
    settings.set(name, value_of(value, function, name));
  }
  return settings;
}

nb::dict dict_of(const Settings& settings) {
  nb::dict out;
  for (const Setting& setting : settings.definitions()) out[setting.key.c_str()] = object_of(settings.at(setting.key));
  return out;
}

Setting definition_of(nb::dict given, const char* function) {
  check_argument(
      given.contains("key") && given.contains("default") && nb::isinstance<nb::str>(given["key"]), function, [&] {
        return "a setting is " + shown(nb::borrow(given)) + "; it needs at least \"key\", a text, and \"default\"";
      });
  Setting out;
  out.key = text_of(given["key"], {function, "key"});
  out.standard = value_of(given["default"], function, out.key);
  if (given.contains("help")) out.help = words_of(given["help"]);
  out.least = number_at(given, "least", out.least);
  out.most = number_at(given, "most", out.most);
  if (given.contains("choices")) {
    for (const nb::handle choice : given["choices"]) out.choices.push_back(text_of(choice, {function, "choices"}));
  }
  return out;
}

LabelKind labels_of(const std::string& name, const char* function) {
  std::vector<std::string> names;
  for (const LabelKind kind : kKinds) {
    if (name == label_kind_name(kind)) return kind;
    names.emplace_back(label_kind_name(kind));
  }
  refuse(function, "labels is '" + name + "'" + instead_of(name, names));
}

void bind_registry(nb::module_& module) {
  module.def("methods", methods, "The methods: name, summary, settings.");
  module.def("model_types", model_types, "The models: name, summary, labels, settings.");
}

}  // namespace fedstein::python
