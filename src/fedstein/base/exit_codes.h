// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <string>

#include "fedstein/base/error.h"

namespace fedstein {

// Codes that no error stands for: the answer is no, as a claim or a job that failed; Ctrl-C ended the program.
inline constexpr int kExitNegative = 1;
inline constexpr int kExitInterrupted = 130;

// The exit code of a program that ends with such an error, in the manner of sysexits.h. One table serves the program,
// its help and its tests.
int exit_code(ErrorKind kind);
// Of any exception: an Error's by its kind, 74 for what the file system refuses, 71 where memory is out, 70 for all
// others.
int exit_code(const std::exception& error);
// What to tell the user of it.
std::string sentence_of(const std::exception& error);

// The table as the help prints it, a line for every code.
std::string exit_code_table();

}  // namespace fedstein
