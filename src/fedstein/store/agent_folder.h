// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fedstein/exchange/agent_session.h"
#include "fedstein/store/run_lock.h"

namespace fedstein {

// Another process, or another object of this one, works in the folder at the moment.
class FolderInUse : public StoreError {
 public:
  using StoreError::StoreError;
};

// An agent's folder on disk: mode 0700, one record of mode 0600 in it, replaced as a whole (written beside it, synced,
// renamed, folder synced). One process at a time, by a lock of the kernel's.
class AgentFolder : public AgentDisk {
 public:
  // Makes the folder where there is none. Throws StoreError, of which FolderInUse passes.
  explicit AgentFolder(const std::string& path);

  std::optional<std::string> read() const override;
  void replace(const std::string& record) override;
  // As agent.state.old-TIME beside it (UTC), never in the place of an earlier one.
  std::string set_aside() override;

 private:
  std::string folder_;
  std::string record_;
  FileLock lock_;
};

}  // namespace fedstein
