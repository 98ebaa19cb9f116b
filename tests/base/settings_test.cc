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
  EXPECT_THROW_MESSAGE(
      algorithm_named("dsgvd"), InvalidArgument, "unknown algorithm 'dsgvd'; allowed: c-dsvgd, svgd, dsvgd");
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
