// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>

#include "fedstein/files/base64.h"
#include "fedstein/files/deflate.h"
#include "fedstein/files/whole_file.h"
#include "fedstein/report/report.h"
#include "fedstein/report/report_template.h"

namespace fedstein {
namespace {

// What build/one-file.js leaves in the page, exactly once.
constexpr std::string_view kPlace = R"(id="fedstein-data">__FEDSTEIN_DATA__)";

// Above this many bytes data is packed. Below it, a curious reader finds plain JSON in the page.
constexpr std::size_t kPlainBytes = 1 << 20;

// A page's parser looks for "</script" and "<!--" in a script element and for nothing else; JSON has a way to write
// the letters without showing them. The two line separators are for whoever pastes the data into a script.
std::string escaped(const std::string& json) {
  std::string out;
  out.reserve(json.size() + json.size() / 16);
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char letter = json[i];
    if (letter == '<') {
      out += "\\u003c";
    } else if (letter == '>') {
      out += "\\u003e";
    } else if (letter == '&') {
      out += "\\u0026";
    } else if (json.compare(i, 2, "\xe2\x80") == 0 && i + 2 < json.size() &&
               (json[i + 2] == '\xa8' || json[i + 2] == '\xa9')) {
      out += json[i + 2] == '\xa8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      out += letter;
    }
  }
  return out;
}

}  // namespace

std::string report_page(const std::string& json) {
  const std::string_view page = report_template();
  const std::size_t place = page.find(kPlace);
  if (place == std::string_view::npos) throw std::logic_error("report: the page has no place for its data");
  std::string out(page.substr(0, place));
  if (json.size() > kPlainBytes) {
    out += R"(id="fedstein-data" data-encoding="gzip">)" + base64_of(deflated(json, {.smallest = true}));
  } else {
    out += R"(id="fedstein-data">)" + escaped(json);
  }
  out += page.substr(place + kPlace.size());
  return out;
}

WriteOptions report_output() {
  // The page's own text comes before its data and is far shorter.
  constexpr std::size_t kFront = std::size_t{16} << 20;
  return {.replacing = Replacing::kOurs, .ours = {kPlace.substr(0, kPlace.find('>')), kFront}};
}

void write_report(const std::string& path, const std::string& json, const WriteOptions& options) {
  write_whole_file(path, report_page(json), options);
}

}  // namespace fedstein
