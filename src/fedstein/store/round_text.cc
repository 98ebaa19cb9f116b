// SPDX-License-Identifier: Apache-2.0
#include "fedstein/store/round_text.h"

#include <array>
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

template <typename Read>
auto read_json(const std::string& text, Read read) {
  try {
    return read(Json::parse(text));
  } catch (const Json::exception& error) {
    throw StoreError("the store is damaged: a list of agents or failures cannot be read: " + std::string(error.what()));
  }
}

}  // namespace

std::string agents_to_text(const std::vector<Index>& agents) {
  return to_text(Json(agents));
}

std::string failures_to_text(const std::vector<Failure>& failures) {
  Json out = Json::array();
  for (const Failure& failure : failures) {
    out.push_back({{"round", failure.round},
                   {"agent", failure.agent},
                   {"kind", name_of(failure.kind)},
                   {"reason", failure.reason}});
  }
  return to_text(out);
}

std::vector<Index> agents_from_text(const std::string& text) {
  return read_json(text, [](const Json& json) { return json.get<std::vector<Index>>(); });
}

std::vector<Failure> failures_from_text(const std::string& text) {
  return read_json(text, [](const Json& json) {
    std::vector<Failure> out;
    for (const Json& item : json) {
      out.push_back({.round = item.at("round").get<Index>(),
                     .agent = item.at("agent").get<Index>(),
                     .kind = kind_from(item.at("kind").get<std::string>()),
                     .reason = item.at("reason").get<std::string>()});
    }
    return out;
  });
}

}  // namespace fedstein
