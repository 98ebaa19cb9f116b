// SPDX-License-Identifier: Apache-2.0
#include "fedstein/base/exit_codes.h"

#include <array>
#include <filesystem>
#include <new>

namespace fedstein {
namespace {

struct Row {
  int code;
  const char* meaning;
};

// Codes that no error stands for, and those that several kinds share, are told once.
constexpr std::array kTable = {
    Row{0, "done"},
    Row{kExitNegative, "done, with a negative answer: a claim or a job failed"},
    Row{64, "the command line is wrong"},
    Row{65, "a data file, a certificate, a key or a saved state is invalid"},
    Row{66, "a file or run named on the command line does not exist"},
    Row{69, "not available: a download's host, a server, or a port that is taken"},
    Row{70, "an error in this program, or a computation that diverged"},
    Row{71, "out of memory"},
    Row{73, "a file would be overwritten; --force allows it where that option exists"},
    Row{74, "a file or a run store cannot be read or written"},
    Row{77, "a server refuses an agent, or an agent a server"},
    Row{78, "the configuration is wrong"},
    Row{kExitInterrupted, "interrupted"},
};

}  // namespace

int exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kArgument:
      return 64;
    case ErrorKind::kData:
      return 65;
    case ErrorKind::kMissing:
      return 66;
    case ErrorKind::kUnavailable:
      return 69;
    case ErrorKind::kAlreadyThere:
      return 73;
    case ErrorKind::kInputOutput:
      return 74;
    case ErrorKind::kRefused:
      return 77;
    case ErrorKind::kConfiguration:
      return 78;
    case ErrorKind::kDivergence:
    case ErrorKind::kInternal:
      return 70;
  }
  return 70;
}

int exit_code(const std::exception& error) {
  if (const auto* ours = dynamic_cast<const Error*>(&error)) return exit_code(ours->kind());
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) return 71;
  if (dynamic_cast<const std::filesystem::filesystem_error*>(&error) != nullptr)
    return exit_code(ErrorKind::kInputOutput);
  return 70;
}

std::string sentence_of(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) return "out of memory";
  return error.what();
}

std::string exit_code_table() {
  std::string text;
  for (const Row& row : kTable) {
    std::string code = std::to_string(row.code);
    code.resize(4, ' ');
    text += (text.empty() ? "  " : "\n  ") + code + row.meaning;
  }
  return text;
}

}  // namespace fedstein
