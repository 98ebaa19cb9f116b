// SPDX-License-Identifier: Apache-2.0
#include "fedstein/store/round_text.h"

#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "fedstein/store/run_facts.h"

namespace fedstein {
namespace {

using Json = nlohmann::json;

constexpr std::array kKinds = {Failure::Kind::kLost,
                               Failure::Kind::kTimedOut,
                               Failure::Kind::kDiverged,
                               Failure::Kind::kRefused,
                               Failure::Kind::kBroken};

Failure::Kind kind_from(const std::string& name) {
  for (const Failure::Kind kind : kKinds) {
    if (name == name_of(kind)) return kind;
  }
  throw StoreError("the store is damaged: a failure's kind is '" + name + "'");
}

// What an agent says of its failure need not be UTF-8; a round is not lost for that.
std::string to_text(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// JSON has no number that is not finite.
Json json_of(double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

double number_in(const Json& json) {
  if (json.is_number()) return json.get<double>();
  const auto word = json.get<std::string>();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (word == "inf" || word == "-inf") return word == "inf" ? kInfinity : -kInfinity;
  return std::numeric_limits<double>::quiet_NaN();
}

Json json_of(const std::vector<Failure>& failures) {
  Json out = Json::array();
  for (const Failure& failure : failures) {
    out.push_back({{"round", failure.round},
                   {"agent", failure.agent},
                   {"kind", name_of(failure.kind)},
                   {"reason", failure.reason}});
  }
  return out;
}

std::vector<Failure> failures_in(const Json& json) {
  std::vector<Failure> out;
  for (const Json& item : json) {
    out.push_back({.round = item.at("round").get<Index>(),
                   .agent = item.at("agent").get<Index>(),
                   .kind = kind_from(item.at("kind").get<std::string>()),
                   .reason = item.at("reason").get<std::string>()});
  }
  return out;
}

template <typename Read>
auto read_json(const std::string& text, Read read) {
  try {
    return read(Json::parse(text));
  } catch (const Json::exception& error) {
    throw StoreError("the store is damaged: a round's text cannot be read: " + std::string(error.what()));
  }
}

}  // namespace

std::string agents_to_text(const std::vector<Index>& agents) {
  return to_text(Json(agents));
}

std::string failures_to_text(const std::vector<Failure>& failures) {
  return to_text(json_of(failures));
}

std::string record_to_text(const RoundRecord& record) {
  Json figures = Json::object();
  for (const auto& [name, value] : record.figures) figures[name] = json_of(value);
  return to_text({{"round", record.round},
                  {"scheduled", record.scheduled},
                  {"folded", record.folded},
                  {"failures", json_of(record.failures)},
                  {"seconds", json_of(record.seconds)},
                  {"bytes_down", record.bytes_down},
                  {"bytes_up", record.bytes_up},
                  {"spread", json_of(record.spread)},
                  {"figures", figures}});
}

std::vector<Index> agents_from_text(const std::string& text) {
  return read_json(text, [](const Json& json) { return json.get<std::vector<Index>>(); });
}

std::vector<Failure> failures_from_text(const std::string& text) {
  return read_json(text, failures_in);
}

RoundRecord record_from_text(const std::string& text) {
  return read_json(text, [](const Json& json) {
    RoundRecord out{.round = json.at("round").get<Index>(),
                    .scheduled = json.at("scheduled").get<std::vector<Index>>(),
                    .folded = json.at("folded").get<std::vector<Index>>(),
                    .failures = failures_in(json.at("failures")),
                    .seconds = number_in(json.at("seconds")),
                    .bytes_down = json.at("bytes_down").get<std::int64_t>(),
                    .bytes_up = json.at("bytes_up").get<std::int64_t>(),
                    .spread = number_in(json.at("spread"))};
    for (const auto& [name, value] : json.at("figures").items()) out.figures[name] = number_in(value);
    return out;
  });
}

}  // namespace fedstein
