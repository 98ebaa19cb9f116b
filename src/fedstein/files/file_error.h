// SPDX-License-Identifier: Apache-2.0
// What can go wrong with a file as a file, whatever is in it. Every message starts with "PATH: ".
#pragma once

#include "fedstein/base/error.h"

namespace fedstein {

// With what is in it, unless a class below says otherwise.
class FileError : public Error {
 public:
  explicit FileError(const std::string& sentence) : Error(ErrorKind::kData, sentence) {}

 protected:
  using Error::Error;
};

// It cannot be written.
class WriteError : public FileError {
 public:
  explicit WriteError(const std::string& sentence) : FileError(ErrorKind::kInputOutput, sentence) {}
};

// It would be overwritten, and nobody said that it may be.
class AlreadyThere : public FileError {
 public:
  explicit AlreadyThere(const std::string& sentence) : FileError(ErrorKind::kAlreadyThere, sentence) {}
};

// It is not there, or cannot be read.
class UnreadableFile : public FileError {
 public:
  explicit UnreadableFile(const std::string& sentence) : FileError(ErrorKind::kMissing, sentence) {}
};

// A secret that others than its owner can read.
class ExposedFile : public FileError {
 public:
  using FileError::FileError;
};

}  // namespace fedstein
