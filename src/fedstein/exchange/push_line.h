// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/exchange/letters.h"

namespace fedstein {

// An agent's open line, seen from the server. Both functions return at once, whatever the network does.
class PushLine {
 public:
  virtual ~PushLine() = default;
  virtual void push(const Letter& letter) = 0;
  virtual void hang_up() = 0;
};

}  // namespace fedstein
