// SPDX-License-Identifier: Apache-2.0
#include "fedstein/data/leaf.h"

#include "support/close.h"
#include "support/pack.h"
#include "support/temporary_folder.h"
#include "support/throws.h"

namespace fedstein {
namespace {

LeafRows parse(std::string_view text) {
  return parse_leaf(text, "f");
}

// A file with one user, whose object is `data`.
std::string one_user(const std::string& data) {
  return R"({"users": ["a"], "num_samples": [1], "user_data": {"a": )" + data + "}}";
}

TEST(ReadLeaf, OrdersRowsByUsersWhateverTheOrderInTheFile) {
  const std::string text =
      R"({"num_samples": [2, 0, 1], "hierarchies": [[1, {"deep": [null, true, "x"]}]], "version": 2,)"
      R"( "user_data": {"b": {"y": [[7]], "x": [[1, 2.5]]}, "c": {"x": [], "y": []},)"
      R"( "a": {"x": [[-3e2, 4], [5, 6]], "y": [0, 1]}}, "users": ["a", "c", "b"]})";
  const TemporaryFolder folder;
  for (const LeafRows& found : {parse(text), parse(gzipped(text)), read_leaf(folder.write("a", text))}) {
    EXPECT_TRUE(identical(found.x, Matrix{{-300, 4}, {5, 6}, {1, Real{2.5}}}));
    EXPECT_TRUE(identical(found.y, Vector{{0, 1, 7}}));
    EXPECT_EQ(found.user, (std::vector<Index>{0, 0, 2}));
    EXPECT_EQ(found.user_names, (std::vector<std::string>{"a", "c", "b"}));
  }
}

TEST(ReadLeaf, EveryCutIsFound) {
  const std::string text = one_user(R"({"x": [[1, 2]], "y": [1]})");
  EXPECT_NO_THROW(parse(text));
  for (std::size_t size = 1; size < text.size(); ++size) {
    EXPECT_THROW_MESSAGE(parse(text.substr(0, size)),
                         DataError,
                         "f: byte " + std::to_string(size) + ": the file ends in the middle of the JSON; expected");
  }
  EXPECT_THROW_MESSAGE(parse(""), DataError, "f: the file is empty");
  EXPECT_THROW_MESSAGE(
      parse(text + "x"),
      DataError,
      "f: byte " + std::to_string(text.size() + 1) + ": the JSON breaks at the end of '1]}}}x'; expected");
}

TEST(ReadLeaf, WhatIsNotJsonIsShownWithItsPlace) {
  EXPECT_THROW_MESSAGE(parse(one_user(R"({"x": [[NaN]], "y": [1]})")),
                       DataError,
                       "byte 65: the JSON breaks at the end of '\"x\": [[N'; expected valid JSON");
  EXPECT_THROW_MESSAGE(parse("users"), DataError, "f: byte 1: the JSON breaks at the end of 'u'; expected valid JSON");
  EXPECT_THROW_MESSAGE(parse(R"({"users": ["a",]})"), DataError, "f: byte 16: the JSON breaks at the end of ");
  EXPECT_THROW_MESSAGE(parse("{\"users\": [\"\x01\"]}"), DataError, "expected valid JSON");
  EXPECT_THROW_MESSAGE(parse("{\"users\": [\"\xff\"]}"), DataError, "expected valid JSON");
  EXPECT_THROW_MESSAGE(parse(one_user(R"({"x": [[1e999]], "y": [1]})")),
                       DataError,
                       "found '1e999'; expected a number in the range of double");
}

TEST(ReadLeaf, ValuesInTheWrongPlaceNameWhatWasExpected) {
  EXPECT_THROW_MESSAGE(
      parse("[1]"), DataError, "found an array; expected an object with users, num_samples and user_data");
  EXPECT_THROW_MESSAGE(parse(R"({"users": "a"})"), DataError, "found 'a'; expected users to be an array");
  EXPECT_THROW_MESSAGE(parse(R"({"users": [1]})"), DataError, "found '1'; expected a user's name");
  EXPECT_THROW_MESSAGE(parse(R"({"users": [["a"]]})"), DataError, "found an array; expected a user's name");
  EXPECT_THROW_MESSAGE(parse(R"({"num_samples": ["2"]})"), DataError, "found '2'; expected a number of rows");
  EXPECT_THROW_MESSAGE(
      parse(R"({"num_samples": [1.5]})"), DataError, "num_samples: found '1.5'; expected a number of rows");
  EXPECT_THROW_MESSAGE(parse(R"({"num_samples": [-1]})"), DataError, "num_samples: found '-1'; expected");
  EXPECT_THROW_MESSAGE(parse(R"({"user_data": []})"), DataError, "found an array; expected user_data to be an object");
  EXPECT_THROW_MESSAGE(
      parse(R"({"user_data": {"a": 1}})"), DataError, "found '1'; expected an object with x and y for user 'a'");
  EXPECT_THROW_MESSAGE(parse(one_user(R"({"z": 1})")), DataError, "found the key 'z'; expected 'x' or 'y'");
  EXPECT_THROW_MESSAGE(parse(one_user(R"({"x": 1})")), DataError, "found '1'; expected x to be an array");
  EXPECT_THROW_MESSAGE(parse(one_user(R"({"x": [1]})")), DataError, "found '1'; expected a row of numbers in x");
  EXPECT_THROW_MESSAGE(parse(one_user(R"({"x": [["q"]]})")), DataError, "found 'q'; expected a number in x");
  EXPECT_THROW_MESSAGE(parse(one_user(R"({"x": [[null]]})")), DataError, "found null; expected a number in x");
  EXPECT_THROW_MESSAGE(parse(one_user(R"({"x": [[[1]]]})")), DataError, "found an array; expected a number in x");
  EXPECT_THROW_MESSAGE(parse(one_user(R"({"y": ["cat"]})")), DataError, "found 'cat'; expected a number in y");
  EXPECT_THROW_MESSAGE(parse(one_user(R"({"y": [true]})")), DataError, "found true; expected a number in y");
  EXPECT_THROW_MESSAGE(parse(one_user(R"({"y": [{}]})")), DataError, "found an object; expected a number in y");
  EXPECT_THROW_MESSAGE(parse(one_user(R"({"y": [[1, 2]]})")), DataError, "y: found 2 labels in a row; expected 1");
#if !FEDSTEIN_REAL_IS_DOUBLE
  EXPECT_THROW_MESSAGE(parse(one_user(R"({"x": [[1e300]]})")), DataError, "expected a number that fits into float");
#endif
}

TEST(ReadLeaf, RowsMustAgreeWithEachOtherAndWithTheCounts) {
  EXPECT_THROW_MESSAGE(parse(one_user(R"({"x": [[1, 2], [3]], "y": [1, 1]})")),
                       DataError,
                       "found a row of 1 number; expected 2, as in the first row");
  EXPECT_THROW_MESSAGE(parse(one_user(R"({"x": [[]], "y": [1]})")), DataError, "found a row without numbers");
  EXPECT_THROW_MESSAGE(parse(one_user(R"({"x": [[1]], "y": [1, 1]})")),
                       DataError,
                       "user 'a' has 1 row in x and 2 labels in y; expected as many");
  EXPECT_THROW_MESSAGE(parse(one_user(R"({"x": [[1]]})")), DataError, "user 'a' has no 'y'; expected both 'x' and 'y'");
  EXPECT_THROW_MESSAGE(parse(one_user(R"({"x": [[1], [2]], "y": [1, 1]})")),
                       DataError,
                       "user 'a' has 2 rows; expected 1, as num_samples says");
}

TEST(ReadLeaf, UsersMustAgreeEverywhere) {
  const std::string data = R"({"x": [[1]], "y": [1]})";
  EXPECT_THROW_MESSAGE(parse("{}"), DataError, "the key 'users' is missing; expected users, num_samples and user_data");
  EXPECT_THROW_MESSAGE(
      parse(R"({"users": ["a"], "user_data": {"a": )" + data + "}}"), DataError, "'num_samples' is missing");
  EXPECT_THROW_MESSAGE(parse(R"({"users": ["a"], "num_samples": [1]})"), DataError, "'user_data' is missing");
  EXPECT_THROW_MESSAGE(parse(R"({"users": ["a"], "num_samples": [1, 1], "user_data": {"a": )" + data + "}}"),
                       DataError,
                       "num_samples has 2 entries; expected one for each of the 1 user");
  EXPECT_THROW_MESSAGE(parse(R"({"users": ["a", "a"], "num_samples": [1, 1], "user_data": {"a": )" + data + "}}"),
                       DataError,
                       "users holds 'a' twice; expected each name once");
  EXPECT_THROW_MESSAGE(parse(R"({"users": ["b"], "num_samples": [1], "user_data": {"a": )" + data + "}}"),
                       DataError,
                       "user 'b' has no entry in user_data; expected one");
  EXPECT_THROW_MESSAGE(parse(R"({"users": [], "num_samples": [], "user_data": {"a": )" + data + "}}"),
                       DataError,
                       "user_data holds user 'a'; expected only names from users");
  EXPECT_THROW_MESSAGE(parse(R"({"users": [], "num_samples": [], "user_data": {}})"), DataError, "there is no row");
  EXPECT_THROW_MESSAGE(parse(R"({"user_data": {"a": )" + data + R"(, "a": )" + data + "}}"),
                       DataError,
                       "found user 'a' a second time; expected it once");
  EXPECT_THROW_MESSAGE(parse(R"({"users": [], "users": []})"), DataError, "found the key 'users' a second time");
  EXPECT_THROW_MESSAGE(
      parse(one_user(R"({"x": [[1]], "x": [[1]], "y": [1]})")), DataError, "found the key 'x' a second");
}

TEST(ReadLeaf, DepthAndLengthAreBounded) {
  EXPECT_THROW_MESSAGE(parse(R"({"other": )" + std::string(100000, '[')),
                       DataError,
                       "f: byte 75: the JSON is nested deeper than 64 levels");
  EXPECT_THROW_MESSAGE(
      parse(R"({"other": ")" + std::string(2 << 20, 'x')), DataError, "a string or number has more than 1048576 bytes");
  EXPECT_THROW_MESSAGE(
      parse(R"({"users": [)" + std::string(2 << 20, '7')), DataError, "a string or number has more than 1048576 bytes");
  std::string users = R"({"users": [")";
  for (int i = 0; i < (1 << 20); ++i) users += "\",\"";
  EXPECT_THROW_MESSAGE(parse(users + "\"]}"), DataError, "there are more users than 1048576");
}

}  // namespace
}  // namespace fedstein
