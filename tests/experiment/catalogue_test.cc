// SPDX-License-Identifier: Apache-2.0
#include "fedstein/experiment/catalogue.h"

#include <filesystem>
#include <set>

#include "fedstein/config/parse.h"
#include "fedstein/experiment/claims.h"
#include "fedstein/numeric/check.h"
#include "support/throws.h"

namespace fedstein {
namespace {

class EveryExperiment : public testing::TestWithParam<CatalogueEntry> {};

TEST_P(EveryExperiment, IsAPlanInFullAndQuick) {
  for (const bool quick : {false, true}) {
    const Plan plan = parse_plan(GetParam().document, GetParam().name, {.check_data = false, .quick = quick});
    EXPECT_EQ(plan.name, GetParam().name);
    EXPECT_FALSE(plan.title.empty());
    EXPECT_FALSE(plan.figures.empty());
    EXPECT_FALSE(plan.cases.empty());
    const Plan own =
        parse_plan(GetParam().document, GetParam().name, {.check_data = false, .quick = quick, .own_version = true});
    EXPECT_EQ(own.cases.size(), plan.cases.size());
  }
}

TEST_P(EveryExperiment, NamesClaimsThatThereAre) {
  const Plan plan = parse_plan(GetParam().document, GetParam().name, {.check_data = false});
  for (const std::string& name : plan.claims) {
    EXPECT_TRUE(std::any_of(claims().begin(), claims().end(), [&](const Claim& claim) {
      return claim.name == name && claim.experiment == plan.name;
    })) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryExperiment, testing::ValuesIn(catalogue()), [](const auto& entry) {
  std::string name = entry.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(Catalogue, EveryFileIsInItAndEveryClaimIsTested) {
  std::set<std::string> files;
  for (const auto& file : std::filesystem::directory_iterator(FEDSTEIN_SOURCE_DIR "/experiments")) {
    if (file.path().extension() == ".toml") files.insert(file.path().stem().string());
  }
  std::set<std::string> names;
  std::set<std::string> claimed;
  for (const CatalogueEntry& entry : catalogue()) {
    names.insert(entry.name);
    const Plan plan = parse_plan(entry.document, entry.name, {.check_data = false});
    claimed.insert(plan.claims.begin(), plan.claims.end());
  }
  EXPECT_EQ(files, names);
  EXPECT_EQ(claimed.size(), 13U);
}

TEST(Catalogue, AnUnknownNameIsRefusedWithTheNamesThereAre) {
  EXPECT_THROW_MESSAGE(catalogue_entry("toy-3d"),
                       InvalidArgument,
                       "unknown experiment 'toy-3d'; did you mean 'toy-1d' or 'toy-2d'? allowed: toy-1d, toy-2d, ");
}

}  // namespace
}  // namespace fedstein
