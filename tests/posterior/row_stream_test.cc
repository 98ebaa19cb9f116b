// SPDX-License-Identifier: Apache-2.0
// New rows for a posterior that remembers how its training data were laid out.
#include "fedstein/posterior/row_stream.h"

#include <gmock/gmock.h>

#include "fedstein/posterior/unusual.h"
#include "posterior/made_posteriors.h"
#include "support/pack.h"
#include "support/temporary_folder.h"
#include "support/throws.h"

namespace fedstein {
namespace {

using testing::ElementsAre;

class RowStreams : public testing::Test {
 protected:
  // All rows of a file with this text, one stream.
  Matrix read(const Posterior& posterior, const std::string& text, const RowWords& words = {}, bool skips = false) {
    const std::string path = folder_.write("rows.csv", text);
    complaints_.clear();
    numbers_.clear();
    unknown_.clear();
    RowStream::OnBadRow listener;
    if (skips) listener = [this](const std::string& sentence) { complaints_.push_back(sentence); };
    RowStream stream(open_rows(posterior, path, words), posterior.shape.features, listener);
    Matrix out(0, posterior.shape.features);
    while (stream.next()) {
      const Index before = out.rows();
      out.conservativeResize(before + stream.rows().rows(), Eigen::NoChange);
      out.bottomRows(stream.rows().rows()) = stream.rows();
      for (const RowStream::RowFacts& facts : stream.facts()) {
        numbers_.push_back(facts.number);
        unknown_.push_back(facts.unknown);
      }
    }
    return out;
  }

