// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

// The statement must throw exactly this type with a message that contains `part`: an error nobody can read is a bug.
#define EXPECT_THROW_MESSAGE(statement, Type, part)            \
  EXPECT_THROW(                                                \
      {                                                        \
        try {                                                  \
          static_cast<void>(statement);                        \
        } catch (const Type& error) {                          \
          EXPECT_THAT(error.what(), testing::HasSubstr(part)); \
          throw;                                               \
        }                                                      \
      },                                                       \
      Type)
