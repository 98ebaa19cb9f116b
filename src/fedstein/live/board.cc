// SPDX-License-Identifier: Apache-2.0
#include "fedstein/live/board.h"

#include <random>

namespace fedstein {
namespace {

// Of our own making: letters, digits and dots.
std::string quoted(const std::string& name) {
  return "\"" + name + "\"";
}

}  // namespace

Board::Board() {
  std::random_device random;
  origin_ = std::to_string(random()) + "-" + std::to_string(random());
}

void Board::update(const Parts& parts) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t next = version_ + 1;
  bool changed = false;
  const auto put = [&](Part& part, const std::string& json) {
    if (part.version > 0 && part.json == json) return;
    part = {json, next};
    changed = true;
  };
  for (auto& [name, part] : parts_) {
    if (!parts.contains(name)) put(part, {});
  }
  for (const auto& [name, json] : parts) put(parts_[name], json);
  if (!changed) return;
  version_ = next;
  changed_.notify_all();
}

BoardEvent Board::since(std::uint64_t version) const {
  const std::lock_guard lock(mutex_);
  if (version == version_) return {version_, {}};
  std::string data;
  for (const auto& [name, part] : parts_) {
    const bool unknown = version == 0 && part.json.empty();
    if (part.version <= version || unknown) continue;
    data += (data.empty() ? "" : ",") + quoted(name) + ":" + (part.json.empty() ? "null" : part.json);
  }
  return {version_,
          "id: " + origin_ + "." + std::to_string(version_) + "\nevent: " + (version == 0 ? "whole" : "change") +
              "\ndata: {" + data + "}\n\n"};
}

std::uint64_t Board::version_of(const std::string& event_id) const {
  const std::string own = origin_ + ".";
  constexpr std::size_t kMostDigits = 18;
  if (!event_id.starts_with(own)) return 0;
  const std::string digits = event_id.substr(own.size());
  if (digits.empty() || digits.size() > kMostDigits || digits.find_first_not_of("0123456789") != std::string::npos) {
    return 0;
  }
  const std::uint64_t version = std::stoull(digits);
  const std::lock_guard lock(mutex_);
  return version <= version_ ? version : 0;
}

void Board::wait_beyond(std::uint64_t version, std::chrono::milliseconds most) const {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, most, [&] { return version_ > version || closed_; });
}

void Board::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  changed_.notify_all();
}

bool Board::closed() const {
  const std::lock_guard lock(mutex_);
  return closed_;
}

}  // namespace fedstein
