// SPDX-License-Identifier: Apache-2.0
#include "progress.h"

#include <algorithm>
#include <iostream>

#include "fedstein/base/text.h"
#include "fedstein/experiment/table.h"
#include "terminal.h"

namespace fedstein {
namespace {

constexpr double kRedrawSeconds = 0.1;
constexpr double kPlainSeconds = 30;  // between plain lines, unless a tenth of the run has passed
constexpr int kBarWidth = 24;

std::string bar(double share) {
  const int full = static_cast<int>(share * kBarWidth + 0.5);
  std::string text;
  for (int i = 0; i < kBarWidth; ++i) text += i < full ? "█" : "░";
  return text;
}

double share_of(const Progress& progress) {
  return progress.rounds > 0 ? static_cast<double>(progress.rounds_done) / static_cast<double>(progress.rounds) : 0;
}

}  // namespace

std::string progress_text(const Progress& progress) {
  const auto done = static_cast<double>(progress.rounds_done - progress.rounds_before);
  const double rate = progress.seconds > 0 ? done / progress.seconds : 0;
  std::string out = "job " + std::to_string(std::min(progress.jobs_done + 1, progress.jobs)) + " of " +
                    std::to_string(progress.jobs) + ", round " + std::to_string(progress.rounds_done) + " of " +
                    std::to_string(progress.rounds) + ", " + digits_text(rate, 3) + " a second";
  if (rate > 0) {
    out += ", " + duration_text(static_cast<double>(progress.rounds - progress.rounds_done) / rate) + " left";
  }
  return out;
}

ProgressLine::ProgressLine() : terminal_(stderr_is_terminal()) {}

ProgressLine::~ProgressLine() {
  if (drawn_) std::cerr << "\r\x1b[K" << std::flush;
}

void ProgressLine::show(const Progress& progress) {
  const bool last = progress.jobs_done == progress.jobs;
  if (terminal_) {
    if (last || progress.seconds - shown_at_ >= kRedrawSeconds) redraw(progress);
  } else {
    report(progress);
  }
}

void ProgressLine::redraw(const Progress& progress) {
  shown_at_ = progress.seconds;
  drawn_ = true;
  const auto room = static_cast<std::size_t>(std::max(20, terminal_width() - 2));
  std::string text = progress_text(progress) + "  " + progress.label;
  const std::size_t taken = kBarWidth + 1;
  if (text.size() + taken > room) text.resize(room > taken ? room - taken : 0);
  std::cerr << "\r" << bar(share_of(progress)) << " " << text << "\x1b[K" << std::flush;
}

void ProgressLine::report(const Progress& progress) {
  const auto tenths = static_cast<Index>(10 * share_of(progress));
  if (tenths <= tenths_ && progress.seconds - shown_at_ < kPlainSeconds) return;
  shown_at_ = progress.seconds;
  tenths_ = tenths;
  std::cerr << progress_text(progress) << "\n";
}

}  // namespace fedstein
