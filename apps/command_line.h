// SPDX-License-Identifier: Apache-2.0
// What to say of a command line that is wrong, and options that take one of a few words.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace fedstein {

// The option takes one of these words: verb.add_option(...)->check(one_of({"csv", "json"})).
CLI::Validator one_of(std::vector<std::string> words);

// The option takes a whole number.
CLI::Validator whole_number(std::int64_t least, std::int64_t most = std::numeric_limits<std::int64_t>::max());
// The option takes a number.
CLI::Validator number_between(double least, double most = std::numeric_limits<double>::infinity());

// The sentence for a command line that the program could not parse: a verb or an option nobody knows with the one that
// was probably meant, else what the parser says, and where the help is.
std::string command_line_complaint(const CLI::App& program,
                                   const std::vector<std::string>& words,
                                   const CLI::ParseError& error);

}  // namespace fedstein
