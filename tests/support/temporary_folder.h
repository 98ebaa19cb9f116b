// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace fedstein {

// A folder of its own for a test's files, gone with the object. A test that is killed cannot tidy up: its folder bears
// its process's number, and the next test takes it away.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    static const bool swept = sweep();
    static_cast<void>(swept);
    const std::string name = kBeginning + std::to_string(getpid()) + "-XXXXXX";
    std::string pattern = (std::filesystem::temp_directory_path() / name).string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("TemporaryFolder: cannot create " + pattern);
    path_ = pattern;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  std::string path(const std::string& name) const { return (path_ / name).string(); }

  // Returns the path.
  std::string write(const std::string& name, std::string_view bytes) const {
    std::ofstream file(path(name), std::ios::binary);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!file.flush()) throw std::runtime_error("TemporaryFolder: cannot write " + path(name));
    return path(name);
  }

 private:
  static constexpr const char* kBeginning = "fedstein-test-";

  static bool sweep() {
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::temp_directory_path(), ignored)) {
      const std::string name = entry.path().filename().string();
      if (name.rfind(kBeginning, 0) != 0) continue;
      const int owner = std::atoi(name.c_str() + std::string_view(kBeginning).size());
      if (owner > 0 && kill(owner, 0) != 0 && errno == ESRCH) std::filesystem::remove_all(entry.path(), ignored);
    }
    return true;
  }

  std::filesystem::path path_;
};

}  // namespace fedstein
