// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

// Declares `folder`, the folder of real data files, or skips the test: they are not part of the project.
#define FEDSTEIN_DATA_FOLDER_OR_SKIP(folder)                                                            \
  const char* const folder##_variable = std::getenv("FEDSTEIN_DATA");                                   \
  if (folder##_variable == nullptr) GTEST_SKIP() << "FEDSTEIN_DATA names no folder of real data files"; \
  const std::string folder = folder##_variable
