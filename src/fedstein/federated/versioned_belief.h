// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "fedstein/federated/sides.h"
#include "fedstein/federated/state.h"

namespace fedstein {

// What most servers keep: a belief, and how many rounds it has taken in. Plans, objects, saves and restores for them.
class VersionedBelief {
 public:
  // start: before anybody's data. Its shapes are those of every later belief.
  explicit VersionedBelief(Belief start) : parts_(std::move(start)) {}

  const Belief& parts() const { return parts_; }
  const Matrix& operator[](std::size_t part) const { return parts_[part]; }
  const Matrix& front() const { return parts_.front(); }
  Index version() const { return version_; }

  // The same task for all of these agents.
  std::vector<Task> plan(Index round, const std::vector<Index>& agents) const;
  // Shapes and finite values, compared with the belief's own.
  std::string objection(const Update& update) const { return objection_to(update, parts_); }
  // One round more. Nothing is thrown.
  void replace(Belief next) noexcept;

  void write(StateWriter& writer) const;
  // What write() wrote, for the caller to keep once everything else is read. Throws BadState unless its shapes are this
  // belief's and its values finite.
  VersionedBelief read(StateReader& reader) const;

  // For servers that have nothing else to save. owner: names the server in saved state.
  std::string save(std::string_view owner) const;
  void restore(const std::string& bytes, std::string_view owner);

 private:
  Belief parts_;
  Index version_ = 0;
};

}  // namespace fedstein
