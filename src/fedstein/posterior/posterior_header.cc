// SPDX-License-Identifier: Apache-2.0
#include "fedstein/posterior/posterior_header.h"

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "fedstein/base/text.h"
#include "fedstein/numeric/check.h"
#include "fedstein/posterior/columns_json.h"

namespace fedstein {
namespace {

using Json = nlohmann::ordered_json;  // in the order in which people read

constexpr const char* kHeader = "header";

constexpr std::array<std::pair<ScalingRule, const char*>, 5> kScalingNames = {{
    {ScalingRule::kNone, "none"},
    {ScalingRule::kUnitInterval, "unit-interval"},
    {ScalingRule::kStandardise, "standardise"},
    {ScalingRule::kPixel, "pixel"},
    {ScalingRule::kFixed, "fixed"},
}};

std::string scaling_name(ScalingRule rule) {
  for (const auto& [known, name] : kScalingNames) {
    if (known == rule) return name;
  }
  refuse(kHeader, "the scaling has no name");
}

ScalingRule scaling_named(const std::string& name) {
  for (const auto& [rule, known] : kScalingNames) {
    if (name == known) return rule;
  }
  refuse(kHeader, "there is no scaling '" + name + "'");
}

Json numbers(const DoubleVector& values) {
  return Json(std::vector<double>(values.begin(), values.end()));
}

DoubleVector numbers(const Json& json) {
  const auto values = json.get<std::vector<double>>();
  return Eigen::Map<const DoubleVector>(values.data(), static_cast<Index>(values.size()));
}

Json settings_json(const Settings& settings) {
  Json out = Json::object();
  for (const Setting& setting : settings.definitions()) {
    std::visit([&](const auto& value) { out[setting.key] = value; }, settings.at(setting.key));
  }
  return out;
}

IntegerList integers(const Json& json) {
  IntegerList out;
  for (const Json& item : json) {
    check_argument(item.is_number_integer(), kHeader, "a list in the model's settings holds other than whole numbers");
    out.push_back(item.get<Index>());
  }
  return out;
}

Settings settings_from(const ModelType& type, const Json& json) {
  Settings settings(type.settings);
  std::size_t older = 0;  // keys that the file's program did not have yet
  if (json.is_object()) {
    for (const auto& [key, value] : type.before) {
      if (json.contains(key)) continue;
      settings.set(key, value);
      ++older;
    }
  }
  check_argument(json.is_object() && json.size() + older == type.settings.size(),
                 kHeader,
                 "the model's settings are not complete");
  for (const Setting& setting : type.settings) {
    if (!json.contains(setting.key) && type.before.contains(setting.key)) continue;
    const Json& value = json.at(setting.key);
    if (value.is_array())
      settings.set(setting.key, integers(value));
    else if (value.is_boolean())
      settings.set(setting.key, value.get<bool>());
    else if (value.is_number_integer())
      settings.set(setting.key, value.get<Index>());
    else if (value.is_number())
      settings.set(setting.key, value.get<double>());
    else
      settings.set(setting.key, value.get<std::string>());
  }
  return settings;
}

Json facts_json(const TrainingFacts& facts) {
  return {{"experiment", facts.experiment},
          {"dataset", facts.dataset},
          {"algorithm", facts.algorithm},
          {"method", facts.method},
          {"rounds", facts.rounds},
          {"agents", facts.agents},
          {"rows", facts.rows},
          {"trial", facts.trial},
          {"seed", facts.seed},
          {"version", facts.version},
          {"precision", facts.precision}};
}

TrainingFacts facts_from(const Json& json) {
  return {.experiment = json.at("experiment"),
          .dataset = json.at("dataset"),
          .algorithm = json.at("algorithm"),
          .method = json.at("method"),
          .rounds = json.at("rounds"),
          .agents = json.at("agents"),
          .rows = json.at("rows"),
          .trial = json.at("trial"),
          .seed = json.at("seed"),
          .version = json.at("version"),
          .precision = json.at("precision")};
}

PosteriorHeader read(const Json& json, const Registry& registry) {
  PosteriorHeader out;
  Posterior& posterior = out.posterior;
  const Json& model = json.at("model");
  posterior.type = model.at("type");
  posterior.shape = {model.at("features"), model.at("classes"), labels_named(model.at("labels"))};
  posterior.class_names = model.at("class_names").get<std::vector<std::string>>();
  posterior.settings = settings_from(registry.model_type(posterior.type), model.at("settings"));
  const Json& scaling = json.at("scaling");
  posterior.scaling = {scaling_named(scaling.at("rule")),
                       numbers(scaling.at("shift")),
                       numbers(scaling.at("spread")),
                       scaling.at("target_shift"),
                       scaling.at("target_spread")};
  posterior.temperature = json.at("temperature");
  posterior.facts = facts_from(json.at("training"));
  out.particles = json.at("particles");
  out.dimension = json.at("dimension");
  out.number_bytes = json.at("number_bytes");
  // Version 1 had none of these.
  if (json.contains("table")) posterior.table = table_from(json.at("table"));
  if (json.contains("layout")) posterior.layout = layout_from(json.at("layout"));
  if (json.contains("ranges")) {
    const Json& ranges = json.at("ranges");
    posterior.ranges = {
        numbers(ranges.at("low")), numbers(ranges.at("high")), ranges.at("target_low"), ranges.at("target_high")};
  }
  out.has_covariance = json.contains("covariance") && json.at("covariance").get<bool>();
  check_argument(out.number_bytes == sizeof(float) || out.number_bytes == sizeof(double), kHeader, [&] {
    return "numbers of " + std::to_string(out.number_bytes) + " bytes; they must be of 4 or 8";
  });
  return out;
}

}  // namespace

std::string header_text(const Posterior& posterior) {
  const Scaling& scaling = posterior.scaling;
  Json json = {{"model",
                {{"type", posterior.type},
                 {"features", posterior.shape.features},
                 {"classes", posterior.shape.classes},
                 {"labels", label_kind_name(posterior.shape.labels)},
                 {"class_names", posterior.class_names},
                 {"settings", settings_json(posterior.settings)}}},
               {"temperature", posterior.temperature},
               {"training", facts_json(posterior.facts)},
               {"particles", posterior.particles.rows()},
               {"dimension", posterior.particles.cols()},
               {"number_bytes", sizeof(Real)},
               {"scaling",
                {{"rule", scaling_name(scaling.rule)},
                 {"shift", numbers(scaling.shift)},
                 {"spread", numbers(scaling.spread)},
                 {"target_shift", scaling.target_shift},
                 {"target_spread", scaling.target_spread}}}};
  if (posterior.table) json["table"] = table_json(*posterior.table);
  if (posterior.layout) json["layout"] = layout_json(*posterior.layout);
  if (const Ranges& ranges = posterior.ranges; ranges.are_known()) {
    json["ranges"] = {{"low", numbers(ranges.low)},
                      {"high", numbers(ranges.high)},
                      {"target_low", ranges.target_low},
                      {"target_high", ranges.target_high}};
  }
  json["covariance"] = posterior.covariance.size() > 0;
  // A dataset's path may hold any bytes; what is not UTF-8 becomes a replacement character.
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

PosteriorHeader header_from(std::string_view text, const Registry& registry) {
  check_argument(json_nesting(text) <= kMostJsonNesting, kHeader, "it is nested deeper than fedstein writes");
  try {
    return read(Json::parse(text), registry);
  } catch (const Json::exception& problem) {
    refuse(kHeader, std::string("it is not what fedstein writes: ") + problem.what());
  }
}

}  // namespace fedstein
