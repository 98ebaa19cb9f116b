// SPDX-License-Identifier: Apache-2.0
// "Did you mean": the rest of a sentence that refuses a name nobody knows. One rule for verbs, options, keys, values,
// methods, datasets and columns alike.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fedstein {

// Letters to add, to drop, to exchange, or to swap with a neighbour, until one name is the other (Damerau and
// Levenshtein; no letter is touched twice). Capital and small letters count as the same, and so do - and _.
std::size_t letters_apart(std::string_view a, std::string_view b);

// The names that `wrong` was probably meant to be: those least apart from it, if at most a third of its letters (at
// least one) differ; else those of which it is the beginning, or that are its beginning. At most three, and none where
// more are equally near.
std::vector<std::string> names_like(std::string_view wrong, const std::vector<std::string>& names);

struct KnownNames {
  std::string lead = "allowed: ";
  std::string where_all = {};                        // "`fedstein data list` shows all", where only some are listed
  std::string (*shown)(std::string_view) = nullptr;  // how a name is written, where it is foreign; null: as it is
  std::string between = ", ";
};

// "; did you mean 'rounds'? allowed: rounds, scheduler, fraction". The question only where a name is near. Of more than
// a dozen names those most like `wrong`, then how many more there are and where.
std::string instead_of(std::string_view wrong, const std::vector<std::string>& names, const KnownNames& how = {});

// The part of it before the list, "did you mean 'rounds'? ", or nothing.
std::string did_you_mean(std::string_view wrong, const std::vector<std::string>& names, const KnownNames& how = {});
// The list alone, shortened in the same way: "rounds, scheduler, fraction".
std::string names_around(std::string_view wrong, const std::vector<std::string>& names, const KnownNames& how = {});

}  // namespace fedstein
