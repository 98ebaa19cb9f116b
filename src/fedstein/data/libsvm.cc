// SPDX-License-Identifier: Apache-2.0
#include "fedstein/data/libsvm.h"

#include <charconv>
#include <utility>
#include <vector>

#include "fedstein/data/line_reader.h"
#include "fedstein/data/number.h"
#include "fedstein/data/row_buffer.h"
#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

class LibsvmReader {
 public:
  LibsvmReader(ByteSource source, Index features, std::uint64_t byte_limit)
      : lines_(std::move(source)), features_(features), byte_limit_(byte_limit), rows_(features) {}

  LabelledRows read() {
    std::string_view line;
    while (lines_.next(line)) {
      // A short line becomes a whole dense row: the limit on bytes holds for the result too.
      const auto row_bytes = static_cast<std::uint64_t>(features_) * sizeof(Real);
      if (static_cast<std::uint64_t>(rows_.rows() + 1) > byte_limit_ / row_bytes) {
        lines_.fail("the rows so far, with " + std::to_string(features_) + " features each, pass the limit of " +
                    std::to_string(byte_limit_) + " bytes");
      }
      read_row(line);
    }
    if (labels_.empty()) fail_file(lines_.name(), "there is no row; expected at least one");
    LabelledRows result;
    result.y = Eigen::Map<const Vector>(labels_.data(), static_cast<Index>(labels_.size()));
    result.x = std::move(rows_).take();
    return result;
  }

 private:
  void read_row(std::string_view line) {
    std::string_view token;
    take_token(line, token);  // a line that is not blank has one
    labels_.push_back(read_number(token, "label"));
    Real* row = rows_.add();
    std::fill(row, row + features_, Real{0});
    Index last = 0;
    while (take_token(line, token)) {
      const std::size_t colon = token.find(':');
      Index index = 0;
      const char* index_end = token.data() + std::min(colon, token.size());
      const auto [stop, error] = std::from_chars(token.data(), index_end, index);
      if (colon == std::string_view::npos || error != std::errc() || stop != index_end) {
        lines_.fail("found " + in_quotes(token) + "; expected index:value");
      }
      if (index <= last || index > features_) {
        lines_.fail("found index " + std::to_string(index) + (last > 0 ? " after " + std::to_string(last) : "") +
                    "; expected ascending indices from 1 to " + std::to_string(features_));
      }
      row[index - 1] = read_number(token.substr(colon + 1), "value of an index");
      last = index;
    }
  }

  static bool take_token(std::string_view& line, std::string_view& token) {
    const std::size_t first = line.find_first_not_of(" \t");
    if (first == std::string_view::npos) return false;
    line.remove_prefix(first);
    token = line.substr(0, line.find_first_of(" \t"));
    line.remove_prefix(token.size());
    return true;
  }

  Real read_number(std::string_view text, const char* what) const {
    double value = 0;
    const char* end = text.data() + text.size();
    if (read_plain_number(text.data(), end, value) == end) return static_cast<Real>(value);
    std::string problem;
    const Real slow = parse_number(text, problem);
    if (!problem.empty()) lines_.fail(std::string(what) + ": " + problem);
    return slow;
  }

  LineReader lines_;
  Index features_;
  std::uint64_t byte_limit_;
  RowBuffer rows_;
  std::vector<Real> labels_;
};

void check_features(const char* function, Index features) {
  check_argument(features >= 1, function, "features is " + std::to_string(features) + "; it must be at least 1");
}

}  // namespace

LabelledRows read_libsvm(const std::string& path, Index features, std::uint64_t byte_limit) {
  check_features("read_libsvm", features);
  return LibsvmReader(ByteSource::open(path, byte_limit), features, byte_limit).read();
}

LabelledRows parse_libsvm(std::string_view bytes, const std::string& name, Index features, std::uint64_t byte_limit) {
  check_features("parse_libsvm", features);
  return LibsvmReader(ByteSource::over(bytes, name, byte_limit), features, byte_limit).read();
}

}  // namespace fedstein
