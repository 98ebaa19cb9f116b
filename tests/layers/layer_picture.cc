// SPDX-License-Identifier: Apache-2.0
#include "layers/layer_picture.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <stdexcept>

namespace fedstein {
namespace {

namespace fs = std::filesystem;

std::set<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  std::set<std::string> out;
  for (std::string word; stream >> word;) out.insert(word);
  return out;
}

// Depth-first: a folder that can reach itself is a cycle.
void refuse_cycle(const LayerPicture& picture, const std::string& start, const std::string& at, int depth) {
  for (const std::string& next : picture.folders.at(at)) {
    if (next == start || depth > 100) throw std::runtime_error("layers.txt: folder " + start + " includes itself");
    refuse_cycle(picture, start, next, depth + 1);
  }
}

void refuse_unknown_folders(const LayerPicture& picture) {
  const auto require = [&](const std::string& folder, const std::string& where) {
    if (!picture.folders.contains(folder)) {
      throw std::runtime_error("layers.txt: " + where + " names the unknown folder '" + folder + "'");
    }
  };
  for (const auto& [folder, used] : picture.folders) {
    for (const std::string& other : used) require(other, "folder " + folder);
  }
  for (const auto& [prefix, users] : picture.libraries) {
    for (const std::string& user : users) require(user, "library " + prefix);
  }
}

bool is_standard_header(const std::string& header) {
  return header.find_first_of("/.") == std::string::npos;
}

std::string complaint_about(const LayerPicture& picture, const std::string& folder, const std::string& header) {
  if (header.rfind("fedstein/", 0) == 0) {
    const std::string rest = header.substr(9);
    const std::string other = rest.substr(0, rest.find('/'));
    if (other == folder || picture.folders.at(folder).contains(other)) return {};
    return "folder " + folder + " may not include folder " + other;
  }
  if (is_standard_header(header)) return {};
  for (const auto& [prefix, users] : picture.libraries) {
    if (header.rfind(prefix, 0) != 0) continue;
    if (users.contains(folder)) return {};
    return "folder " + folder + " may not see the library " + prefix;
  }
  return "the header belongs to no library that layers.txt names";
}

}  // namespace

LayerPicture parse_layer_picture(const std::string& text) {
  static const std::regex kLine(R"(^(folder|library) +([^ :]+) *:(.*)$)");
  LayerPicture picture;
  std::istringstream stream(text);
  int number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    if (line.empty() || line[0] == '#') continue;
    std::smatch match;
    if (!std::regex_match(line, match, kLine)) {
      throw std::runtime_error("layers.txt:" + std::to_string(number) + ": '" + line +
                               "' is neither 'folder NAME: ...' nor 'library PREFIX: ...'");
    }
    (match[1] == "folder" ? picture.folders : picture.libraries)[match[2]] = words(match[3]);
  }
  refuse_unknown_folders(picture);
  for (const auto& [folder, used] : picture.folders) refuse_cycle(picture, folder, folder, 0);
  return picture;
}

std::vector<std::string> wrong_includes(const LayerPicture& picture, const std::string& root) {
  static const std::regex kInclude(R"(^\s*#\s*include\s*[<"]([^>"]+)[>"].*)");
  std::vector<std::string> complaints;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const fs::path relative = fs::relative(entry.path(), root);
    const std::string extension = entry.path().extension().string();
    if (extension != ".h" && extension != ".cc" && extension != ".in") continue;
    const std::string folder = relative.begin()->string();
    if (!picture.folders.contains(folder)) {
      complaints.push_back(relative.string() + ": folder " + folder + " is not in layers.txt");
      continue;
    }
    std::ifstream file(entry.path());
    int number = 0;
    for (std::string line; std::getline(file, line);) {
      ++number;
      std::smatch match;
      if (!std::regex_match(line, match, kInclude)) continue;
      const std::string complaint = complaint_about(picture, folder, match[1]);
      if (complaint.empty()) continue;
      complaints.push_back(relative.string() + ":" + std::to_string(number) + ": #include " + match[1].str() + ": " +
                           complaint);
    }
  }
  std::sort(complaints.begin(), complaints.end());
  return complaints;
}

}  // namespace fedstein
