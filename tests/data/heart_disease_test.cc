// SPDX-License-Identifier: Apache-2.0
// The four hospitals. Numbers of the real files are those that tests/data/heart_disease.py computes.
#include "fedstein/data/heart_disease.h"

#include <algorithm>
#include <array>

#include "data/data_folder.h"
#include "fedstein/data/error.h"
#include "fedstein/data/heart_disease_split.h"
#include "fedstein/data/load.h"
#include "support/close.h"
#include "support/temporary_folder.h"
#include "support/throws.h"

namespace fedstein {
namespace {

constexpr std::array<const char*, 4> kNames = {"cleveland", "hungarian", "switzerland", "va"};
constexpr std::array<int, 4> kPatients = {303, 294, 123, 200};

// Files of the right size with made-up patients: nobody lacks anything but slope, ca and thal, in three ways.
class Hospitals : public testing::Test {
 protected:
  void SetUp() override {
    for (std::size_t hospital = 0; hospital < kNames.size(); ++hospital) {
      for (int patient = 0; patient < kPatients[hospital]; ++patient) {
        lines_[hospital].push_back(std::to_string(30 + patient % 40) + "," + std::to_string(patient % 2) + "," +
                                   std::to_string(1 + patient % 4) + "," + std::to_string(110 + patient % 50) + "," +
                                   std::to_string(200 + patient % 90) + ",0," + std::to_string(patient % 3) + "," +
                                   std::to_string(100 + patient % 70) + ",1," + std::to_string(patient % 5) +
                                   ".5,?,NaN,," + std::to_string(patient % 5));
      }
    }
  }

  std::string& line(std::size_t hospital, Index number) {
    return lines_[hospital][static_cast<std::size_t>(number - 1)];
  }
  // The first patient of the hospital who is tested on, or who is not.
  std::string& line_of(std::size_t hospital, bool tested) {
    const auto test = tested_patients(static_cast<Index>(hospital));
    Index number = 1;
    while (std::binary_search(test.begin(), test.end(), number) != tested) ++number;
    return line(hospital, number);
  }

  std::vector<std::string> paths() const {
    std::vector<std::string> out;
    for (std::size_t hospital = 0; hospital < kNames.size(); ++hospital) {
      std::string text;
      for (const std::string& each : lines_[hospital]) text += each + "\r\n";
      out.push_back(folder_.write(std::string(kNames[hospital]) + ".data", text));
    }
    return out;
  }

  std::array<std::vector<std::string>, 4> lines_;

