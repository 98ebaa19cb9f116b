// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <thread>
#include <vector>

#include "federation_rows.h"
#include "federations.h"
#include "fedstein/algorithm/federation.h"
#include "models.h"

namespace fedstein::python {

// A federation and everything that it borrows, in the order in which it has to die. Who may use it when is decided
// here.
class HeldFederation {
 public:
  HeldFederation(HeldMethod method,
                 nb::dict settings,
                 HeldModel model,
                 nb::handle shards,
                 std::uint64_t seed,
                 nb::handle unlabelled);

  // What is only allowed between rounds. While run() works, its callback may look, nobody else.
  Federation& between_rounds(const char* what);
  Federation& at_rest(const char* what);
  const Federation& settled() const { return *federation_; }

  // Marks the federation as busy; with the interpreter's lock on both ends.
  class Busy {
   public:
    explicit Busy(HeldFederation& held) : held_(held) {
      held_.busy_ = true;
      held_.owner_ = std::this_thread::get_id();
    }
    ~Busy() { held_.busy_ = false; }
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;

   private:
    HeldFederation& held_;
  };
  // Between two rounds, while the callback looks.
  class Watched {
   public:
    explicit Watched(HeldFederation& held) : held_(held) { held_.watched_ = true; }
    ~Watched() { held_.watched_ = false; }
    Watched(const Watched&) = delete;
    Watched& operator=(const Watched&) = delete;

   private:
    HeldFederation& held_;
  };
  // While somebody reads without the interpreter's lock; with it on both ends.
  class Read {
   public:
    explicit Read(HeldFederation& held) : held_(held) { ++held_.readers_; }
    ~Read() { --held_.readers_; }
    Read(const Read&) = delete;
    Read& operator=(const Read&) = delete;

   private:
    HeldFederation& held_;
  };

  const HeldMethod& method() const { return method_; }
  const HeldModel& model() const { return model_; }
  std::vector<Index> row_counts() const { return rows_.counts(); }

 private:
  HeldMethod method_;
  HeldModel model_;
  HeldRows rows_;
  Matrix unlabelled_ = {};
  std::unique_ptr<Federation> federation_ = {};
  bool busy_ = false;  // all four guarded by the interpreter's lock
  bool watched_ = false;
  int readers_ = 0;
  std::thread::id owner_ = {};
};

}  // namespace fedstein::python
