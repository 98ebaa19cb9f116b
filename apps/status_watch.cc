// SPDX-License-Identifier: Apache-2.0
#include "status_watch.h"

#include <chrono>
#include <condition_variable>
#include <iostream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "fedstein/base/text.h"
#include "fedstein/rpc/address.h"
#include "server_report.h"
#include "stop_signal.h"
#include "terminal.h"

namespace fedstein {
namespace {

std::string time_now() {
  constexpr std::size_t kDate = 11;
  constexpr std::size_t kTime = 8;
  return utc_now().substr(kDate, kTime);
}

// As much as the screen holds, from its upper left corner on, with what stood there before erased: no line wraps and
// nothing scrolls. `last` always has its place.
std::string screen(const std::string& text, const std::string& last) {
  const ScreenSize size = screen_size();
  std::istringstream lines(text);
  std::string out = "\x1b[H";
  std::size_t shown = 0;
  std::size_t left_out = 0;
  constexpr std::size_t kBelow = 3;
  for (std::string line; std::getline(lines, line);) {
    if (shown + kBelow < size.rows) {
      out += line.substr(0, size.columns - 1) + "\x1b[K\n";
      ++shown;
    } else {
      ++left_out;
    }
  }
  if (left_out > 0) out += "... and " + std::to_string(left_out) + " lines more\x1b[K\n";
  return out + last.substr(0, size.columns - 1) + "\x1b[J";
}

class Watch {
 public:
  explicit Watch(const WatchOptions& options) : options_(options), draws_(stdout_is_terminal() && !options.json) {
    if (draws_) std::cout << "\x1b[2J";
  }

  void tell(const std::string& json) {
    latest_ = json;
    silent_ = false;
    if (draws_) {
      std::cout << screen(report_text(json), time_now() + " UTC; Ctrl-C ends this view, not the server") << std::flush;
      return;
    }
    // "about 5 min left" alone is no news.
    const std::string line = options_.json ? nlohmann::ordered_json::parse(json).dump() : report_line(json);
    const std::string news = line.substr(0, line.rfind(", about "));
    if (news == last_) return;
    last_ = news;
    std::cout << (options_.json ? "" : time_now() + " ") << line << std::endl;
  }
  void tell_silence() {
    if (std::exchange(silent_, true)) return;
    const std::string since = time_now() + " no answer; it is tried again";
    if (draws_) std::cout << screen(report_text(latest_), since) << std::flush;
    if (!draws_ && !options_.json) std::cout << since << std::endl;
  }
  ~Watch() {
    if (draws_) std::cout << std::endl;
  }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  bool over() const { return is_over(latest_); }

 private:
  WatchOptions options_;
  bool draws_;
  bool silent_ = false;
  std::string latest_;
  std::string last_;
};

}  // namespace

void watch_status(const LivePlace& place, const WatchOptions& options) {
  const StopSignal signal;
  Watch watch(options);
  watch.tell(fetch_status(place, "/status"));
  std::mutex mutex;
  std::condition_variable_any stopped;
  while (!signal.token().stop_requested()) {
    std::unique_lock lock(mutex);
    stopped.wait_for(lock, signal.token(), std::chrono::duration<double>(options.every), [] { return false; });
    if (signal.token().stop_requested()) return;
    const auto report = ask_server(place, "/status");
    if (report) {
      watch.tell(*report);
    } else if (watch.over()) {
      return;
    } else {
      watch.tell_silence();
    }
  }
}

}  // namespace fedstein
