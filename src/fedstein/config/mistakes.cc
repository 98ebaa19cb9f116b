// SPDX-License-Identifier: Apache-2.0
#include "fedstein/config/mistakes.h"

#include <algorithm>
#include <numeric>

namespace fedstein {
namespace {

// More would hide the first ones.
constexpr std::size_t kMostMistakes = 200;

std::string sentence(const Mistake& mistake) {
  return mistake.where + ": " + (mistake.key.empty() ? "" : mistake.key + " ") + mistake.what;
}

std::string sentences(const std::vector<Mistake>& mistakes) {
  std::string text;
  for (const Mistake& mistake : mistakes) text += (text.empty() ? "" : "\n") + sentence(mistake);
  return text;
}

// Levenshtein's: letters to insert, drop or exchange.
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t exchanged = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, exchanged});
    }
  }
  return row.back();
}

// Empty when no name is near: at most a third of the letters may differ.
std::string nearest(std::string_view wrong, const std::vector<std::string>& names) {
  std::string best;
  std::size_t fewest = std::max<std::size_t>(1, wrong.size() / 3) + 1;
  if (wrong.size() > 64) return best;
  for (const std::string& name : names) {
    const std::size_t count = edits(wrong, name);
    if (count < fewest) {
      fewest = count;
      best = name;
    }
  }
  return best;
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

void Mistakes::throw_if_any() const {
  if (!mistakes_.empty()) throw BadConfiguration(mistakes_);
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string instead_of(std::string_view wrong, const std::vector<std::string>& names) {
  const std::string near = nearest(wrong, names);
  return (near.empty() ? "; allowed: " : "; did you mean '" + near + "'? allowed: ") + listed(names);
}

}  // namespace fedstein