  TemporaryFolder folder_;
  std::vector<std::string> complaints_;
  std::vector<std::int64_t> numbers_;
  std::vector<std::vector<std::string>> unknown_;
};

// "age" with an origin of 1.7e9, "height" that may be missing.
Posterior with_names() {
  Posterior out = made_remembering();
  out.table->columns[0].name = "age";
  out.table->columns[1].name = "height";
  return out;
}

TEST_F(RowStreams, FindColumnsByTheirNames) {
  const Matrix plain = read(with_names(), "age,height\n1700000001,2\n1700000002.5,\n");
  ASSERT_EQ(plain.rows(), 2);
  EXPECT_EQ(plain(0, 0), 1);
  EXPECT_EQ(plain(1, 0), 2.5);
  EXPECT_EQ(plain(0, 2), 0) << "not missing";
  EXPECT_EQ(plain(1, 1), 3.5) << "what stands in";
  EXPECT_EQ(plain(1, 2), 1);
  // In another order, with label, ignored columns and another separator.
  const Matrix other = read(with_names(), "ill;height;id;age\nno;2;x9;1700000001\n?;;x10;1700000002.5\n");
  EXPECT_EQ(other, plain);
  EXPECT_THROW_MESSAGE(read(with_names(), "age,width\n1,2\n"), DataError, "'height'");
  EXPECT_THROW_MESSAGE(read(with_names(), "age,height,weight\n1,2,3\n"), DataError, "'weight'");
  EXPECT_EQ(read(with_names(), "age,height,weight\n1700000001,2,3\n", {.ignored = {"weight"}}), plain.topRows(1));
  EXPECT_THROW_MESSAGE(
      read(with_names(), "age\n1\n", {.ignored = {"height"}}), InvalidArgument, "the model needs the column 'height'");
  EXPECT_THROW_MESSAGE(read(with_names(), "1700000001,2\n"), DataError, "the first line holds numbers");
}

TEST_F(RowStreams, LeaveOutBadRowsWhereSomebodyListens) {
  const std::string text = "age,height\n1700000001,2\nsoon,2\n1700000003,2,7\n1700000004,2\n";
  EXPECT_THROW_MESSAGE(read(with_names(), text), DataError, "rows.csv:3");
  const Matrix rows = read(with_names(), text, {}, true);
  EXPECT_EQ(rows.rows(), 2);
  EXPECT_EQ(rows(1, 0), 4);
  EXPECT_THAT(numbers_, ElementsAre(1, 4)) << "bad rows are counted";
  ASSERT_EQ(complaints_.size(), 2U);
  EXPECT_THAT(complaints_[0], testing::AllOf(testing::HasSubstr("rows.csv:3"), testing::HasSubstr("'age'")));
  EXPECT_THAT(complaints_[1], testing::HasSubstr("rows.csv:4"));
}

// A file that ends in the middle says so again and again; that is no row.
TEST_F(RowStreams, ABrokenSourceIsNoBadRow) {
  const std::string packed = gzipped("age,height\n" + std::string(2000, ' ') + "1700000001,2\n");
  EXPECT_THROW(read(with_names(), packed.substr(0, packed.size() - 12), {}, true), DataError);
}

TEST_F(RowStreams, NameValuesThatTrainingHasNotSeen) {
  Posterior posterior = with_names();
  posterior.table->columns = {{.name = "age"}, {.name = "town", .categories = {"Bonn", "Graz", "Lund"}}};
  const Matrix rows = read(posterior, "town,age\nLund,4\nParis,5\n");
  EXPECT_EQ(rows(0, 2), 1);
  EXPECT_EQ(rows(1, 1), 0);
  EXPECT_EQ(rows(1, 2), 0);
  EXPECT_TRUE(unknown_[0].empty());
  EXPECT_THAT(unknown_[1], ElementsAre("town"));
}

// Training had: an id, a feature, a name, two features with the label between them.
TEST_F(RowStreams, KnowTheLayoutOfATextWithoutNames) {
  const Posterior posterior = made_laid_out();
  const Matrix whole = read(posterior, "77;1;Ann;2;0.5;3\n78;4;Bo;5;?;6\n");
  ASSERT_EQ(whole.rows(), 2);
  EXPECT_EQ(whole(0, 0), 1);
  EXPECT_EQ(whole(0, 1), 2);
  EXPECT_EQ(whole(0, 2), 3);
  EXPECT_EQ(read(posterior, "1;2;3\n4;5;6\n"), whole) << "features alone";
  EXPECT_EQ(read(posterior, "9,1,2,3\n9,4,5,6\n", {.text = TextOptions{.ignored_columns = {0}}}), whole);
  EXPECT_THROW_MESSAGE(read(posterior, "1;2;3;4;5;6;7\n"), DataError, "the model has 3 features");
}

TEST_F(RowStreams, ReadLibsvmAsTheRunDid) {
  Posterior posterior = made_regression();
  posterior.layout = FileLayout{};
  posterior.layout->format = FileFormat::kLibsvm;
  posterior.layout->features = kMadeFeatures;
  const Matrix rows = read(posterior, "0 1:5 3:7\n0 2:1\n");
  ASSERT_EQ(rows.rows(), 2);
  EXPECT_EQ(rows(0, 2), 7);
  EXPECT_EQ(rows(1, 1), 1);
  EXPECT_EQ(read(posterior, gzipped("0 1:5 3:7\n0 2:1\n")), rows);
  EXPECT_EQ(read(posterior, "5,0,7\n0,1,0\n"), rows) << "a table is no LIBSVM file";
}

TEST(UnusualFeatures, AreFarOutsideWhatTrainingSaw) {
  const Posterior posterior = made_laid_out();  // all from -1.5 to 2.5
  const UnusualFeatures unusual(posterior);
  ASSERT_TRUE(unusual.can_tell());
  Matrix row(1, 3);
  row << -2.4_r, 3.4_r, 0;
  EXPECT_TRUE(unusual.of(row).empty()) << "within a quarter of the width";
  row << -2.6_r, 0, 1e30_r;
  EXPECT_THAT(unusual.of(row), ElementsAre(0, 2));
}

TEST(UnusualFeatures, AreBroughtNear) {
  const UnusualFeatures unusual(made_laid_out());  // all from -1.5 to 2.5, so that -2.5 to 3.5 is usual
  Matrix rows(2, 3);
  rows << -2.6_r, 0.5_r, 1e30_r, -2.4_r, 3.4_r, -1e30_r;
  const Matrix near = unusual.brought_near(rows);
  EXPECT_NEAR(static_cast<double>(near(0, 0)), -2.5, 1e-4);
  EXPECT_EQ(near(0, 1), 0.5_r);
  EXPECT_NEAR(static_cast<double>(near(0, 2)), 3.5, 1e-4);
  EXPECT_EQ(near(1, 0), -2.4_r) << "usual values stay as they are";
  EXPECT_EQ(near(1, 1), 3.4_r);
  EXPECT_NEAR(static_cast<double>(near(1, 2)), -2.5, 1e-4);
  Posterior unknown = made_laid_out();
  unknown.ranges = {};
  unknown.scaling.rule = ScalingRule::kFixed;
  EXPECT_EQ(UnusualFeatures(unknown).brought_near(rows), rows) << "where nothing is known nothing is far";
}

TEST(UnusualFeatures, AreKnownByTheScalingToo) {
  Posterior posterior = made_binary();  // a server's: standardised, no ranges
  Matrix row = raw_rows(posterior, 1, 3);
  EXPECT_TRUE(UnusualFeatures(posterior).of(row).empty());
  row(0, 1) = 1e30_r;
  EXPECT_THAT(UnusualFeatures(posterior).of(row), ElementsAre(1));
  posterior.scaling.rule = ScalingRule::kFixed;
  EXPECT_FALSE(UnusualFeatures(posterior).can_tell());
}

// A server knows means and deviations only. A category is 0 or 1: it was seen where its mean is above 0, however
// rarely.
TEST(UnusualFeatures, ARareCategoryIsNotUnusualAndOneThatNobodyHadIs) {
  Posterior posterior = made_binary();
  TableSchema table;
  table.columns = {{.name = "age"}, {.name = "ward", .categories = {"a", "rare", "never"}}};
  table.label = "ill";
  table.classes = {"no", "yes"};
  posterior.table = table;
  posterior.class_names = table.classes;
  posterior.scaling.shift << 50, 1e-3, 0;
  posterior.scaling.spread << 10, 0.03, 1;
  Matrix row(1, 3);
  row << 50, 1, 0;
  EXPECT_TRUE(UnusualFeatures(posterior).of(row).empty());
  row << 50, 0, 1;
  EXPECT_THAT(UnusualFeatures(posterior).of(row), ElementsAre(2));
  row << 1e30_r, 0, 1;
  const Matrix near = UnusualFeatures(posterior).brought_near(row);
  EXPECT_NEAR(static_cast<double>(near(0, 0)), 80, 1e-3) << "three deviations";
  EXPECT_EQ(near(0, 2), 1) << "what the model has not learned of a category it doubts by itself";
}

}  // namespace
}  // namespace fedstein
