// SPDX-License-Identifier: Apache-2.0
#include "fedstein/base/instead_of.h"

#include <algorithm>
#include <numeric>

namespace fedstein {
namespace {

// Longer ones are no slip of the keys, and comparing them takes a while.
constexpr std::size_t kLongestName = 64;
// A list of so many is read at a glance.
constexpr std::size_t kMostListed = 12;
constexpr std::size_t kListedOfMore = 6;
// Of equally near names.
constexpr std::size_t kMostMeant = 3;
// A shorter beginning could be anything.
constexpr std::size_t kShortestBeginning = 3;

char folded(char c) {
  if (c >= 'A' && c <= 'Z') return static_cast<char>(c - 'A' + 'a');
  return c == '-' ? '_' : c;
}

bool begins_with(std::string_view name, std::string_view beginning) {
  return name.size() > beginning.size() &&
         std::equal(
             beginning.begin(), beginning.end(), name.begin(), [](char a, char b) { return folded(a) == folded(b); });
}

std::size_t most_apart(std::string_view wrong) {
  return std::max<std::size_t>(1, wrong.size() / 3);
}

// How unlike a name is: the letters apart within the bound, then those it begins, then all others.
std::size_t unlikeness(std::string_view wrong, std::string_view name) {
  const std::size_t bound = most_apart(wrong);
  const std::size_t longer = std::max(wrong.size(), name.size());
  const std::size_t shorter = std::min(wrong.size(), name.size());
  if (longer > kLongestName) return bound + 2;
  const std::size_t apart = longer - shorter > bound ? bound + 1 : letters_apart(wrong, name);
  if (apart <= bound && apart < longer) return apart;
  const bool is_beginning = (wrong.size() >= kShortestBeginning && begins_with(name, wrong)) ||
                            (name.size() > kShortestBeginning && begins_with(wrong, name));
  return is_beginning ? bound + 1 : bound + 2;
}

std::vector<std::size_t> unlikenesses(std::string_view wrong, const std::vector<std::string>& names) {
  std::vector<std::size_t> out;
  out.reserve(names.size());
  for (const std::string& name : names) out.push_back(unlikeness(wrong, name));
  return out;
}

std::string written(const std::string& name, const KnownNames& how) {
  return how.shown == nullptr ? name : how.shown(name);
}

// A foreign name brings quotes of its own.
std::string quoted(const std::string& name, const KnownNames& how) {
  const std::string text = written(name, how);
  return text.starts_with('\'') ? text : "'" + text + "'";
}

}  // namespace

std::size_t letters_apart(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = folded(a[i - 1]) == folded(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      const bool swapped =
          i > 1 && j > 1 && folded(a[i - 1]) == folded(b[j - 2]) && folded(a[i - 2]) == folded(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    std::swap(before_last, last);
    std::swap(last, row);
  }
  return last.back();
}

std::vector<std::string> names_like(std::string_view wrong, const std::vector<std::string>& names) {
  std::vector<std::string> out;
  if (wrong.empty() || names.empty()) return out;
  const std::vector<std::size_t> ranks = unlikenesses(wrong, names);
  const std::size_t best = *std::min_element(ranks.begin(), ranks.end());
  if (best > most_apart(wrong) + 1) return out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool is_new = names[i] != wrong && std::find(out.begin(), out.end(), names[i]) == out.end();
    if (ranks[i] == best && is_new) out.push_back(names[i]);
  }
  if (out.size() > kMostMeant) out.clear();
  return out;
}

std::string did_you_mean(std::string_view wrong, const std::vector<std::string>& names, const KnownNames& how) {
  const std::vector<std::string> like = names_like(wrong, names);
  if (like.empty()) return "";
  std::string text = "did you mean ";
  for (std::size_t i = 0; i < like.size(); ++i) text += (i == 0 ? "" : " or ") + quoted(like[i], how);
  return text + "? ";
}

std::string names_around(std::string_view wrong, const std::vector<std::string>& names, const KnownNames& how) {
  std::vector<std::size_t> order(names.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::size_t listed = names.size();
  if (names.size() > kMostListed) {
    const std::vector<std::size_t> ranks = unlikenesses(wrong, names);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return ranks[a] < ranks[b]; });
    listed = kListedOfMore;
  }
  std::string text;
  for (std::size_t i = 0; i < listed; ++i) text += (i == 0 ? "" : how.between) + written(names[order[i]], how);
  if (listed == names.size()) return text;
  text += " and " + std::to_string(names.size() - listed) + " more";
  return how.where_all.empty() ? text : text + " (" + how.where_all + ")";
}

std::string instead_of(std::string_view wrong, const std::vector<std::string>& names, const KnownNames& how) {
  return "; " + did_you_mean(wrong, names, how) + how.lead + names_around(wrong, names, how);
}

}  // namespace fedstein
