// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <filesystem>

#include "apps/program.h"
#include "data/data_folder.h"
#include "fetch/local_server.h"

namespace fedstein {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;

TEST(DataVerbs, ListSaysWhatIsThereAndWhereTheRestIs) {
  const TemporaryFolder folder;
  const Finished make = fedstein_in(folder, {"data", "make", "twonorm", "--seed", "4", "-o", "data"});
  EXPECT_EQ(make.code, 0);
  EXPECT_EQ(make.output, "twonorm: 7400 rows, seed 4, in data/raetsch/csv/twonorm.csv.gz\n");
  EXPECT_THAT(fedstein_in(folder, {"data", "list", "--data", "data"}).output,
              AllOf(ContainsRegex("twonorm +binary +yes +data make +7400 +20\n"),
                    ContainsRegex("heart +binary +no: raetsch/csv/heart.csv +no known public original"),
                    ContainsRegex("mnist +multiclass +no: mnist/train-images[^ ]* +data fetch: "),
                    HasSubstr("\n2 of 29 sets can be loaded")));  // twonorm, and feature-skew, which needs no file
}

TEST(DataVerbs, MakeAndCheck) {
  const TemporaryFolder folder;
  EXPECT_THAT(fedstein_in(folder, {"data", "make", "all", "-o", "data"}).output,
              HasSubstr("generated/feature-skew.csv.gz (use it by this path)\n"));
  const Finished good = fedstein_in(folder, {"data", "check", "--data", "data"});
  EXPECT_EQ(good.code, 0);
  EXPECT_THAT(good.output, HasSubstr("waveform: ok, 5000 x 21, binary, made by a generator, not the published rows\n"));
  EXPECT_THAT(fedstein_in(folder, {"data", "make", "waveform", "--rows", "9", "-o", "data"}).output,
              HasSubstr("waveform-9.csv.gz (use it by this path)"));
  const Finished again = fedstein_in(folder, {"data", "make", "waveform", "-o", "data"});
  EXPECT_EQ(again.code, 73);
  EXPECT_THAT(again.errors, HasSubstr("is there already, perhaps as the published set; --force replaces it"));
  EXPECT_EQ(fedstein_in(folder, {"data", "make", "waveform", "--force", "-o", "data"}).code, 0);
  const Finished bad = fedstein_in(folder, {"data", "check", "heart", "twonorm", "--data", "data"});
  EXPECT_EQ(bad.code, 1);
  EXPECT_THAT(bad.output, AllOf(HasSubstr("heart: BAD, "), HasSubstr("twonorm: ok, ")));
}

TEST(DataVerbs, RefuseBeforeAnyWork) {
  const TemporaryFolder folder;
  const Finished heart = fedstein_in(folder, {"data", "make", "twonorm", "heart", "-o", "data"});
  EXPECT_EQ(heart.code, 64);
  EXPECT_THAT(heart.errors, HasSubstr("'heart' has no generator; allowed: twonorm"));
  const Finished rows = fedstein_in(folder, {"data", "make", "all", "--rows", "9", "-o", "data"});
  EXPECT_EQ(rows.code, 64);
  EXPECT_THAT(rows.errors, HasSubstr("--rows is given for feature-skew"));
  EXPECT_EQ(fedstein_in(folder, {"data", "make", "twonorm", "--rows", "0", "-o", "data"}).code, 64);
  EXPECT_EQ(fedstein_in(folder, {"data", "check", "nothing"}).code, 64);
  EXPECT_EQ(fedstein_in(folder, {"data"}).code, 64);
  EXPECT_FALSE(std::filesystem::exists(folder.path("data")));
}

TEST(DataVerbs, FetchGoesOnAfterAFailure) {
  FEDSTEIN_DATA_FOLDER_OR_SKIP(real);
  const TemporaryFolder folder;
  LocalServer<> server;
  ASSERT_TRUE(server.routes().set_mount_point("/", real));
  server.start();
  const auto fetch = [&](std::vector<std::string> names) {
    names.insert(names.begin(), {"data", "fetch"});
    names.insert(names.end(), {"-o", "data", "--from", server.address("")});
    return fedstein_in(folder, names);
  };
  const Finished first = fetch({"year", "heart", "ecg200"});
  EXPECT_EQ(first.code, 69);
  EXPECT_THAT(first.errors,
              AllOf(HasSubstr("fedstein: year: http://127.0.0.1:"),
                    HasSubstr("the host answers 404\n"),
                    HasSubstr("heart: there is no known public original with a checksum")));
  EXPECT_EQ(first.output, "ecg200: 2 files fetched, SHA-256 agrees\n");
  const Finished second = fetch({"ecg200"});
  EXPECT_EQ(second.code, 0);
  EXPECT_EQ(second.output, "ecg200: is there already\n");
  EXPECT_THAT(fedstein_in(folder, {"data", "check", "ecg200", "--data", "data"}).output, HasSubstr("checksum agrees"));
}

}  // namespace
}  // namespace fedstein
