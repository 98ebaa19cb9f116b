// SPDX-License-Identifier: Apache-2.0
// The program's verbs: each adds its subcommand, with help and examples, to the command line. What a verb does happens
// in its callback, which throws one sentence when it cannot be done.
#pragma once

namespace CLI {
class App;
}

namespace fedstein {

// A verb that ended well but has to say no (a claim that fails, an agent that is down) sets exit_code.
struct Outcome {
  int exit_code = 0;
};

using AddVerb = void (*)(CLI::App& program, Outcome& outcome);

// In the order of --help.
inline constexpr AddVerb kVerbs[] = {
    nullptr,
};

}  // namespace fedstein
