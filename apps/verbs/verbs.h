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

void add_run(CLI::App& program, Outcome& outcome);
void add_reproduce(CLI::App& program, Outcome& outcome);
void add_compare(CLI::App& program, Outcome& outcome);
void add_report(CLI::App& program, Outcome& outcome);
void add_export(CLI::App& program, Outcome& outcome);
void add_predict(CLI::App& program, Outcome& outcome);
void add_evaluate(CLI::App& program, Outcome& outcome);
void add_summary(CLI::App& program, Outcome& outcome);
void add_calibrate(CLI::App& program, Outcome& outcome);
void add_data(CLI::App& program, Outcome& outcome);
void add_check_gradients(CLI::App& program, Outcome& outcome);
void add_schema(CLI::App& program, Outcome& outcome);
void add_serve(CLI::App& program, Outcome& outcome);
void add_agent(CLI::App& program, Outcome& outcome);
void add_live(CLI::App& program, Outcome& outcome);
void add_status(CLI::App& program, Outcome& outcome);
void add_ca(CLI::App& program, Outcome& outcome);
void add_flower(CLI::App& program, Outcome& outcome);

using AddVerb = void (*)(CLI::App& program, Outcome& outcome);

// In the order of --help.
inline constexpr AddVerb kVerbs[] = {
    add_run,
    add_reproduce,
    add_compare,
    add_report,
    add_export,
    add_predict,
    add_evaluate,
    add_summary,
    add_calibrate,
    add_data,
    add_check_gradients,
    add_schema,
    add_serve,
    add_agent,
    add_live,
    add_status,
    add_ca,
    add_flower,
};

}  // namespace fedstein
