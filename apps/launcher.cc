// SPDX-License-Identifier: Apache-2.0
// The packaged `fedstein` of x86-64: becomes the best program beside it that this processor runs, or the one that
// FEDSTEIN_CPU names. A program of its own, because the real one loads gRPC and others before its first line runs.
#include <sysexits.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <system_error>

#include "cpu_levels.h"

namespace fedstein {
namespace {

// Found from where this program lies, so that the installation may be anywhere and links to it work.
std::filesystem::path levels_folder() {
  return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / FEDSTEIN_LEVELS_FOLDER).lexically_normal();
}

std::filesystem::path program_for(const std::string& level) {
  return levels_folder() / level / "fedstein";
}

CpuLevels installed_levels() {
  CpuLevels levels;
  for (const char* level : kCpuLevels) {
    if (std::filesystem::exists(program_for(level))) levels.emplace_back(level);
  }
  return levels;
}

void become_program(char** arguments) {
  const char* wanted = std::getenv("FEDSTEIN_CPU");
  const LevelOffer offer = {.supported = supported_levels(), .installed = installed_levels()};
  const std::filesystem::path program = program_for(choose_level(offer, wanted == nullptr ? "" : wanted));
  execv(program.c_str(), arguments);
  throw std::system_error(errno, std::generic_category(), "cannot start " + program.string());
}

}  // namespace
}  // namespace fedstein

int main(int, char** argv) {
  try {
    fedstein::become_program(argv);
  } catch (const fedstein::BadLevel& error) {
    std::cerr << "fedstein: " << error.what() << "\n";
    return EX_CONFIG;
  } catch (const std::exception& error) {
    std::cerr << "fedstein: " << error.what() << "\n";
  }
  return EX_OSERR;
}
