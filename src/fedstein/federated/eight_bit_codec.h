// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/federated/update_codec.h"

namespace fedstein {

// Eight bits a number: every matrix of an update as its difference to the task's matrix at the same place (to zero
// where the shapes differ), in 255 even steps from -scale to +scale, where scale is the largest difference. A number is
// then off by at most scale / 254. A matrix that did not change is exact.
//
// Coded matrices are ordinary ones, 1 x (3 + words): rows, columns, scale, and the codes as whole numbers, as many to
// one Real as fit into its digits: 3 in single precision (8/3 times fewer bytes in large matrices; it pays from about
// ten numbers on), 6 in double (6 times fewer).
//
// For methods whose update is the next belief or near to it. Rounding is to the nearest step, so small differences
// beside a large one are lost.
class EightBitCodec : public UpdateCodec {
 public:
  Update encode(const Update& update, const Task& task) const override;
  Update decode(const Update& coded, const Task& task) const override;
  std::string objection(const Update& coded, const Task& task) const override;
};

}  // namespace fedstein
