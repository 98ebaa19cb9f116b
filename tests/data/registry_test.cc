// SPDX-License-Identifier: Apache-2.0
#include "fedstein/data/registry.h"

#include <set>

#include "data/data_folder.h"
#include "data/small_sets.h"
#include "fedstein/data/load.h"
#include "fedstein/numeric/check.h"
#include "support/throws.h"

namespace fedstein {
namespace {

std::vector<std::string> names() {
  std::vector<std::string> out;
  for (const DatasetInfo& info : known_datasets()) out.push_back(info.name);
  return out;
}

TEST(Registry, HoldsTheFixedNames) {
  const std::vector<std::string> fixed = {"covertype",
                                          "twonorm",
                                          "ringnorm",
                                          "waveform",
                                          "image",
                                          "breast-cancer",
                                          "diabetis",
                                          "german",
                                          "heart",
                                          "vehicle",
                                          "kin8nm",
                                          "naval",
                                          "power-plant",
                                          "year",
                                          "mnist",
                                          "fashion-mnist",
                                          "ecg",
                                          "feature-skew"};
  const std::vector<std::string> known = names();
  ASSERT_GE(known.size(), fixed.size());
  EXPECT_EQ(std::vector<std::string>(known.begin(), known.begin() + static_cast<std::ptrdiff_t>(fixed.size())), fixed);
  EXPECT_EQ(std::set<std::string>(known.begin(), known.end()).size(), known.size()) << "a name occurs twice";
}

TEST(Registry, EveryEntryIsConsistent) {
  for (const DatasetInfo& info : known_datasets()) {
    SCOPED_TRACE(info.name);
    EXPECT_FALSE(info.description.empty());
    EXPECT_GE(info.batch, 1);
    EXPECT_GE(info.rows, 1);
    EXPECT_EQ(info.split == SplitRule::kGiven, info.train_rows > 0);
    EXPECT_LT(info.train_rows, info.rows);
    EXPECT_EQ(info.files.empty(), info.checksum == 0);
    Index counted = 0;
    for (const Index count : info.class_counts) counted += count;
    const bool counts_known = info.labels != LabelKind::kRegression && !info.files.empty();
    EXPECT_EQ(counted, counts_known ? info.rows : 0);
    if (info.labels == LabelKind::kRegression) {
      EXPECT_EQ(info.scaling, ScalingRule::kStandardise);
    }
  }
}

TEST(Registry, AnUnknownNameListsTheKnownOnes) {
  EXPECT_THROW_MESSAGE(find_dataset("covtype"),
                       InvalidArgument,
                       "there is no dataset 'covtype'; did you mean 'covertype'? known: covertype, ");
  EXPECT_THROW_MESSAGE(load_dataset("", "."), InvalidArgument, "there is no dataset ''");
}

TEST(Registry, DefaultsFollowTheirRules) {
  const DatasetInfo& ecg = find_dataset("ecg");
  Dataset beats = striped_set(300, 2);
  for (Index row = 0; row < 300; ++row) beats.group.push_back(193 + row % 10);  // 193 .. 202
  bool held_both = false;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Split split = default_split(ecg, beats, seed);
    std::set<Index> tested;
    for (const Index row : split.test) tested.insert(beats.group[static_cast<std::size_t>(row)]);
    EXPECT_EQ(tested.contains(201), tested.contains(202)) << "one patient on both sides";
    held_both = held_both || tested.contains(201);
  }
  EXPECT_TRUE(held_both);

