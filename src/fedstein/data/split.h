// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fedstein/data/dataset.h"

namespace fedstein {

// Row numbers of a dataset, every row in exactly one of the two.
struct Split {
  std::vector<Index> train;
  std::vector<Index> test;
};

// A random permutation (stream kSplit of the seed), its first part for testing: round(fraction * rows) rows. Both parts
// get at least one row, or it is an error.
Split random_split(Index rows, double test_fraction, std::uint64_t seed);

// What one agent keeps back of its own rows to judge what it is sent: round(share * rows) of them, drawn by its own
// stream kValidation of the seed, at least one where it has two or more and never all. `test` is what is kept back,
// both parts in ascending order. A share of 0: nothing.
Split keep_back(Index rows, double share, std::uint64_t seed, Index agent);

// A split that came with the data: rows 0..train_rows-1 train, the rest test, in the file's order.
Split given_split(Index rows, Index train_rows);

// These rows test, the others train, ascending.
Split split_by_test_rows(Index rows, std::span<const Index> test);

// Groups, such as patients, that share nothing with the training rows: round(fraction * units) of them are held out,
// where a unit is one group, or one of `linked` - sets of groups that may only be held out together.
struct HoldOut {
  double test_fraction = 0.2;
  std::vector<std::vector<Index>> linked;
  std::uint64_t seed = 0;
};
Split hold_out_groups(const Dataset& dataset, const HoldOut& options);

// The same with the groups to test on named; linked groups must be named together by the caller.
Split hold_out_groups(const Dataset& dataset, std::span<const Index> test_groups);

}  // namespace fedstein
