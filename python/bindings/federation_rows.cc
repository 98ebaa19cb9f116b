// SPDX-License-Identifier: Apache-2.0
#include "federation_rows.h"

#include <string>

#include "arrays.h"
#include "fedstein/base/counted.h"
#include "fedstein/numeric/check.h"

namespace fedstein::python {

std::vector<Batch> HeldRows::batches() const {
  std::vector<Batch> out;
  for (std::size_t k = 0; k < x.size(); ++k) out.emplace_back(x[k], y[k]);
  return out;
}

std::vector<Index> HeldRows::counts() const {
  std::vector<Index> out;
  for (const Matrix& one : x) out.push_back(one.rows());
  return out;
}

HeldRows rows_of_shards(nb::handle shards) {
  constexpr const char* kWho = "Federation";
  HeldRows out;
  check_argument(nb::isinstance<nb::list>(shards) || nb::isinstance<nb::tuple>(shards), kWho, [&] {
    return "shards is a " + class_name(shards) + "; it must be a list of pairs (x, y), one for each agent";
  });
  for (const nb::handle shard : shards) {
    const std::string which = "shards[" + std::to_string(out.x.size()) + "]";
    check_argument(nb::isinstance<nb::tuple>(shard) && nb::len(shard) == 2, kWho, which + " must be a pair (x, y)");
    const std::string name = which + "[0]";
    const std::string label = which + "[1]";
    out.x.emplace_back(MatrixArgument(shard[0], {kWho, name.c_str()}).view());
    out.y.push_back(vector_of(shard[1], {kWho, label.c_str()}));
    check_argument(out.x.back().rows() == out.y.back().size(), kWho, [&] {
      return which + " has " + counted(out.x.back().rows(), "row") + " in x and " +
             counted(out.y.back().size(), "value") + " in y; there must be one for each row";
    });
  }
  return out;
}

}  // namespace fedstein::python
