// SPDX-License-Identifier: Apache-2.0
#include "fedstein/config/mistakes.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "fedstein/base/instead_of.h"

namespace fedstein {
namespace {

// More would hide the first ones.
constexpr std::size_t kMostMistakes = 200;

std::string sentence(const Mistake& mistake) {
  return mistake.where + ": " + (mistake.key.empty() ? "" : mistake.key + " ") + mistake.what;
}

// The number behind "FILE:"; -1 where there is none, and 0 of --set.
Index line_in(const std::string& where, const std::string& file) {
  if (where == file) return -1;
  if (where.size() <= file.size() + 1 || !where.starts_with(file)) return 0;
  Index line = 0;
  std::from_chars(where.data() + file.size() + 1, where.data() + where.size(), line);
  return line;
}

std::string sentences(const std::vector<Mistake>& mistakes) {
  std::string text;
  for (const Mistake& mistake : mistakes) text += (text.empty() ? "" : "\n") + sentence(mistake);
  return text;
}

}  // namespace

BadConfiguration::BadConfiguration(std::vector<Mistake> mistakes)
    : ErrorOf(sentences(mistakes)), mistakes_(std::move(mistakes)) {}

void Mistakes::add(Index line, const std::string& key, const std::string& what) {
  add(Mistake{line == kSetOption ? "--set" : file_ + ":" + std::to_string(line), shown_text(key), what});
}

void Mistakes::add(const std::string& what) {
  add(Mistake{file_, "", what});
}

void Mistakes::add(Mistake mistake) {
  if (mistakes_.size() > kMostMistakes || !said_.insert(sentence(mistake)).second) return;
  if (mistakes_.size() == kMostMistakes) {
    mistake = {file_, "", "has more mistakes; only the first " + std::to_string(kMostMistakes) + " are listed"};
  }
  mistakes_.push_back(std::move(mistake));
}

// As an editor goes through the file: what is about the whole document first, then what --set says, then by lines.
void Mistakes::throw_if_any() const {
  if (mistakes_.empty()) return;
  std::vector<Mistake> sorted = mistakes_;
  std::stable_sort(sorted.begin(), sorted.end(), [&](const Mistake& a, const Mistake& b) {
    return line_in(a.where, file_) < line_in(b.where, file_);
  });
  throw BadConfiguration(sorted);
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string instead_of_key(std::string_view wrong, const std::vector<std::string>& names) {
  const KnownNames how{.where_all = kWhereAllKeys};
  const std::string ours = word_for(wrong);
  const bool is_there = !ours.empty() && std::find(names.begin(), names.end(), ours) != names.end();
  if (!is_there) return instead_of(wrong, names, how);
  return "; did you mean '" + ours + "'? " + how.lead + names_around(ours, names, how);
}

std::string word_for(std::string_view key) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 22> kWords = {{{"learning_rate", "step"},
                                                                                     {"step", "learning_rate"},
                                                                                     {"clients", "agents"},
                                                                                     {"num_clients", "agents"},
                                                                                     {"n_clients", "agents"},
                                                                                     {"workers", "agents"},
                                                                                     {"iterations", "rounds"},
                                                                                     {"num_rounds", "rounds"},
                                                                                     {"communication_rounds", "rounds"},
                                                                                     {"lr", "learning_rate"},
                                                                                     {"eta", "learning_rate"},
                                                                                     {"epochs", "local_steps"},
                                                                                     {"local_epochs", "local_steps"},
                                                                                     {"batchsize", "batch"},
                                                                                     {"minibatch", "batch"},
                                                                                     {"sep", "separator"},
                                                                                     {"delimiter", "separator"},
                                                                                     {"target", "label"},
                                                                                     {"num_particles", "particles"},
                                                                                     {"n_particles", "particles"},
                                                                                     {"random_seed", "seed"},
                                                                                     {"split", "partition"}}};
  for (const auto& [theirs, ours] : kWords) {
    if (key == theirs) return std::string(ours);
  }
  return "";
}

}  // namespace fedstein
