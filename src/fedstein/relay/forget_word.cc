// SPDX-License-Identifier: Apache-2.0
#include "fedstein/relay/forget_word.h"

#include <filesystem>
#include <sstream>
#include <utility>

#include "fedstein/base/check.h"
#include "fedstein/files/read_file.h"
#include "fedstein/files/whole_file.h"

namespace fedstein {
namespace {

std::string words_in(const std::string& file) {
  return std::filesystem::exists(file) ? read_file(file) : std::string();
}

}  // namespace

ForgetWord::ForgetWord(const std::string& state, std::string word)
    : file_(state + "/forgotten"), word_(std::move(word)) {
  check_argument(word_.find_first_of(" \t\n\r") == std::string::npos,
                 "forget-factor",
                 "its word has blanks in it; one word is wanted, such as today's date");
  if (word_.empty()) return;
  std::istringstream lines(words_in(file_));
  new_ = true;
  for (std::string known; std::getline(lines, known);) new_ = new_ && known != word_;
}

void ForgetWord::remember() {
  write_whole_file(
      file_, words_in(file_) + word_ + "\n", {.mode = FileMode::kPrivate, .replacing = Replacing::kAnything});
  new_ = false;
}

}  // namespace fedstein
