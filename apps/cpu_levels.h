// SPDX-License-Identifier: Apache-2.0
// Levels of the x86-64 instruction set: which there are, which this processor runs, and which program a user gets.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace fedstein {

// What the packaged program is built for, the better later; cmake/levels.cmake builds the same ones. x86-64-v2 is not
// among them: its registers are as wide as the first one's, and it would make the package a third larger.
inline constexpr const char* kCpuLevels[] = {"x86-64", "x86-64-v3", "x86-64-v4"};

using CpuLevels = std::vector<std::string>;  // some of kCpuLevels, in their order

// What processor and operating system run together: registers that the latter does not save are of no use. Empty on
// other architectures.
CpuLevels supported_levels();

struct LevelOffer {
  CpuLevels supported = {};
  CpuLevels installed = {};
};

// No program for what a user wants: he may want something else.
class BadLevel : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The level to run: the best that is both supported and installed, or `wanted`, where it is not empty. Throws BadLevel
// when that cannot be had, std::runtime_error when nothing can.
std::string choose_level(const LevelOffer& offer, const std::string& wanted);

// The best supported level, if it is better than the one given; empty if not, and for builds that are for no level.
std::string better_level(const std::string& level, const CpuLevels& supported);

}  // namespace fedstein
