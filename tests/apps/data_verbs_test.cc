// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>

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
                    HasSubstr("\n3 of 30 sets can be loaded")));  // twonorm, and two sets that need no file
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

const char* const kPatients =
    "id,age,sex,hospital,ill\np1,20,m,north,yes\np2,,f,south,no\np3,25,m,north,no\np4,41,f,south,yes\np5,33,f,north,"
    "no\np6,29,m,south,yes\n";

TEST(DataVerbs, DescribeShowsAllThatKeepsATableFromUse) {
  const TemporaryFolder folder;
  const std::string file = folder.write("patients.csv", kPatients);
  const Finished seen = fedstein_in(folder, {"data", "describe", "patients.csv"});
  EXPECT_EQ(seen.code, 65);
  EXPECT_THAT(seen.output,
              AllOf(HasSubstr("patients.csv: 6 rows and 5 columns, separated by commas, numbers with a decimal point, "
                              "names in the first line\n"),
                    ContainsRegex("age +feature +number +1 +20 to 41\n"),
                    ContainsRegex("sex +feature +category +f \\(3\\), m \\(3\\)\n"),
                    ContainsRegex("ill +label +category +no \\(3\\), yes \\(3\\)\n"),
                    HasSubstr("Problems: the table cannot be used as it is\n"),
                    HasSubstr("column 'age': 1 value missing, first in line 3"),
                    HasSubstr("column 'id': found text such as 'p1' in line 2"),
                    testing::Not(HasSubstr("[data]"))));
  EXPECT_EQ(fedstein_in(folder, {"data", "describe", "nothing.csv"}).code, 66);
  const Finished mistaken = fedstein_in(folder, {"data", "describe", "patients.csv", "--separator", "xx"});
  EXPECT_EQ(mistaken.code, 64);
  EXPECT_THAT(mistaken.errors, HasSubstr("--separator"));
  const Finished broken = fedstein_in(folder, {"data", "describe", "patients.csv", "--label", "iil"});
  EXPECT_EQ(broken.code, 65);
  EXPECT_THAT(broken.output, HasSubstr("there is no column 'iil'; did you mean 'ill'?"));
}

TEST(DataVerbs, DescribeWritesATableThatRunsTakeAsItIs) {
  const TemporaryFolder folder;
  folder.write("patients.csv", kPatients);
  std::vector<std::string> words{"data",
                                 "describe",
                                 "./patients.csv",
                                 "--label",
                                 "ill",
                                 "--group",
                                 "hospital",
                                 "--ignore",
                                 "id",
                                 "--missing",
                                 "impute"};
  const Finished seen = fedstein_in(folder, words);
  EXPECT_EQ(seen.code, 0) << seen.output;
  words.emplace_back("--toml");
  const std::string data = fedstein_in(folder, words).output;
  EXPECT_THAT(data, testing::StartsWith("[data]\n"));
  EXPECT_THAT(seen.output, testing::EndsWith("\n\n" + data));
  EXPECT_THAT(data, AllOf(HasSubstr("fills = [\"age=29\"]\n"), HasSubstr("groups = [\"north\", \"south\"]\n")));
  folder.write("e.toml",
               "[experiment]\nname = \"e\"\ndataset = \"./patients.csv\"\npartition = \"by-column\"\n" + data +
                   "[[algorithm]]\ntype = \"dsvgd\"\n");
  const Finished dry = fedstein_in(folder, {"run", "e.toml", "--dry-run"});
  EXPECT_EQ(dry.code, 0) << dry.errors;
  words.back() = "--json";
  const auto json = nlohmann::json::parse(fedstein_in(folder, words).output);
  EXPECT_EQ(json["data"], data);
  EXPECT_EQ(json["features"], (std::vector<std::string>{"age", "age missing", "sex=m"}));
  EXPECT_EQ(json["columns"][1]["missing"], 1);
  EXPECT_EQ(json["columns"][4]["values"][0]["rows"], 3);
  EXPECT_TRUE(json["problems"].empty());
}

TEST(DataVerbs, DescribeShowsWideAndHostileTables) {
  const TemporaryFolder folder;
  std::string names;
  std::string first;
  std::string second;
  for (int k = 0; k < 4020; ++k) {
    names += "c" + std::to_string(k) + "\t";
    first += "1\t";
    second += std::to_string(k % 7 + 2) + "\t";
  }
  folder.write("wide.tsv", names + "y\n" + first + "1\n" + second + "0\n");
  const Finished wide = fedstein_in(folder, {"data", "describe", "wide.tsv", "--separator", "\\t"});
  EXPECT_EQ(wide.code, 0);
  EXPECT_THAT(wide.output,
              AllOf(HasSubstr("2 rows and 4,021 columns, separated by tabs"),
                    HasSubstr("and 3,981 more columns (--columns shows)\n"),
                    HasSubstr("--toml prints it")));
  folder.write("odd.csv",
               "gr\xc3\xb6\xc3\x9f"
               "e,a\x1b[2J\xc2\x9b\xe2\x80\xae,y\n1,2,0\n5,9,1\n");
  const Finished odd = fedstein_in(folder, {"data", "describe", "odd.csv"});
  EXPECT_EQ(odd.code, 0);
  EXPECT_THAT(odd.output,
              AllOf(HasSubstr("gr\xc3\xb6\xc3\x9f"
                              "e "),
                    HasSubstr("\"a\\u001b[2J\\u009b\\u202e\"]"),
                    testing::Not(HasSubstr("\x1b")),
                    testing::Not(HasSubstr("\xe2\x80\xae"))));
  const Finished number = fedstein_in(folder, {"data", "describe", "wide.tsv", "--label", "0", "--columns", "1"});
  EXPECT_THAT(number.output, ContainsRegex("c0 +label "));
}

}  // namespace
}  // namespace fedstein
