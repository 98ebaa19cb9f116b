// SPDX-License-Identifier: Apache-2.0
// What every exception of this library has in common: one sentence, and a kind. A program that wants to treat all of
// them alike catches Error; one that tells them apart asks the kind, or catches the classes derived from it.
#pragma once

#include <stdexcept>
#include <string>

namespace fedstein {

// Whose problem it is. base/exit_codes.h has the exit code of each.
enum class ErrorKind {
  kArgument,       // the caller asked for something that is not allowed
  kData,           // a file, a certificate or a saved state holds what it should not
  kMissing,        // something named is not there, or cannot be read
  kUnavailable,    // somebody else is not available: a host, a server, a port that is taken
  kAlreadyThere,   // a file would be overwritten
  kInputOutput,    // a file or a store cannot be read or written
  kRefused,        // a server refuses an agent, or an agent a server
  kConfiguration,  // the configuration is wrong
  kDivergence,     // a computation left the finite numbers
  kInternal,       // a mistake of this library, or a machine that does not do what it should
};

class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& sentence) : std::runtime_error(sentence), kind_(kind) {}

  ErrorKind kind() const { return kind_; }

 private:
  ErrorKind kind_;
};

// The base of a named error of one kind: class DataError : public ErrorOf<ErrorKind::kData>.
template <ErrorKind kKind>
class ErrorOf : public Error {
 public:
  explicit ErrorOf(const std::string& sentence) : Error(kKind, sentence) {}
};

}  // namespace fedstein
