// SPDX-License-Identifier: Apache-2.0
#include "fedstein/live/live_place.h"

#include <nlohmann/json.hpp>

#include "fedstein/base/error.h"
#include "fedstein/base/text.h"
#include "fedstein/files/read_file.h"
#include "fedstein/files/whole_file.h"

namespace fedstein {
namespace {

constexpr const char* kName = "/live.json";

struct PlaceText {
  std::string text = {};
  bool is_private = false;
};

PlaceText text_of(const std::string& file) {
  try {
    return {read_private_file(file), true};
  } catch (const ExposedFile&) {
    return {read_file(file), false};
  }
}

}  // namespace

std::optional<LivePlace> live_place_of(const std::string& folder) {
  PlaceText found;
  try {
    found = text_of(folder + kName);
  } catch (const Error&) {
    return std::nullopt;
  }
  const std::string& text = found.text;
  if (json_nesting(text) > kMostJsonNesting) return std::nullopt;
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("port") || !json["port"].is_number_integer()) return std::nullopt;
  LivePlace out{.port = json["port"].get<int>()};
  constexpr int kMostPort = 65535;
  if (out.port < 1 || out.port > kMostPort) return std::nullopt;
  // Our own is private. Another one could name any secret of the reader's, and a port that somebody else listens at.
  if (found.is_private && json.contains("token_file") && json["token_file"].is_string()) {
    out.token_file = json["token_file"].get<std::string>();
  }
  return out;
}

void write_live_place(const std::string& folder, const LivePlace& place) {
  const nlohmann::json json = {{"port", place.port}, {"token_file", place.token_file}};
  write_whole_file(folder + kName,
                   json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n",
                   {.mode = FileMode::kPrivate, .replacing = Replacing::kAnything, .alone = true});
}

}  // namespace fedstein
