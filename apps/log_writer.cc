// SPDX-License-Identifier: Apache-2.0
#include "log_writer.h"

#include <condition_variable>
#include <deque>
#include <iostream>
#include <mutex>
#include <thread>

namespace fedstein {
namespace {

constexpr std::size_t kMostLines = 10000;

}  // namespace

struct LogWriter::State {
  std::mutex mutex = {};
  std::condition_variable changed = {};
  std::deque<std::string> lines = {};
  std::size_t dropped = 0;
  bool closing = false;
  bool idle = true;

  void write_lines() {
    std::unique_lock lock(mutex);
    for (;;) {
      changed.wait(lock, [&] { return closing || !lines.empty(); });
      if (lines.empty()) return;
      std::string line = std::move(lines.front());
      lines.pop_front();
      if (lines.empty() && dropped > 0) {
        line += "\n" + std::to_string(dropped) + " lines were dropped here: nobody took them";
        dropped = 0;
      }
      idle = false;
      lock.unlock();
      std::cerr << line + "\n";
      lock.lock();
      idle = true;
      changed.notify_all();
    }
  }
};

LogWriter::LogWriter() : state_(std::make_shared<State>()) {
  // Detached, with a share in what it uses: a write that never returns must not keep the program from its end.
  std::thread([state = state_] { state->write_lines(); }).detach();
}

LogWriter::~LogWriter() {
  constexpr auto kPatience = std::chrono::seconds(2);
  std::unique_lock lock(state_->mutex);
  state_->closing = true;
  state_->changed.notify_all();
  state_->changed.wait_for(lock, kPatience, [&] { return state_->lines.empty() && state_->idle; });
}

void LogWriter::write(const std::string& line) {
  const std::lock_guard lock(state_->mutex);
  if (state_->lines.size() >= kMostLines) {
    ++state_->dropped;
    return;
  }
  state_->lines.push_back(line);
  state_->changed.notify_all();
}

}  // namespace fedstein
