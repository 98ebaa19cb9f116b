// SPDX-License-Identifier: Apache-2.0
#include "fedstein/data/missing_set.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "fedstein/data/load.h"
#include "fedstein/data/made_sets.h"
#include "fedstein/files/access.h"

namespace fedstein {
namespace {

constexpr std::array<std::string_view, 14> kPublished = {"covertype",
                                                         "mnist",
                                                         "fashion-mnist",
                                                         "kin8nm",
                                                         "naval",
                                                         "power-plant",
                                                         "boston",
                                                         "energy",
                                                         "protein",
                                                         "wine-red",
                                                         "flare-solar",
                                                         "titanic",
                                                         "ecg200",
                                                         "year"};

// As a shell takes it for one word.
std::string as_word(const std::string& path) {
  const bool is_plain = !path.empty() && std::all_of(path.begin(), path.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_-./").find(c) != std::string_view::npos;
  });
  if (is_plain) return path;
  std::string out = "'";
  for (const char c : path) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace

bool has_public_original(const DatasetInfo& info) {
  return std::find(kPublished.begin(), kPublished.end(), info.name) != kPublished.end();
}

std::string ways_to_get(const DatasetInfo& info, const std::string& folder) {
  const std::string own = "point FEDSTEIN_DATA (or --data) at the folder that holds it";
  const auto by = [&](const char* verb, const char* does) {
    return std::string("`fedstein data ") + verb + " " + info.name + " -o " + as_word(folder) + "` " + does +
           " it, or " + own;
  };
  if (can_be_made(info.name)) return by("make", "makes");
  if (has_public_original(info)) return by("fetch", "downloads");
  return own + "; `fedstein data fetch` knows no public original of this set";
}

std::string missing_set_sentence(const DatasetInfo& info, const std::string& folder) {
  for (const std::string& file : info.files) {
    const auto found = locate(folder, file);
    if (!found) return "its file " + file + " is not in the data folder '" + folder + "'; " + ways_to_get(info, folder);
    if (const std::string why = unreadable_because(*found); !why.empty()) return "its file " + *found + ": " + why;
  }
  return "";
}

}  // namespace fedstein
