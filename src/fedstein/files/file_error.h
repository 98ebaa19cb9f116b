// SPDX-License-Identifier: Apache-2.0
// What can go wrong with a file as a file, whatever is in it. Every message starts with "PATH: ".
#pragma once

#include <stdexcept>

namespace fedstein {

class FileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// It cannot be written.
class WriteError : public FileError {
 public:
  using FileError::FileError;
};

// It would be overwritten, and nobody said that it may be.
class AlreadyThere : public FileError {
 public:
  using FileError::FileError;
};

// It is not there, or cannot be read.
class UnreadableFile : public FileError {
 public:
  using FileError::FileError;
};

// A secret that others than its owner can read.
class ExposedFile : public FileError {
 public:
  using FileError::FileError;
};

}  // namespace fedstein
