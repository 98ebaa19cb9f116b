// SPDX-License-Identifier: Apache-2.0
// Which program a user of the package gets: the choice by itself, and the launcher among small scripts that say who
// they are. run_levels does the same with the real programs.
#include <gmock/gmock.h>
#include <sysexits.h>

#include "cpu_levels.h"
#include "support/process.h"
#include "support/temporary_folder.h"

namespace fedstein {
namespace {

using testing::HasSubstr;

const CpuLevels kAll = {"x86-64", "x86-64-v3", "x86-64-v4"};
const CpuLevels kOlder = {"x86-64", "x86-64-v3"};

// The sentence of a choice that cannot be made.
std::string refusal(const LevelOffer& offer, const std::string& wanted) {
  try {
    return "no refusal but " + choose_level(offer, wanted);
  } catch (const BadLevel& error) {
    return error.what();
  }
}

TEST(Levels, TheBestThatIsBothSupportedAndInstalledIsChosen) {
  EXPECT_EQ(choose_level({.supported = kAll, .installed = kAll}, ""), "x86-64-v4");
  EXPECT_EQ(choose_level({.supported = kOlder, .installed = kAll}, ""), "x86-64-v3");
  EXPECT_EQ(choose_level({.supported = kAll, .installed = kOlder}, ""), "x86-64-v3");
  EXPECT_EQ(choose_level({.supported = {"x86-64"}, .installed = kAll}, ""), "x86-64");
  EXPECT_EQ(choose_level({.supported = kOlder, .installed = {"x86-64", "x86-64-v4"}}, ""), "x86-64");
}

TEST(Levels, AUserMayWantALesserOne) {
  for (const std::string& level : kAll) {
    EXPECT_EQ(choose_level({.supported = kAll, .installed = kAll}, level), level);
  }
}

TEST(Levels, WhatCannotBeHadIsRefusedWithWhatCan) {
  EXPECT_EQ(refusal({.supported = kOlder, .installed = kAll}, "avx2"),
            "FEDSTEIN_CPU is 'avx2'; allowed: x86-64, x86-64-v3");
  EXPECT_EQ(refusal({.supported = kOlder, .installed = kAll}, "x86-64-v4"),
            "FEDSTEIN_CPU is 'x86-64-v4', which this processor does not run; allowed: x86-64, x86-64-v3");
  EXPECT_EQ(refusal({.supported = kAll, .installed = {"x86-64"}}, "x86-64-v3"),
            "FEDSTEIN_CPU is 'x86-64-v3', which is not installed; allowed: x86-64");
}

TEST(Levels, NothingToRunIsNotTheUsersMistake) {
  try {
    choose_level({.supported = kOlder, .installed = {"x86-64-v4"}}, "");
    FAIL() << "something was chosen";
  } catch (const BadLevel& error) {
    FAIL() << error.what();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(
        error.what(),
        "no program is installed that this processor runs; installed: x86-64-v4, supported: x86-64, x86-64-v3");
  }
}

TEST(Levels, ABetterOneIsNamedOnlyIfThereIsOne) {
  EXPECT_EQ(better_level("x86-64", kAll), "x86-64-v4");
  EXPECT_EQ(better_level("x86-64-v3", kOlder), "");
  EXPECT_EQ(better_level("x86-64-v4", kAll), "");
  EXPECT_EQ(better_level("native", kAll), "");
  EXPECT_EQ(better_level("aarch64", {}), "");
}

#ifdef FEDSTEIN_LAUNCHER

#ifndef __clang__
// A second opinion: the compiler's own detection.
TEST(Levels, TheCompilerSeesTheSameProcessor) {
  CpuLevels expected = {"x86-64"};
  if (__builtin_cpu_supports("x86-64-v3")) expected.emplace_back("x86-64-v3");
  if (__builtin_cpu_supports("x86-64-v4")) expected.emplace_back("x86-64-v4");
  EXPECT_EQ(supported_levels(), expected);
}
#endif

// An installation whose programs print their level, their name and their arguments.
class Installation {
 public:
  explicit Installation(const CpuLevels& levels) {
    std::filesystem::create_directories(folder_.path("bin"));
    std::filesystem::copy(FEDSTEIN_LAUNCHER, folder_.path("bin/fedstein"));
    for (const std::string& level : levels) {
      const std::string place = "libexec/fedstein/" + level;
      std::filesystem::create_directories(folder_.path(place));
      make_executable(folder_.write(place + "/fedstein", "#!/bin/sh\necho " + level + ": \"$@\"\nexit 7\n"));
    }
  }

