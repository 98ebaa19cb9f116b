// SPDX-License-Identifier: Apache-2.0
// The extension of one precision. fedstein._load chooses among those that are installed.
#include <nanobind/nanobind.h>

#include "arrays.h"
#include "ending.h"
#include "errors.h"
#include "federations.h"
#include "interrupts.h"
#include "models.h"
#include "particles.h"
#include "posterior.h"
#include "relays.h"
#include "settings.h"

NB_MODULE(FEDSTEIN_MODULE, module) {
  using namespace fedstein::python;    // NOLINT(google-build-using-namespace): the module is made of it
  nanobind::set_leak_warnings(false);  // a user's cycle of objects is no mistake of ours
  translate_errors();
  watch_interrupts();
  watch_ending();
  module.attr("precision") = dtype_name();
  module.attr("version") = FEDSTEIN_VERSION;
  module.attr("built_for") = FEDSTEIN_BUILT_FOR;
  bind_registry(module);
  bind_model(module);
  bind_own_model(module);
  bind_target(module);
  bind_svgd(module);
  bind_diagnostics(module);
  bind_method(module);
  bind_federation(module);
  bind_posterior(module);
  bind_server_relay(module);
  bind_agent_relay(module);
  bind_flower_app(module);
}
