// SPDX-License-Identifier: Apache-2.0
// What a live page shows, as named parts of JSON text. A viewer is told of the parts that have changed since it last
// looked, so there is no queue per viewer: whoever reads slowly skips what was replaced meanwhile.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace fedstein {

// One server-sent event.
struct BoardEvent {
  std::uint64_t version = 0;  // the viewer has seen all of it afterwards
  std::string text = {};      // as it is written on the connection; empty: nothing has changed
};

class Board {
 public:
  using Parts = std::map<std::string, std::string>;  // JSON in one line, by name

  Board();

  // All parts that there are now. Those that are as they were keep their version; those that are missing are gone.
  void update(const Parts& parts);

  // For a viewer that has seen everything up to `version`; 0: nothing.
  BoardEvent since(std::uint64_t version) const;
  // What the viewer had seen, by the id of its last event; 0 where that was told by another process.
  std::uint64_t version_of(const std::string& event_id) const;
  // Until there is something newer, the time is up or the board is closed.
  void wait_beyond(std::uint64_t version, std::chrono::milliseconds most) const;

  // Nothing will change any more.
  void close();
  bool closed() const;

 private:
  struct Part {
    std::string json = {};  // empty: the part is gone
    std::uint64_t version = 0;
  };
  std::string origin_;  // of this board alone: a viewer of an earlier process has seen nothing of it
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::map<std::string, Part> parts_;
  std::uint64_t version_ = 0;
  bool closed_ = false;
};

}  // namespace fedstein
