// SPDX-License-Identifier: Apache-2.0
#include "fedstein/base/settings.h"

#include "fedstein/methods/p_dsvgd.h"
#include "fedstein/methods/registry.h"
#include "fedstein/numeric/check.h"
#include "support/throws.h"

namespace fedstein {
namespace {

Settings sample() {
  return Settings({{.key = "count", .standard = Index{3}, .help = "", .least = 1},
                   {.key = "rate", .standard = 0.5, .help = "", .least = 0, .most = 1},
                   {.key = "kind", .standard = std::string("a"), .help = "", .choices = {"a", "b"}},
                   {.key = "on", .standard = false, .help = ""}});
}

TEST(Settings, AreAtTheirDefaultsUntilSet) {
  Settings settings = sample();
  EXPECT_EQ(settings.integer("count"), 3);
  settings.set("count", Index{9});
  settings.set("rate", Index{1});  // an integer where a number is asked for
  settings.set("kind", std::string("b"));
  settings.set("on", true);
  EXPECT_EQ(settings.integer("count"), 9);
  EXPECT_EQ(settings.number("rate"), 1);
  EXPECT_EQ(settings.text("kind"), "b");
  EXPECT_TRUE(settings.flag("on"));
}

TEST(Settings, RefuseWithKeyValueAndWhatIsAllowed) {
  Settings settings = sample();
  EXPECT_THROW_MESSAGE(
      settings.set("count", Index{0}), InvalidArgument, "count is 0; allowed: an integer of at least 1");
  EXPECT_THROW_MESSAGE(settings.set("rate", 1.5), InvalidArgument, "allowed: a number of at least 0 and at most 1");
  EXPECT_THROW_MESSAGE(settings.set("rate", std::nan("")), InvalidArgument, "rate is nan");
  EXPECT_THROW_MESSAGE(settings.set("kind", std::string("c")), InvalidArgument, "kind is 'c'; allowed: one of a, b");
  EXPECT_THROW_MESSAGE(settings.set("on", Index{1}), InvalidArgument, "allowed: true or false");
  EXPECT_THROW_MESSAGE(settings.set("count", 2.5), InvalidArgument, "count is 2.5; allowed: an integer");
  EXPECT_THROW_MESSAGE(settings.set("colour", true), InvalidArgument, "unknown key 'colour'; allowed: count, rate");
}

TEST(Settings, HoldAListOfWholeNumbersWhereOneWillDo) {
  Settings settings(
      {{.key = "widths", .standard = Index{7}, .help = "", .least = 1, .most = 99, .plurality = Plurality::kOneOrList},
       {.key = "count", .standard = Index{3}, .help = ""}});
  EXPECT_EQ(settings.integers("widths"), IntegerList{7});
  settings.set("widths", IntegerList{64, 32});
  EXPECT_EQ(settings.integers("widths"), (IntegerList{64, 32}));
  EXPECT_EQ(to_text(settings.at("widths")), "[64, 32]");
  EXPECT_THROW_MESSAGE(settings.integer("widths"), InvalidArgument, "'widths' is [64, 32], and is asked for as");
  settings.set("widths", IntegerList{5});
  EXPECT_EQ(settings.integer("widths"), 5) << "a list of one is that one";
  for (const char* text : {"widths=8,4", "widths=[8,4]", "widths=[8, 4]"}) {
    settings.set("widths", Index{1});
    settings.set_from_text(text);
    EXPECT_EQ(settings.integers("widths"), (IntegerList{8, 4})) << text;
  }
  settings.set_from_text("widths=[6]");
  EXPECT_EQ(settings.integer("widths"), 6);
  const auto allowed = "allowed: an integer of at least 1 and at most 99, or a list of such";
  EXPECT_THROW_MESSAGE(settings.set("widths", IntegerList{}), InvalidArgument, allowed);
  EXPECT_THROW_MESSAGE(settings.set("widths", IntegerList{4, 0}), InvalidArgument, "widths is [4, 0]; allowed:");
  for (const char* text : {"widths=", "widths=[]", "widths=[1,]", "widths=1,x", "widths=[[1]]", "widths=1 2.5"}) {
    EXPECT_THROW_MESSAGE(settings.set_from_text(text), InvalidArgument, allowed);
  }
  EXPECT_THROW_MESSAGE(
      settings.set("count", IntegerList{1, 2}), InvalidArgument, "count is [1, 2]; allowed: an integer");
}

TEST(Settings, OfPDsvgdRefuseImpossibleCombinations) {
  Settings settings(algorithm_named("p-dsvgd").settings);
  settings.set("fold", std::string("paper"));
  EXPECT_THROW_MESSAGE(p_dsvgd_options(settings), InvalidArgument, "fold = 'paper' with distillation = 'score'");
  settings.set("distillation", std::string("svgd"));
  EXPECT_NO_THROW(p_dsvgd_options(settings));
  settings.set("damping", 0.5);
  EXPECT_THROW_MESSAGE(p_dsvgd_options(settings), InvalidArgument, "damping is 0.5");
}

TEST(Registry, UnknownNamesAreRefusedWithTheNamesThereAre) {
  EXPECT_THROW_MESSAGE(algorithm_named("dsgvd"),
                       InvalidArgument,
                       "unknown algorithm 'dsgvd'; did you mean 'dsvgd' or 'dsgld'? allowed: dsvgd, dsgld");
}

TEST(Settings, AnIntegerIsANumberAndOtherTypesAreRefused) {
  const Settings settings = sample();
  EXPECT_EQ(settings.number("count"), 3);
  EXPECT_THROW_MESSAGE(settings.integer("rate"), InvalidArgument, "'rate' is 0.5, and is asked for as an integer");
  EXPECT_THROW_MESSAGE(settings.number("kind"), InvalidArgument, "is asked for as a number");
  EXPECT_THROW(settings.flag("count"), InvalidArgument);
  EXPECT_THROW(settings.text("on"), InvalidArgument);
}

}  // namespace
}  // namespace fedstein