  // Started through a link from elsewhere, with the given variables.
  Finished run(std::vector<std::string> variables, const std::vector<std::string>& arguments) const {
    const std::string link = folder_.path("link");
    if (!std::filesystem::exists(link)) std::filesystem::create_symlink(folder_.path("bin/fedstein"), link);
    variables.insert(variables.begin(), {"/usr/bin/env", "-i"});
    variables.push_back(link);
    variables.insert(variables.end(), arguments.begin(), arguments.end());
    return run_process(variables, folder_.path("."));
  }

  void make_unusable(const std::string& level) const {
    std::filesystem::permissions(folder_.path("libexec/fedstein/" + level + "/fedstein"), std::filesystem::perms::none);
  }

 private:
  static void make_executable(const std::string& path) {
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  }

  TemporaryFolder folder_;
};

TEST(Launcher, BecomesTheBestProgramWithItsArgumentsAndExitCode) {
  const Finished run = Installation(kAll).run({}, {"run", "a file.toml"});
  EXPECT_EQ(run.output, supported_levels().back() + ": run a file.toml\n") << run.errors;
  EXPECT_EQ(run.code, 7);
}

TEST(Launcher, BecomesTheProgramThatTheUserNames) {
  const Installation installation(kAll);
  for (const std::string& level : supported_levels()) {
    EXPECT_EQ(installation.run({"FEDSTEIN_CPU=" + level}, {"x"}).output, level + ": x\n");
  }
  EXPECT_EQ(installation.run({"FEDSTEIN_CPU="}, {"x"}).output, supported_levels().back() + ": x\n");
}

TEST(Launcher, WithoutBetterProgramsTheOneForEveryProcessorRuns) {
  const Installation installation({"x86-64"});
  EXPECT_EQ(installation.run({}, {"x"}).output, "x86-64: x\n");
  const Finished forced = installation.run({"FEDSTEIN_CPU=x86-64-v3"}, {"x"});
  EXPECT_EQ(forced.code, EX_CONFIG);
  EXPECT_THAT(forced.errors, HasSubstr("fedstein: FEDSTEIN_CPU is 'x86-64-v3', which"));
}

// The C library can be told to see less than there is: a processor without AVX, or a system that does not save it.
TEST(Launcher, AProcessorWithoutVectorsGetsTheProgramForEveryProcessor) {
  const Installation installation(kAll);
  const std::string older = "GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-AVX512F";
  EXPECT_EQ(installation.run({older}, {"x"}).output, "x86-64: x\n");
  const Finished forced = installation.run({older, "FEDSTEIN_CPU=x86-64-v4"}, {"x"});
  EXPECT_EQ(forced.code, EX_CONFIG);
  EXPECT_EQ(forced.errors,
            "fedstein: FEDSTEIN_CPU is 'x86-64-v4', which this processor does not run; allowed: x86-64\n");
}

TEST(Launcher, ABrokenInstallationIsSaid) {
  const Finished empty = Installation({}).run({}, {"x"});
  EXPECT_EQ(empty.code, EX_OSERR);
  EXPECT_THAT(empty.errors, HasSubstr("fedstein: no program is installed that this processor runs; installed: none"));
  const Installation unusable({"x86-64"});
  unusable.make_unusable("x86-64");
  const Finished refused = unusable.run({}, {"x"});
  EXPECT_EQ(refused.code, EX_OSERR);
  EXPECT_THAT(refused.errors, HasSubstr("/libexec/fedstein/x86-64/fedstein: Permission denied"));
}

#endif

}  // namespace
}  // namespace fedstein
