// SPDX-License-Identifier: Apache-2.0
#include "cpu_levels.h"

#include <algorithm>
#include <iterator>

// The C library's answers rather than a compiler's built-in function: clang 14 does not know levels, and "active" says
// that the operating system takes part.
#if defined(__x86_64__)
#include <sys/platform/x86.h>
#endif

namespace fedstein {
namespace {

#if defined(__x86_64__)
// The features by which the System V ABI defines its levels; each includes those before it.
bool runs_v2() {
  return CPU_FEATURE_ACTIVE(CMPXCHG16B) && CPU_FEATURE_ACTIVE(LAHF64_SAHF64) && CPU_FEATURE_ACTIVE(POPCNT) &&
         CPU_FEATURE_ACTIVE(SSE3) && CPU_FEATURE_ACTIVE(SSSE3) && CPU_FEATURE_ACTIVE(SSE4_1) &&
         CPU_FEATURE_ACTIVE(SSE4_2);
}

bool runs_v3() {
  return runs_v2() && CPU_FEATURE_ACTIVE(AVX) && CPU_FEATURE_ACTIVE(AVX2) && CPU_FEATURE_ACTIVE(BMI1) &&
         CPU_FEATURE_ACTIVE(BMI2) && CPU_FEATURE_ACTIVE(F16C) && CPU_FEATURE_ACTIVE(FMA) && CPU_FEATURE_ACTIVE(LZCNT) &&
         CPU_FEATURE_ACTIVE(MOVBE);
}

bool runs_v4() {
  return runs_v3() && CPU_FEATURE_ACTIVE(AVX512F) && CPU_FEATURE_ACTIVE(AVX512BW) && CPU_FEATURE_ACTIVE(AVX512CD) &&
         CPU_FEATURE_ACTIVE(AVX512DQ) && CPU_FEATURE_ACTIVE(AVX512VL);
}
#endif

bool is_among(const CpuLevels& levels, const std::string& level) {
  return std::find(levels.begin(), levels.end(), level) != levels.end();
}

std::ptrdiff_t rank(const std::string& level) {
  return std::distance(std::begin(kCpuLevels), std::find(std::begin(kCpuLevels), std::end(kCpuLevels), level));
}

bool is_known(const std::string& level) {
  return rank(level) < std::ssize(kCpuLevels);
}

std::string joined(const CpuLevels& levels) {
  std::string text;
  for (const std::string& level : levels) text += (text.empty() ? "" : ", ") + level;
  return text;
}

}  // namespace

CpuLevels supported_levels() {
#if defined(__x86_64__)
  CpuLevels levels = {"x86-64"};
  if (runs_v3()) levels.emplace_back("x86-64-v3");
  if (runs_v4()) levels.emplace_back("x86-64-v4");
  return levels;
#else
  return {};
#endif
}

std::string choose_level(const LevelOffer& offer, const std::string& wanted) {
  CpuLevels allowed;
  for (const char* level : kCpuLevels) {
    if (is_among(offer.supported, level) && is_among(offer.installed, level)) allowed.emplace_back(level);
  }
  if (allowed.empty()) {
    throw std::runtime_error("no program is installed that this processor runs; installed: " +
                             (offer.installed.empty() ? "none" : joined(offer.installed)) +
                             ", supported: " + joined(offer.supported));
  }
  if (wanted.empty()) return allowed.back();
  if (is_among(allowed, wanted)) return wanted;
  const char* why = !is_known(wanted)                    ? ""
                    : !is_among(offer.supported, wanted) ? ", which this processor does not run"
                                                         : ", which is not installed";
  throw BadLevel("FEDSTEIN_CPU is '" + wanted + "'" + why + "; allowed: " + joined(allowed));
}

std::string better_level(const std::string& level, const CpuLevels& supported) {
  if (!is_known(level) || supported.empty() || rank(supported.back()) <= rank(level)) return "";
  return supported.back();
}

}  // namespace fedstein
