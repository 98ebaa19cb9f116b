// SPDX-License-Identifier: Apache-2.0
// Who may write a run: one process at a time, and nobody's leftover after it died.
#pragma once

#include <string>

#include "fedstein/store/run_facts.h"

namespace fedstein {

// One byte of the file STORE-lock, locked by the kernel until this object or its process is gone. The file stays: to
// remove it would be a race.
class FileLock {
 public:
  static FileLock wait(const std::string& store, std::int64_t place);
  static FileLock try_once(const std::string& store, std::int64_t place);  // holds() says whether it worked
  // Whether somebody holds it now. To ask takes nothing: whoever wants the lock meanwhile gets it.
  static bool is_held(const std::string& store, std::int64_t place);

  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;
  ~FileLock();
  bool holds() const { return held_; }

 private:
  explicit FileLock(const std::string& store);
  void take(std::int64_t place, bool patient);

  std::string file_;
  int descriptor_ = -1;
  bool held_ = false;
};

// Held by whoever writes rounds of a run, from its begin or resumption to its end.
class RunLock {
 public:
  // Throws StoreError when another process, or another RunLock of this one, holds the run.
  RunLock(const std::string& store, RunId run);

  // Whether somebody is writing the run now.
  static bool is_held(const std::string& store, RunId run);

 private:
  FileLock lock_;
};

}  // namespace fedstein