 private:
  TemporaryFolder folder_;
};

// Everybody is there, training rows first, hospital after hospital.
TEST_F(Hospitals, RowsAreTrainingRowsThenTestRows) {
  for (const Dataset& set : {read_fed_heart(paths()), read_fed_heart_all(paths())}) {
    ASSERT_EQ(set.x.rows(), 920);
    ASSERT_EQ(set.group.size(), 920U);
    const auto part = [&](Index begin, Index end) {
      return std::vector<Index>(set.group.begin() + begin, set.group.begin() + end);
    };
    const std::vector<Index> trained = part(0, 603);
    const std::vector<Index> tested = part(603, 920);
    EXPECT_TRUE(std::is_sorted(trained.begin(), trained.end()));
    EXPECT_TRUE(std::is_sorted(tested.begin(), tested.end()));
    for (Index hospital = 0; hospital < 4; ++hospital) {
      EXPECT_EQ(std::count(tested.begin(), tested.end(), hospital),
                static_cast<std::ptrdiff_t>(tested_patients(hospital).size()));
    }
  }
}

TEST_F(Hospitals, WhoLacksSomethingIsDroppedOrFlagged) {
  line_of(0, false) = "50,1,2,?,240,1,0,150,0,1.5,2,0,3,1";
  line_of(3, false) = "50,1,2,0,0, NaN ,2,,0,1.5,2,0,7,1";
  EXPECT_EQ(read_fed_heart(paths()).x.rows(), 918);
  const Dataset all = read_fed_heart_all(paths());
  ASSERT_EQ(all.x.rows(), 920);
  ASSERT_EQ(all.x.cols(), 28);
  // The last 10: trestbps, chol, fbs, restecg, thalach, exang, oldpeak, slope, ca, thal.
  EXPECT_TRUE(identical(all.x.row(0).tail(10), RowVector{{1, 0, 0, 0, 0, 0, 0, 0, 0, 0}}));
  const Index last = static_cast<Index>(std::find(all.group.begin(), all.group.end(), 3) - all.group.begin());
  EXPECT_TRUE(identical(all.x.row(last).tail(10), RowVector{{1, 1, 1, 0, 1, 0, 0, 0, 0, 0}}));
  EXPECT_TRUE(identical(all.x.row(last).segment(9, 9), RowVector{{1, 0, 0, 0, 1, 1, 0, 0, 1}}))
      << "cp 2 restecg 2 slope 2 thal 7";
  // What is missing is the mean of the training rows that have it: standardised, 0.
  double sum = 0;
  double count = 0;
  for (Index row = 0; row < 603; ++row) {
    if (all.x(row, 18) == 1) continue;
    sum += static_cast<double>(all.x(row, 2));
    ++count;
  }
  EXPECT_EQ(count, 601);
  EXPECT_NEAR(static_cast<double>(all.x(0, 2)), sum / count, 1e-4);
}

TEST_F(Hospitals, NoRowDependsOnATestRow) {
  const Dataset before = read_fed_heart(paths());
  const Dataset all_before = read_fed_heart_all(paths());
  for (std::size_t hospital = 0; hospital < 4; ++hospital) {
    line_of(hospital, true) = "99,1,4,190,9000,1,2,1,0,60,3,3,7,4";
  }
  for (const auto& [old, now] :
       {std::pair{before, read_fed_heart(paths())}, std::pair{all_before, read_fed_heart_all(paths())}}) {
    Index changed = 0;
    for (Index row = 0; row < now.x.rows(); ++row) changed += now.x.row(row) == old.x.row(row) ? 0 : 1;
    EXPECT_EQ(changed, 4);
    EXPECT_TRUE(identical(now.x.topRows(603), old.x.topRows(603)));
  }
}

TEST_F(Hospitals, DamagedFilesAreRefusedWithPlaceAndWhatIsAllowed) {
  const std::string good = line(1, 7);
  const auto refused = [&](const std::string& bad, const std::string& sentence) {
    line(1, 7) = bad;
    const std::vector<std::string> files = paths();
    EXPECT_THROW_MESSAGE(read_fed_heart(files), DataError, "hungarian.data:7: " + sentence);
    EXPECT_THROW_MESSAGE(read_fed_heart_all(files), DataError, "hungarian.data:7: " + sentence);
    line(1, 7) = good;
  };
  refused("50,1,2,140,240,0,0,150,0,1.5,?,?,?",
          "found 13 columns in '50,1,2,140,240,0,0,150,0,1.5,?,?,?'; expected 14, age to num, separated by commas");
  refused("50,1,2,140,240,0,0,150,0,1.5,?,?,?,1,1", "found 15 columns");
  refused("50,1,5,140,240,0,0,150,0,1.5,?,?,?,1", "column 'cp': found '5'; expected 1, 2, 3, 4");
  refused("50,1,2,high,240,0,0,150,0,1.5,?,?,?,1",
          "column 'trestbps': found 'high'; expected a number, or ?, NaN or nothing where it is missing");
  refused("50,1,2,inf,240,0,0,150,0,1.5,?,?,?,1", "column 'trestbps': found 'inf'");
  refused("50,1,2,1e999,240,0,0,150,0,1.5,?,?,?,1", "column 'trestbps': found '1e999'");
  refused("?,1,2,140,240,0,0,150,0,1.5,?,?,?,1", "column 'age': found '?'; expected a number");
  refused("50,1,2,140,240,0,0,150,0,1.5,?,?,?,", "column 'num': found ''; expected 0, 1, 2, 3, 4");
  refused("50,1,2,140,240,0,0,150,0,1.5,?,?,5,1", "column 'thal': found '5'; expected 3, 6, 7, or ?, NaN");
  lines_[2].pop_back();
  const std::vector<std::string> files = paths();
  EXPECT_THROW_MESSAGE(
      read_fed_heart(files), DataError, "switzerland.data: has 122 patients; the published file has 123");
}

// Means and deviations of each hospital's training rows, in one go with the sizes that FLamby publishes.
TEST(HeartDisease, FlambysSetHasItsSplitAndItsScaling) {
  FEDSTEIN_DATA_FOLDER_OR_SKIP(folder);
  const Dataset set = load_dataset("fed-heart", folder);
  const Split split = default_split(find_dataset("fed-heart"), set, 1);
  const std::array<Index, 4> train = {199, 172, 30, 85};
  const std::array<Index, 4> test = {104, 89, 16, 45};
  Index begin = 0;
  for (Index hospital = 0; hospital < 4; ++hospital) {
    const auto in = [&](const std::vector<Index>& rows) {
      return std::count_if(
          rows.begin(), rows.end(), [&](Index row) { return set.group[static_cast<std::size_t>(row)] == hospital; });
    };
    const Index size = train[static_cast<std::size_t>(hospital)];
    EXPECT_EQ(in(split.train), size);
    EXPECT_EQ(in(split.test), test[static_cast<std::size_t>(hospital)]);
    const DoubleMatrix own = set.x.middleRows(begin, size).cast<double>();
    begin += size;
    EXPECT_LT(own.colwise().mean().cwiseAbs().maxCoeff(), 1e-6);
    for (Index column = 0; column < 13; ++column) {
      const bool constant = hospital == 2 && column == 3;  // cholesterol, 0 for all of Switzerland
      EXPECT_NEAR(own.col(column).squaredNorm() / static_cast<double>(size - 1), constant ? 0 : 1, 1e-5);
    }
  }
}

TEST(HeartDisease, SomeRowsAreThoseOfTheSecondProgram) {
  FEDSTEIN_DATA_FOLDER_OR_SKIP(folder);
  const Dataset heart = load_dataset("fed-heart", folder);
  const Vector first{{0.964973_r,
                      0.678902_r,
                      0.702076_r,
                      -0.319880_r,
                      2.415080_r,
                      -0.031869_r,
                      -0.671030_r,
                      1.131630_r,
                      -0.395206_r,
                      -0.639750_r,
                      -0.972729_r,
                      -0.100505_r,
                      0.992484_r}};
  const Vector last{{-0.611600_r,
                     0.154314_r,
                     -0.520255_r,
                     0.422687_r,
                     1.418367_r,
                     -0.968679_r,
                     -1.312037_r,
                     -1.289566_r,
                     -0.220911_r,
                     -0.478702_r,
                     0.605478_r,
                     1.105573_r,
                     -0.403050_r}};
  EXPECT_TRUE(close(Vector(heart.x.row(0)), first, 2e-6));
  EXPECT_TRUE(close(Vector(heart.x.row(739)), last, 2e-6));
  EXPECT_EQ(heart.y(0), -1);
  EXPECT_EQ(heart.y(739), 1);
  const Dataset all = load_dataset("fed-heart-all", folder);
  Vector row = Vector::Zero(28);
  row.head(9) << 55, 1, 122, 223, 1, 100, 0, 0, 0.715686_r;
  for (const Index one : {11, 12, 16, 25, 26}) row(one) = 1;
  EXPECT_TRUE(close(Vector(all.x.row(919)), row, 2e-6));
  EXPECT_EQ(all.group.back(), 3);
}

}  // namespace
}  // namespace fedstein
