// SPDX-License-Identifier: Apache-2.0
// Shapes, label counts and checksums are those that tests/data/make_checksums.py prints.
#include <utility>

#include "fedstein/data/heart_disease.h"
#include "fedstein/data/registry.h"

namespace fedstein {
namespace {

// What the files of one set hold.
struct Contents {
  Index rows = 0;
  Index features = 0;
  std::vector<Index> class_counts;
  std::uint64_t checksum = 0;
};

DatasetInfo entry(std::string name, std::string description, LabelKind labels, Contents contents) {
  DatasetInfo out;
  out.name = std::move(name);
  out.description = std::move(description);
  out.labels = labels;
  out.rows = contents.rows;
  out.features = contents.features;
  out.class_counts = std::move(contents.class_counts);
  out.checksum = contents.checksum;
  return out;
}

// A set of Raetsch's benchmark: features, then -1 or 1. The distinct rows, which is what the paper counts. Used as they
// are: most are standardised already.
DatasetInfo raetsch(std::string name, std::string description, const std::string& file, Contents contents) {
  DatasetInfo out = entry(std::move(name), std::move(description), LabelKind::kBinary, std::move(contents));
  out.files = {"raetsch/csv/" + file};
  out.layout.text.columns = out.features + 1;
  return out;
}

// Of these two the distinct rows have another class balance: the rows with their repeats, from the MATLAB files.
DatasetInfo raetsch_with_repeats(std::string name,
                                 std::string description,
                                 const std::string& file,
                                 Contents contents) {
  DatasetInfo out = entry(std::move(name), std::move(description), LabelKind::kBinary, std::move(contents));
  out.files = {"raetsch/mat/" + file};
  out.layout.format = FileFormat::kMatlab;
  return out;
}

// UCI regression as in the experiments on probabilistic backpropagation: blanks between columns, the target last.
DatasetInfo uci(
    std::string name, std::string description, const std::string& folder, std::string file, Contents contents) {
  DatasetInfo out = entry(std::move(name), std::move(description), LabelKind::kRegression, std::move(contents));
  out.files = {"uci_regression/" + folder + "/" + std::move(file)};
  out.standard_splits = "uci_regression/" + folder + "/index_test.txt";
  out.layout.text.separator = ' ';
  out.layout.text.columns = out.features + 1;
  out.scaling = ScalingRule::kStandardise;
  out.batch = 100;
  out.test_fraction = 0.1;
  return out;
}

DatasetInfo images(std::string name, std::string description, const std::string& folder, Contents contents) {
  DatasetInfo out = entry(std::move(name), std::move(description), LabelKind::kMulticlass, std::move(contents));
  for (const char* part : {"/train", "/t10k"}) {
    out.files.push_back(folder + part + "-images-idx3-ubyte.gz");
    out.files.push_back(folder + part + "-labels-idx1-ubyte.gz");
  }
  out.layout.format = FileFormat::kIdx;
  out.scaling = ScalingRule::kPixel;
  out.batch = 100;
  out.split = SplitRule::kGiven;
  out.train_rows = 60000;
  return out;
}

// The paper says "without normalization", but only [0, 1] per feature reproduces its curves.
DatasetInfo covertype() {
  DatasetInfo out = entry("covertype",
                          "forest cover from maps: lodgepole pine (-1) or any other kind (+1)",
                          LabelKind::kBinary,
                          {581012, 54, {283301, 297711}, 0xe242bfcbaa013b95});
  out.files = {"covertype/covtype.data.gz"};
  out.layout.text.columns = 55;
  // Class 2 against the rest, with the signs of the reference code, which turns LIBSVM's label 2 into -1.
  out.layout.labels = {{1, 1}, {2, -1}, {3, 1}, {4, 1}, {5, 1}, {6, 1}, {7, 1}};
  out.scaling = ScalingRule::kUnitInterval;
  out.scaled_by_all_rows = true;
  out.batch = 100;
  return out;
}

DatasetInfo vehicle() {
  DatasetInfo out =
      entry("vehicle",
            "acoustic and seismic traces of two kinds of vehicle at 23 sensors; group = sensor; a part of the set",
            LabelKind::kBinary,
            {1860, 100, {837, 1023}, 0x6da883d2be45e9ae});
  out.files = {"vehicle/vehicle_subset.csv.gz"};
  out.layout.text.columns = 102;
  out.layout.group_column = 0;
  out.layout.label_column = 1;
  out.scaling = ScalingRule::kStandardise;
  return out;
}

DatasetInfo naval() {
  DatasetInfo out = uci("naval",
                        "compressor decay of a naval propulsion plant",
                        "naval-propulsion-plant",
                        "data.txt.gz",
                        {11934, 16, {}, 0x2865e4f3c1db162e});
  out.layout.text.columns = 18;
  out.layout.text.ignored_columns = {17};  // turbine decay, a second target
  return out;
}

DatasetInfo year() {
  DatasetInfo out = entry("year",
                          "year of a song from its timbre: the first 1,176 of the set's 515,345 rows",
                          LabelKind::kRegression,
                          {1176, 90, {}, 0xe4bdae6968e0d8d5});
  out.files = {"year_msd/YearPredictionMSD_first1176.csv.gz"};
  out.layout.text.columns = 91;
  out.layout.label_column = 0;
  out.scaling = ScalingRule::kStandardise;
  out.batch = 1000;
  out.test_fraction = 0.1;
  return out;
}

// Group = record. The 46 records are the 46 agents; 201 and 202 are one patient, so a test on new patients must hold
// out both or neither: linked_groups. Standardised per feature: the values are sums of samples in 1/800 mV, hundreds in
// size, while priors and step sizes expect inputs near one; by the training rows, as the patients held out are not
// known yet.
DatasetInfo ecg() {
  DatasetInfo out = entry("ecg",
                          "MIT-BIH heart beats, 46 records: normal (-1) or abnormal (+1); group = record",
                          LabelKind::kBinary,
                          {104986, 64, {90286, 14700}, 0x0777a8780e79f4cd});
  out.files = {"ecg/mitbih_beats.csv.gz"};
  out.layout.text.columns = 70;
  out.layout.text.ignored_columns = {2, 3, 4, 5};  // annotation letter, place and distances of the beat
  out.layout.group_column = 0;
  out.layout.label_column = 1;
  out.layout.labels = {{0, -1}, {1, 1}, {2, 1}, {3, 1}, {4, 1}};
  out.scaling = ScalingRule::kStandardise;
  out.batch = 100;
  out.split = SplitRule::kGroups;
  out.linked_groups = {{201, 202}};
  out.class_names = {"normal", "abnormal"};
  return out;
}

// Every series is standardised by itself upstream, hence no scaling.
DatasetInfo ecg5000() {
  DatasetInfo out = entry("ecg5000",
                          "ECG5000 of the UCR archive: five kinds of heart beat, the first normal",
                          LabelKind::kMulticlass,
                          {5000, 140, {2919, 1767, 96, 194, 24}, 0xc92786766b0a7257});
  out.files = {"ecg/ecg5000_5digits.csv.gz"};
  out.layout.text.columns = 142;
  out.layout.text.ignored_columns = {0};  // 1 for the training rows, which are the first 500
  out.layout.label_column = 1;
  out.layout.labels = {{1, 0}, {2, 1}, {3, 2}, {4, 3}, {5, 4}};
  out.split = SplitRule::kGiven;
  out.train_rows = 500;
  return out;
}

DatasetInfo ecg200() {
  DatasetInfo out = entry("ecg200",
                          "ECG200 of the UCR archive: normal beat (+1) or infarction (-1)",
                          LabelKind::kBinary,
                          {200, 96, {67, 133}, 0xffab63ef881b711b});
  out.files = {"ecg/ECG200_TRAIN.tsv", "ecg/ECG200_TEST.tsv"};
  out.layout.text.separator = '\t';
  out.layout.text.columns = 97;
  out.layout.label_column = 0;
  out.split = SplitRule::kGiven;
  out.train_rows = 100;
  return out;
}

// Four hospitals, which are the agents and the groups; what becomes of their files says heart_disease.h.
DatasetInfo hospitals(std::string name, std::string description, Contents contents) {
  DatasetInfo out = entry(std::move(name), std::move(description), LabelKind::kBinary, std::move(contents));
  out.group_names = {"cleveland", "hungarian", "switzerland", "va"};
  for (const std::string& hospital : out.group_names) {
    out.files.push_back("heart_disease/processed." + hospital + ".data");
  }
  out.split = SplitRule::kGiven;
  out.class_names = {"healthy", "ill"};
  return out;
}

// Standardised already, each hospital by itself.
DatasetInfo fed_heart() {
  DatasetInfo out =
      hospitals("fed-heart",
                "FLamby's Fed-Heart-Disease: healthy (-1) or ill (+1) in four hospitals; group = hospital",
                {740, 13, {357, 383}, 0xe5cdf319271bc56f});
  out.read_together = read_fed_heart;
  out.train_rows = 486;
  return out;
}

DatasetInfo fed_heart_all() {
  DatasetInfo out = hospitals("fed-heart-all",
                              "all patients of the four hospitals, with missing values; group = hospital",
                              {920, 28, {411, 509}, 0xefa16adff76b6e28});
  out.read_together = read_fed_heart_all;
  out.train_rows = 603;
  out.scaling = ScalingRule::kStandardise;
  return out;
}

DatasetInfo feature_skew() {
  DatasetInfo out = entry("feature-skew",
                          "generated: ten agents that each see two of twenty features; group = agent",
                          LabelKind::kBinary,
                          {6000, 20, {}, 0});
  out.split = SplitRule::kGiven;
  out.train_rows = 2000;
  return out;
}

DatasetInfo two_arcs() {
  DatasetInfo out = entry("two-arcs",
                          "generated: two interlocking arcs in the plane and five agents that each see one region; "
                          "group = agent",
                          LabelKind::kBinary,
                          {2200, 2, {}, 0});
  out.split = SplitRule::kGiven;
  out.train_rows = 200;
  return out;
}

}  // namespace

const std::vector<DatasetInfo>& known_datasets() {
  static const std::vector<DatasetInfo> table = {
      covertype(),
      raetsch("twonorm",
              "two overlapping normal clouds in 20 dimensions",
              "twonorm.csv.gz",
              {7400, 20, {3697, 3703}, 0xf61d38b9ae7d186c}),
      raetsch("ringnorm",
              "a narrow normal cloud inside a wide one in 20 dimensions",
              "ringnorm.csv.gz",
              {7400, 20, {3736, 3664}, 0x74a646e9e6d9fe0b}),
      raetsch("waveform",
              "noisy mixtures of triangular waves: one pair of waves (+1) or another (-1)",
              "waveform.csv.gz",
              {5000, 21, {3353, 1647}, 0xef2669f4c644b239}),
      raetsch("image", "image segments by kind", "image.csv", {2086, 18, {898, 1188}, 0x1ce0660fa37bf08b}),
      raetsch(
          "breast-cancer", "recurrence of breast cancer", "breast_cancer.csv", {263, 9, {186, 77}, 0xfc002457622b0315}),
      raetsch("diabetis", "diabetes among Pima women", "diabetis.csv", {768, 8, {500, 268}, 0x388d23b2ff852674}),
      raetsch("german", "credit risks in Germany", "german.csv", {1000, 20, {700, 300}, 0xd55a63e81b8e4b84}),
      raetsch("heart", "heart disease", "heart.csv", {270, 13, {150, 120}, 0x89f2aded678928e1}),
      vehicle(),
      uci("kin8nm", "forward kinematics of a robot arm", "kin8nm", "data.txt.gz", {8192, 8, {}, 0xfdc9f7938195cf06}),
      naval(),
      uci("power-plant",
          "output of a combined cycle power plant",
          "power-plant",
          "data.txt",
          {9568, 4, {}, 0x0fa477f05145c1cb}),
      year(),
      images("mnist",
             "handwritten digits, 28 x 28 pixels",
             "mnist",
             {70000, 784, {6903, 7877, 6990, 7141, 6824, 6313, 6876, 7293, 6825, 6958}, 0xe84ad327ccdbdbe5}),
      images("fashion-mnist",
             "articles of clothing, 28 x 28 pixels",
             "fashion_mnist",
             {70000, 784, {7000, 7000, 7000, 7000, 7000, 7000, 7000, 7000, 7000, 7000}, 0x63d5efaa3c1bdbe5}),
      ecg(),
      feature_skew(),
      two_arcs(),
      raetsch_with_repeats("flare-solar",
                           "solar flares from properties of sunspots",
                           "flare_solar.mat",
                           {1066, 9, {477, 589}, 0x7f663c38aa1cac75}),
      raetsch("thyroid", "thyroid disease", "thyroid.csv", {215, 5, {150, 65}, 0xf1012cfe8c50c4ff}),
      raetsch_with_repeats(
          "titanic", "survival on the Titanic", "titanic.mat", {2201, 3, {1490, 711}, 0x037b30fdfcbd9791}),
      uci("boston", "house prices in Boston", "bostonHousing", "data.txt", {506, 13, {}, 0x6a2df92f61a437c4}),
      uci("energy", "heating load of buildings", "energy", "data.txt", {768, 8, {}, 0x0cbf442f8921cf28}),
      uci("protein",
          "deviation of a protein's tertiary structure",
          "protein-tertiary-structure",
          "data.txt.gz",
          {45730, 9, {}, 0x94078b63989727bb}),
      uci("wine-red",
          "quality of red wine, marks given by tasters",
          "wine-quality-red",
          "data.txt",
          {1599, 11, {}, 0xc8715bd4e5ea227b}),
      ecg5000(),
      ecg200(),
      fed_heart(),
      fed_heart_all(),
  };
  return table;
}

}  // namespace fedstein