  Dataset small = striped_set(100, 2);
  const Split split = default_split(find_dataset("covertype"), small, 1);
  EXPECT_EQ(split.test.size(), 20U);
  small.x(split.test.front(), 0) = 1000;
  EXPECT_EQ(default_scaling(find_dataset("covertype"), small, split).spread(0),
            1000 - static_cast<double>(small.x.col(0).minCoeff()))
      << "all rows count";
  EXPECT_LT(default_scaling(find_dataset("vehicle"), small, split).spread(0), 10) << "only training rows count";
}

class NamedDataset : public testing::TestWithParam<std::string> {};

TEST_P(NamedDataset, HasItsShapeCountsAndChecksum) {
  const DatasetInfo& info = find_dataset(GetParam());
  const char* const variable = std::getenv("FEDSTEIN_DATA");
  if (variable == nullptr && !info.files.empty()) GTEST_SKIP() << "FEDSTEIN_DATA names no folder of real data files";
  const std::string folder = variable == nullptr ? "" : variable;
  const Dataset set = load_dataset(GetParam(), folder, 1);
  EXPECT_EQ(set.name, info.name);
  EXPECT_EQ(set.labels, info.labels);
  EXPECT_EQ(set.x.rows(), info.rows);
  EXPECT_EQ(set.x.cols(), info.features);
  EXPECT_NO_THROW(validate(set));
  if (!info.class_counts.empty()) {
    EXPECT_EQ(class_counts(set), info.class_counts);
  }
  if (info.checksum != 0) {
    EXPECT_EQ(checksum(set), info.checksum);
  }
  EXPECT_NO_THROW(check_contents(info, set));
}

INSTANTIATE_TEST_SUITE_P(Registry, NamedDataset, testing::ValuesIn(names()), [](const auto& each) {
  std::string name = each.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(RealData, VehicleHas23SensorsAndEcg46Records) {
  FEDSTEIN_DATA_FOLDER_OR_SKIP(folder);
  const auto groups = [&folder](const char* name) {
    const Dataset set = load_dataset(name, folder);
    return std::set<Index>(set.group.begin(), set.group.end());
  };
  const std::set<Index> sensors = groups("vehicle");
  EXPECT_EQ(sensors.size(), 23U);
  EXPECT_EQ(*sensors.begin(), 0);
  EXPECT_EQ(*sensors.rbegin(), 22);
  const std::set<Index> records = groups("ecg");
  EXPECT_EQ(records.size(), 46U);
  EXPECT_TRUE(records.contains(201) && records.contains(202));
  EXPECT_EQ(*records.begin(), 100);
  EXPECT_EQ(*records.rbegin(), 234);
}

// The derived table and the upstream JSON are two copies of one set.
TEST(RealData, VehicleIsTheSameInBothFormats) {
  FEDSTEIN_DATA_FOLDER_OR_SKIP(folder);
  const Dataset table = load_dataset("vehicle", folder);
  OwnFile leaf;
  leaf.layout.format = FileFormat::kLeaf;
  const Dataset json = load_dataset_file(folder + "/vehicle/mytrain.json.gz", leaf);
  EXPECT_EQ(json.group, table.group);
  EXPECT_EQ(json.y, table.y);
  ASSERT_EQ(json.x.rows(), table.x.rows());
  EXPECT_LT((json.x - table.x).cwiseAbs().maxCoeff(), 1e-6);
}

// Column 11 of naval is constant, but its computed deviation need not be 0.
TEST(RealData, NavalsConstantColumnsStayFinite) {
  FEDSTEIN_DATA_FOLDER_OR_SKIP(folder);
  const DatasetInfo& info = find_dataset("naval");
  Dataset set = load_dataset("naval", folder);
  const Split split = default_split(info, set, 1);
  const Scaling scaling = default_scaling(info, set, split);
  EXPECT_EQ(scaling.spread(8), 1);
  EXPECT_EQ(scaling.spread(11), 1);
  apply_scaling(scaling, set);
  EXPECT_LT(set.x.cwiseAbs().maxCoeff(), 10);
}

TEST(RealData, StandardSplitsHoldATenthAndCoverEveryRow) {
  FEDSTEIN_DATA_FOLDER_OR_SKIP(folder);
  for (const DatasetInfo& info : known_datasets()) {
    if (info.standard_splits.empty()) continue;
    const std::optional<std::string> path = locate(folder, info.standard_splits);
    ASSERT_TRUE(path) << info.standard_splits;
    const Matrix table = read_text(*path, {.separator = ' '});
    const Vector line = table.row(4);
    const std::vector<Index> test(line.begin(), line.end());
    const Split split = split_by_test_rows(info.rows, test);
    EXPECT_NEAR(static_cast<double>(split.test.size()) / static_cast<double>(info.rows), 0.1, 0.002) << info.name;
    EXPECT_EQ(static_cast<Index>(split.test.size() + split.train.size()), info.rows);
  }
}

}  // namespace
}  // namespace fedstein
