// SPDX-License-Identifier: Apache-2.0
// How often files are opened, by whatever process: the kernel counts.
#pragma once

#include <sys/inotify.h>
#include <unistd.h>

#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace fedstein {

// Counts for all files directly in a folder, from now on.
class OpenCounter {
 public:
  explicit OpenCounter(const std::string& folder) : descriptor_(inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
    if (descriptor_ < 0 || inotify_add_watch(descriptor_, folder.c_str(), IN_OPEN) < 0) {
      throw std::runtime_error("inotify does not watch " + folder);
    }
  }
  OpenCounter(const OpenCounter&) = delete;
  OpenCounter& operator=(const OpenCounter&) = delete;
  ~OpenCounter() { close(descriptor_); }

  // Times that the file of this name was opened.
  int opened(const std::string& name) {
    take();
    return counts_[name];
  }

 private:
  void take() {
    std::vector<char> block(1 << 16);
    for (ssize_t count = 0; (count = read(descriptor_, block.data(), block.size())) > 0;) {
      for (ssize_t at = 0; at < count;) {
        inotify_event event = {};
        std::memcpy(&event, block.data() + at, sizeof event);
        const std::size_t begin = static_cast<std::size_t>(at) + sizeof event;
        if ((event.mask & IN_Q_OVERFLOW) != 0) throw std::runtime_error("inotify lost count");
        if (event.len > 0) ++counts_[std::string(block.data() + begin)];
        at += static_cast<ssize_t>(sizeof event + event.len);
      }
    }
  }

  int descriptor_;
  std::map<std::string, int> counts_ = {};
};

}  // namespace fedstein
