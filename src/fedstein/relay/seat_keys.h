// SPDX-License-Identifier: Apache-2.0
// Which key each seat belongs to, once an agent has taken it: a file in the server's state folder. An engine's numbers
// of nodes change with every start, a registered key does not. Private.
#pragma once

#include <map>
#include <string>

namespace fedstein {

class SeatKeys {
 public:
  // Throws FileError or BadState for a file that is none of ours.
  explicit SeatKeys(std::string file);

  // Why a node with this key cannot have the seat; empty: it can.
  std::string objection(const std::string& name, const std::string& key) const;
  // The seat is this key's from now on; on disk when this returns.
  void bind(const std::string& name, const std::string& key);

 private:
  std::string file_;
  std::map<std::string, std::string> digest_of_;  // by name of the seat
};

}  // namespace fedstein
