// SPDX-License-Identifier: Apache-2.0
#include "fedstein/base/instead_of.h"

#include <gtest/gtest.h>

namespace fedstein {
namespace {

using Names = std::vector<std::string>;

TEST(LettersApart, CountsLettersAddedDroppedExchangedAndSwapped) {
  EXPECT_EQ(letters_apart("", ""), 0U);
  EXPECT_EQ(letters_apart("", "abc"), 3U);
  EXPECT_EQ(letters_apart("abc", ""), 3U);
  EXPECT_EQ(letters_apart("rounds", "rounds"), 0U);
  EXPECT_EQ(letters_apart("round", "rounds"), 1U);
  EXPECT_EQ(letters_apart("roundss", "rounds"), 1U);
  EXPECT_EQ(letters_apart("roumds", "rounds"), 1U);
  EXPECT_EQ(letters_apart("ruonds", "rounds"), 1U) << "neighbours that are swapped are one slip";
  EXPECT_EQ(letters_apart("kitten", "sitting"), 3U);
  EXPECT_EQ(letters_apart("ca", "abc"), 3U) << "no letter is touched twice";
}

TEST(LettersApart, TakesCapitalsAndDashesForWhatTheyAre) {
  EXPECT_EQ(letters_apart("Rounds", "rounds"), 0U);
  EXPECT_EQ(letters_apart("learning-rate", "learning_rate"), 0U);
  EXPECT_EQ(letters_apart("learningRate", "learning_rate"), 1U);
}

TEST(LettersApart, IsTheSameInBothDirections) {
  const Names names = {"dsvgd", "dsgvd", "c-dsvgd", "fedavg", "scaffold", "", "a"};
  for (const std::string& a : names) {
    for (const std::string& b : names) EXPECT_EQ(letters_apart(a, b), letters_apart(b, a)) << a << " " << b;
  }
}

TEST(NamesLike, FindsTheNameThatWasMeant) {
  const Names keys = {"rounds", "scheduler", "fraction", "validation"};
  EXPECT_EQ(names_like("round", keys), Names{"rounds"});
  EXPECT_EQ(names_like("shceduler", keys), Names{"scheduler"});
  EXPECT_EQ(names_like("valid", keys), Names{"validation"}) << "the beginning of one";
  EXPECT_EQ(names_like("rounds_per_agent", keys), Names{"rounds"}) << "that begins with one";
  EXPECT_EQ(names_like("rounds", keys), Names{}) << "that is known";
  EXPECT_EQ(names_like("colour", keys), Names{});
  EXPECT_EQ(names_like("", keys), Names{});
  EXPECT_EQ(names_like("rounds", {}), Names{});
}

TEST(NamesLike, TellsNoneApartThatAreEquallyNear) {
  EXPECT_EQ(names_like("dsgvd", {"dsvgd", "dsgld", "fedavg"}), (Names{"dsvgd", "dsgld"}));
  EXPECT_EQ(names_like("bnn", {"bnn-regression", "logistic-regression", "bnn-classification"}),
            (Names{"bnn-regression", "bnn-classification"}));
  EXPECT_EQ(names_like("C9", {"C1", "C2", "C3", "C4"}), Names{}) << "four at once are no help";
}

TEST(NamesLike, DoesNotGuessAtShortOrLongNames) {
  EXPECT_EQ(names_like("xy", {"ab", "a", "x"}), Names{"x"});
  EXPECT_EQ(names_like("q", {"a", "b"}), Names{}) << "one letter for another is another name";
  EXPECT_EQ(names_like(std::string(65, 'a'), {std::string(64, 'a')}), Names{});
}

TEST(InsteadOf, AsksAndLists) {
  const Names keys = {"rounds", "scheduler", "fraction"};
  EXPECT_EQ(instead_of("round", keys), "; did you mean 'rounds'? allowed: rounds, scheduler, fraction");
  EXPECT_EQ(instead_of("colour", keys), "; allowed: rounds, scheduler, fraction");
  EXPECT_EQ(instead_of("round", keys, {.lead = "there are ", .between = "; "}),
            "; did you mean 'rounds'? there are rounds; scheduler; fraction");
}

// What is most like the wrong name comes first: it is what one looks for in the list.
TEST(InsteadOf, ShortensALongList) {
  Names names;
  for (char c = 'a'; c <= 'p'; ++c) names.push_back("set-" + std::string(3, c));
  names.push_back("covertype");
  EXPECT_EQ(instead_of("covertyp", names, {.where_all = "`fedstein data list` shows all"}),
            "; did you mean 'covertype'? allowed: covertype, set-aaa, set-bbb, set-ccc, set-ddd, set-eee and 11 more "
            "(`fedstein data list` shows all)");
  names.resize(12);
  EXPECT_EQ(instead_of("covertyp", names).find("more"), std::string::npos) << "a dozen are listed";
}

TEST(InsteadOf, WritesForeignNamesAsItIsTold) {
  const KnownNames how = {.shown = [](std::string_view name) { return "'" + std::string(name.substr(0, 3)) + "'"; }};
  EXPECT_EQ(instead_of("agee", {"age", "sex"}, how), "; did you mean 'age'? allowed: 'age', 'sex'");
}

}  // namespace
}  // namespace fedstein
