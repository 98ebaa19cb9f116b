// SPDX-License-Identifier: Apache-2.0
// The real files, where they are: FEDSTEIN_DATA names their folder.
#include <algorithm>
#include <cstdlib>
#include <string>

#include "fedstein/data/idx.h"
#include "fedstein/data/leaf.h"
#include "fedstein/data/matlab.h"
#include "fedstein/data/text.h"
#include "fedstein/numeric/check.h"
#include "support/close.h"

namespace fedstein {
namespace {

class RealReaders : public testing::Test {
 protected:
  void SetUp() override {
    const char* folder = std::getenv("FEDSTEIN_DATA");
    if (folder == nullptr) GTEST_SKIP() << "FEDSTEIN_DATA is not set; this test needs the real data files";
    folder_ = folder;
  }
  std::string path(const std::string& file) const { return folder_ + "/" + file; }

 private:
  std::string folder_;
};

TEST_F(RealReaders, RaetschTextAndMatlabHaveTheirShapes) {
  const Matrix heart = read_text(path("raetsch/csv/heart.csv"), {});
  EXPECT_EQ(shape_of(heart), "270 x 14");
  EXPECT_EQ((heart.col(13).array() == Real{-1}).count(), 150);
  EXPECT_EQ((heart.col(13).array() == Real{1}).count(), 120);
  EXPECT_EQ(shape_of(read_text(path("raetsch/csv/twonorm.csv.gz"), {.columns = 21})), "7400 x 21");

  struct Expected {
    const char* name;
    const char* shape;
  };
  for (const Expected& expected : {Expected{"breast_cancer", "277 x 9"},
                                   Expected{"flare_solar", "1066 x 9"},
                                   Expected{"german", "1000 x 20"},
                                   Expected{"image", "2310 x 18"},
                                   Expected{"thyroid", "215 x 5"},
                                   Expected{"titanic", "2201 x 3"}}) {
    const std::string file = path(std::string("raetsch/mat/") + expected.name + ".mat");
    const Matrix data = read_matlab(file, "data");
    EXPECT_EQ(shape_of(data), expected.shape) << expected.name;
    const Matrix target = read_matlab(file, "target");
    EXPECT_EQ(target.rows(), data.rows()) << expected.name;
    EXPECT_TRUE((target.array().abs() == Real{1}).all()) << expected.name;
  }
  EXPECT_EQ(shape_of(read_matlab(path("raetsch/mat/diabetis.mat"), "X_tr")), "468 x 8");
  EXPECT_EQ(shape_of(read_matlab(path("raetsch/mat/diabetis.mat"), "X_tst")), "300 x 8");
}

// The two encodings of one data set: German has the same rows in both, in another order.
TEST_F(RealReaders, MatlabAndTextHoldTheSameGermanRows) {
  const Matrix text = read_text(path("raetsch/csv/german.csv"), {});
  const Matrix matlab = read_matlab(path("raetsch/mat/german.mat"), "data");
  ASSERT_EQ(text.rows(), matlab.rows());
  EXPECT_TRUE(close(
      text.leftCols(20).cast<double>().colwise().squaredNorm(), matlab.cast<double>().colwise().squaredNorm(), 1e-5));
  EXPECT_TRUE(close(text.col(3).maxCoeff(), matlab.col(3).maxCoeff(), 1e-6));
}

TEST_F(RealReaders, BlankSeparatedTextHasItsShape) {
  EXPECT_EQ(shape_of(read_text(path("uci_regression/bostonHousing/data.txt"), {.separator = ' '})), "506 x 14");
  EXPECT_EQ(shape_of(read_text(path("uci_regression/kin8nm/data.txt.gz"), {.separator = ' '})), "8192 x 9");
  EXPECT_EQ(shape_of(read_text(path("uci_regression/naval-propulsion-plant/data.txt.gz"), {.separator = ' '})),
            "11934 x 18");
  EXPECT_EQ(shape_of(read_text(path("raetsch/asc/heart_train_data_1.asc"), {.separator = ' '})), "170 x 13");
  EXPECT_EQ(shape_of(read_text(path("ecg/ECG200_TRAIN.tsv"), {.separator = '\t'})), "100 x 97");
}

TEST_F(RealReaders, MnistHasItsShapeAndLabels) {
  const IdxArray images = read_idx(path("mnist/train-images-idx3-ubyte.gz"));
  EXPECT_EQ(images.shape, (std::vector<Index>{60000, 28, 28}));
  EXPECT_EQ(images.values.size(), 60000U * 28 * 28);
  const IdxArray labels = read_idx(path("mnist/train-labels-idx1-ubyte.gz"));
  EXPECT_EQ(labels.shape, (std::vector<Index>{60000}));
  EXPECT_EQ(std::count(labels.values.begin(), labels.values.end(), 5), 5421);
  EXPECT_EQ(read_idx(path("fashion_mnist/t10k-images-idx3-ubyte.gz")).shape, (std::vector<Index>{10000, 28, 28}));
}

TEST_F(RealReaders, VehicleJsonEqualsItsTable) {
  const LeafRows leaf = read_leaf(path("vehicle/mytrain.json.gz"));
  const Matrix table = read_text(path("vehicle/vehicle_subset.csv.gz"), {});
  ASSERT_EQ(shape_of(table), "1860 x 102");
  ASSERT_EQ(shape_of(leaf.x), "1860 x 100");
  ASSERT_EQ(leaf.user_names.size(), 23U);
  EXPECT_EQ(leaf.user_names[13], "f_00013");
  EXPECT_TRUE(identical(leaf.y, table.col(1)));
  for (Index row = 0; row < table.rows(); ++row) {
    ASSERT_EQ(static_cast<Real>(leaf.user[static_cast<std::size_t>(row)]), table(row, 0)) << row;
  }
  // Each number to 1e-6 of itself: the table was printed with 9 digits.
  const auto difference = (leaf.x - table.rightCols(100)).cwiseAbs().array();
  EXPECT_TRUE((difference <= static_cast<Real>(1e-6) * leaf.x.cwiseAbs().array()).all());
}

}  // namespace
}  // namespace fedstein
