// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace fedstein {

// src/fedstein/layers.txt in memory: who may include whom.
struct LayerPicture {
  std::map<std::string, std::set<std::string>> folders;    // folder -> folders it may include
  std::map<std::string, std::set<std::string>> libraries;  // prefix of an outside header -> folders that may include it
};

// Throws std::runtime_error with the line when the text is not a picture, names an unknown folder, or has a cycle.
LayerPicture parse_layer_picture(const std::string& text);

// One sentence per wrong #include of the *.h and *.cc files under root/FOLDER/: "FILE:LINE: ...". Standard headers
// (no slash, no dot) are free.
std::vector<std::string> wrong_includes(const LayerPicture& picture, const std::string& root);

}  // namespace fedstein
