// SPDX-License-Identifier: Apache-2.0
#include "fedstein/federated/state.h"

#include <cmath>

#include "support/close.h"
#include "support/random_matrix.h"
#include "support/throws.h"

namespace fedstein {
namespace {

std::string sample() {
  StateWriter writer("sample");
  writer.integer(-7);
  writer.number(0.1);
  writer.text("name");
  writer.matrices({random_matrix(3, 4, 1), Matrix(0, 5)});
  return std::move(writer).finish();
}

void read_all(const std::string& bytes) {
  StateReader reader(bytes, "sample");
  reader.integer();
  reader.number();
  reader.text();
  reader.matrices();
  reader.finish();
}

TEST(State, ComesBackToTheBit) {
  const std::string bytes = sample();
  StateReader reader(bytes, "sample");
  EXPECT_EQ(reader.integer(), -7);
  EXPECT_EQ(reader.number(), 0.1);
  EXPECT_EQ(reader.text(), "name");
  const auto matrices = reader.matrices();
  ASSERT_EQ(matrices.size(), 2U);
  EXPECT_TRUE(identical(matrices[0], random_matrix(3, 4, 1)));
  EXPECT_EQ(matrices[1].cols(), 5);
  EXPECT_NO_THROW(reader.finish());
}

TEST(State, EveryFlippedBitAndEveryCutIsSeen) {
  const std::string good = sample();
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string flipped = good;
    flipped[i] = static_cast<char>(flipped[i] ^ 0x10);
    EXPECT_THROW(read_all(flipped), BadState) << "byte " << i;
    EXPECT_THROW(read_all(good.substr(0, i)), BadState) << "cut at " << i;
  }
}

TEST(State, KnowsItsOwnerAndItsEnd) {
  const std::string bytes = sample();
  EXPECT_THROW_MESSAGE(StateReader(bytes, "other"), BadState, "belongs to 'sample', not to 'other'");
  StateReader reader(bytes, "sample");
  EXPECT_THROW_MESSAGE(reader.finish(), BadState, "bytes are left over");
}

// A valid checksum around a lie: sizes must be checked against the bytes, not believed.
TEST(State, SizesThatLieDoNotAllocate) {
  StateWriter writer("liar");
  writer.integer(std::int64_t{1} << 40);
  writer.integer(std::int64_t{1} << 40);
  const std::string bytes = std::move(writer).finish();
  StateReader matrix_reader(bytes, "liar");
  EXPECT_THROW_MESSAGE(matrix_reader.matrix(), BadState, "does not fit");
  StateReader list_reader(bytes, "liar");
  EXPECT_THROW_MESSAGE(list_reader.matrices(), BadState, "matrices do not fit");
  StateReader text_reader(bytes, "liar");
  EXPECT_THROW_MESSAGE(text_reader.text(), BadState, "longer than the bytes");
}

// Rows without columns take no bytes: nobody could look at them one by one.
TEST(State, EmptyMatricesOfAnySizeAreRefused) {
  for (const bool tall : {true, false}) {
    StateWriter writer("liar");
    writer.integer(tall ? std::int64_t{1} << 40 : 0);
    writer.integer(tall ? 0 : std::int64_t{1} << 40);
    const std::string bytes = std::move(writer).finish();
    StateReader reader(bytes, "liar");
    EXPECT_THROW_MESSAGE(reader.matrix(), BadState, ", empty");
  }
}

}  // namespace
}  // namespace fedstein
