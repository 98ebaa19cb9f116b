// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <zlib.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "fedstein/data/error.h"
#include "fedstein/report/report.h"
#include "support/temporary_folder.h"
#include "support/throws.h"

namespace fedstein {
namespace {

using testing::HasSubstr;
using testing::Not;

// What a browser takes for the data: everything up to the first end tag.
std::string embedded(const std::string& page, const std::string& tag) {
  const std::size_t begin = page.find(tag);
  EXPECT_NE(begin, std::string::npos) << tag;
  const std::size_t from = begin + tag.size();
  return page.substr(from, page.find("</script", from) - from);
}

constexpr const char* kPlainTag = R"(<script type="application/json" id="fedstein-data">)";
constexpr const char* kPackedTag = R"(<script type="application/json" id="fedstein-data" data-encoding="gzip">)";

std::string unpacked(const std::string& base64) {
  const auto value_of = [](char letter) -> unsigned {
    const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const std::size_t at = letters.find(letter);
    return at == std::string::npos ? 0U : static_cast<unsigned>(at);
  };
  std::string bytes;
  for (std::size_t i = 0; i + 3 < base64.size(); i += 4) {
    unsigned group = 0;
    for (std::size_t j = 0; j < 4; ++j) group = group << 6 | value_of(base64[i + j]);
    for (std::size_t j = 0; j < 3; ++j) {
      if (base64[i + j + 1] != '=') bytes += static_cast<char>(group >> (16 - 8 * j) & 255U);
    }
  }
  std::string text(64 << 20, '\0');
  z_stream stream{};
  inflateInit2(&stream, 15 + 16);
  stream.next_in = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(text.data());
  stream.avail_out = static_cast<uInt>(text.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  text.resize(stream.total_out);
  inflateEnd(&stream);
  return text;
}

TEST(ReportPage, HoldsItsDataAndNeedsNothingElse) {
  const std::string page = report_page(R"({"format":1})");
  EXPECT_THAT(page, testing::StartsWith("<!doctype html>"));
  EXPECT_EQ(embedded(page, kPlainTag), R"({"format":1})");
  EXPECT_THAT(page, Not(HasSubstr("__FEDSTEIN_DATA__")));
  EXPECT_THAT(page, HasSubstr("default-src 'none'; script-src 'sha256-"));
  EXPECT_THAT(page, Not(HasSubstr("src=\"/")));
  EXPECT_LT(page.size(), 600000U);
}

TEST(ReportPage, TextInTheDataCannotEndItsElement) {
  const std::string hostile = "</script><script>alert(1)</script><!-- ' \" & \xe2\x80\xa8 \xe2\x80\xa9 ]]>";
  const std::string json = nlohmann::json{{"name", hostile}}.dump();
  const std::string data = embedded(report_page(json), kPlainTag);
  for (const char* letter : {"<", ">", "&", "\xe2\x80\xa8", "\xe2\x80\xa9"}) EXPECT_THAT(data, Not(HasSubstr(letter)));
  EXPECT_EQ(nlohmann::json::parse(data)["name"], hostile);
}

TEST(ReportPage, LargeDataIsPackedAndComesBackWhole) {
  for (const std::size_t extra : {0U, 1U, 2U}) {
    nlohmann::json numbers = nlohmann::json::array();
    for (int i = 0; i < 200000; ++i) numbers.push_back(i * 7919 % 1000003);
    const std::string json = nlohmann::json{{"numbers", numbers}, {"pad", std::string(extra, 'x')}}.dump();
    const std::string page = report_page(json);
    EXPECT_LT(page.size(), 500000 + json.size() * 8 / 10);
    EXPECT_EQ(unpacked(embedded(page, kPackedTag)), json);
  }
}

TEST(ReportPage, IsWrittenWholeOrNotAtAll) {
  const TemporaryFolder folder;
  write_report(folder.path("new/report.html"), "{}");
  std::ostringstream text;
  text << std::ifstream(folder.path("new/report.html"), std::ios::binary).rdbuf();
  EXPECT_EQ(text.str(), report_page("{}"));
  folder.write("file", "");
  EXPECT_THROW(write_report(folder.path("file/report.html"), "{}"), WriteError);
}

}  // namespace
}  // namespace fedstein
