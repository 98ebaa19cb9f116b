// SPDX-License-Identifier: Apache-2.0
#include "command_line.h"

#include <charconv>
#include <cmath>

#include "fedstein/base/check.h"
#include "fedstein/base/instead_of.h"
#include "readable.h"

namespace fedstein {
namespace {

// Of a foreign word in a sentence.
constexpr std::size_t kMostOfWord = 60;

std::string shown_word(const std::string& word) {
  return "'" + readable(word, kMostOfWord) + "'";
}

// The verb that the words have come to, and what it is called from the program on.
struct Place {
  const CLI::App* verb = nullptr;
  std::string name = {};
  std::string stranger = {};  // where a verb should stand, and none of that name is
};

Place place_of(const CLI::App& program, const std::vector<std::string>& words) {
  Place out{.verb = &program, .name = program.get_name()};
  for (const std::string& word : words) {
    const auto verbs = out.verb->get_subcommands([](const CLI::App*) { return true; });
    if (verbs.empty() || word.starts_with('-')) break;
    const auto named = out.verb->get_subcommands([&](const CLI::App* verb) { return verb->check_name(word); });
    if (named.empty()) {
      out.stranger = word;
      break;
    }
    out.verb = named.front();
    out.name += " " + out.verb->get_name();
  }
  return out;
}

std::string help_of(const Place& place) {
  return "; `" + place.name + " --help` shows how it is used";
}

std::string unknown_verb(const Place& place) {
  std::vector<std::string> names;
  for (const CLI::App* verb : place.verb->get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(verb->get_name());
  }
  const bool is_inner = place.verb->get_parent() != nullptr;
  return "there is no verb " + shown_word(place.stranger) + (is_inner ? " of `" + place.name + "`" : "") + "; " +
         did_you_mean(place.stranger, names) + "`" + place.name + " --help` lists those there are";
}

std::vector<std::string> options_of(const CLI::App& verb) {
  std::vector<std::string> out;
  for (const CLI::Option* option : verb.get_options()) {
    for (const std::string& name : option->get_lnames()) out.push_back("--" + name);
    for (const std::string& name : option->get_snames()) out.push_back("-" + name);
  }
  return out;
}

std::string unknown_option(const Place& place, const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  return "`" + place.name + "` has no option " + shown_word(name) + "; " + did_you_mean(name, options_of(*place.verb)) +
         "`" + place.name + " --help` lists those it has";
}

}  // namespace

CLI::Validator one_of(std::vector<std::string> words) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : ",") + word;
  return CLI::Validator(
      [words = std::move(words)](const std::string& given) {
        for (const std::string& word : words) {
          if (word == given) return std::string();
        }
        return "is " + shown_word(given) + instead_of(given, words);
      },
      "{" + all + "}");
}

CLI::Validator whole_number(std::int64_t least, std::int64_t most) {
  return CLI::Validator(
      [=](const std::string& given) {
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), value);
        if (error == std::errc() && end == given.data() + given.size() && value >= least && value <= most)
          return std::string();
        const bool is_bounded = most < std::numeric_limits<std::int64_t>::max();
        return "is " + shown_word(given) + "; allowed: a whole number of at least " + std::to_string(least) +
               (is_bounded ? " and at most " + std::to_string(most) : "");
      },
      "");
}

CLI::Validator number_between(double least, double most) {
  return CLI::Validator(
      [=](const std::string& given) {
        double value = 0;
        const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), value);
        const bool is_number = error == std::errc() && end == given.data() + given.size();
        if (is_number && value >= least && value <= most) return std::string();
        return "is " + shown_word(given) + "; allowed: a number of at least " + to_text(least) +
               (std::isfinite(most) ? " and at most " + to_text(most) : "");
      },
      "");
}

std::string command_line_complaint(const CLI::App& program,
                                   const std::vector<std::string>& words,
                                   const CLI::ParseError& error) {
  const Place place = place_of(program, words);
  if (!place.stranger.empty()) return unknown_verb(place);
  const std::vector<std::string> strangers = place.verb->remaining();
  for (const std::string& word : strangers) {
    if (word.size() > 1 && word.starts_with('-')) return unknown_option(place, word);
  }
  if (!strangers.empty()) return shown_word(strangers.front()) + " is one word too many" + help_of(place);
  if (place.verb->get_require_subcommand_min() > 0) return "a verb is missing" + help_of(place);
  return readable(error.what()) + help_of(place);
}

}  // namespace fedstein
