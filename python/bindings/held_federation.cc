// SPDX-License-Identifier: Apache-2.0
#include "held_federation.h"

#include <string>
#include <utility>

#include "arrays.h"
#include "errors.h"
#include "fedstein/numeric/check.h"
#include "settings.h"

namespace fedstein::python {
namespace {

constexpr const char* kWho = "Federation";

}  // namespace

HeldFederation::HeldFederation(
    HeldMethod method, nb::dict settings, HeldModel model, nb::handle shards, std::uint64_t seed, nb::handle unlabelled)
    : method_(std::move(method)), model_(std::move(model)), rows_(rows_of_shards(shards)) {
  if (method_.for_model) method_.algorithm = std::make_shared<Algorithm>(method_.for_model(model_));
  const Algorithm& algorithm = *method_.algorithm;
  const Settings chosen = settings_of(algorithm.settings, settings, algorithm.name.c_str());
  FederationOptions options{.seed = seed};
  if (!unlabelled.is_none()) {
    unlabelled_ = MatrixArgument(unlabelled, {kWho, "unlabelled"}).view();
    if (!rows_.x.empty()) check_columns(kWho, "unlabelled", unlabelled_, rows_.x.front().cols());
    options.unlabelled = &unlabelled_;
  }
  const std::vector<Batch> batches = rows_.batches();
  federation_ =
      without_lock([&] { return std::make_unique<Federation>(algorithm, chosen, *model_.model, batches, options); });
}

Federation& HeldFederation::between_rounds(const char* what) {
  check_argument(!busy_ || (watched_ && owner_ == std::this_thread::get_id()), kWho, [&] {
    return std::string(what) + " was called while run() works; call it from on_round or afterwards";
  });
  return *federation_;
}

Federation& HeldFederation::at_rest(const char* what) {
  check_argument(!busy_, kWho, [&] { return std::string(what) + " was called while run() works; call it afterwards"; });
  check_argument(readers_ == 0, kWho, [&] {
    return std::string(what) + " was called while the federation is being read or saved; call it afterwards";
  });
  return *federation_;
}

}  // namespace fedstein::python
