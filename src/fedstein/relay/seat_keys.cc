// SPDX-License-Identifier: Apache-2.0
#include "fedstein/relay/seat_keys.h"

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <utility>

#include "fedstein/federated/state.h"
#include "fedstein/files/read_file.h"
#include "fedstein/files/sha256.h"
#include "fedstein/files/whole_file.h"

namespace fedstein {
namespace {

std::string digest_of(const std::string& key) {
  Sha256 digest;
  digest.add(key);
  return std::move(digest).hex();
}

constexpr std::size_t kDigits = 64;

}  // namespace

SeatKeys::SeatKeys(std::string file) : file_(std::move(file)) {
  if (!std::filesystem::exists(file_)) return;
  std::istringstream lines(read_file(file_));
  for (std::string line; std::getline(lines, line);) {
    // The name comes last: it may hold blanks.
    if (line.size() < kDigits + 2 || line[kDigits] != ' ') {
      throw BadState(file_ + ": '" + line + "' is not the digest of a key with the name of a seat");
    }
    digest_of_[line.substr(kDigits + 1)] = line.substr(0, kDigits);
  }
}

std::string SeatKeys::objection(const std::string& name, const std::string& key) const {
  if (key.empty()) {
    return "the engine knows no key of its node; seats are bound to keys, so nodes must be registered with one";
  }
  const std::string digest = digest_of(key);
  const auto bound = digest_of_.find(name);
  if (bound != digest_of_.end() && bound->second != digest) {
    return "the seat '" + name + "' is bound to the key of another node";
  }
  const auto other = std::find_if(
      digest_of_.begin(), digest_of_.end(), [&](const auto& one) { return one.second == digest && one.first != name; });
  if (other == digest_of_.end()) return {};
  return "its key is bound to the seat '" + other->first + "', and it asks for '" + name + "'";
}

void SeatKeys::bind(const std::string& name, const std::string& key) {
  const std::string digest = digest_of(key);
  if (digest_of_.contains(name) && digest_of_[name] == digest) return;
  digest_of_[name] = digest;
  std::string text;
  for (const auto& [seat, bound] : digest_of_) text.append(bound).append(" ").append(seat).append("\n");
  write_whole_file(file_, text, {.mode = FileMode::kPrivate, .replacing = Replacing::kAnything});
}

}  // namespace fedstein
