// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

#include <vector>

#include "fedstein/model/batch.h"

namespace fedstein::python {

namespace nb = nanobind;

// The rows of all agents: copies, because a row that changed after it was checked could lead anywhere.
struct HeldRows {
  std::vector<Matrix> x = {};
  std::vector<Vector> y = {};

  std::vector<Batch> batches() const;  // borrowed from this
  std::vector<Index> counts() const;
};

// Of a list of pairs (x, y). Throws InvalidArgument naming the shard.
HeldRows rows_of_shards(nb::handle shards);

}  // namespace fedstein::python
