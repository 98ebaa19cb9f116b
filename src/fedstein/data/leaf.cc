// SPDX-License-Identifier: Apache-2.0
#include "fedstein/data/leaf.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "fedstein/base/counted.h"
#include "fedstein/data/byte_cursor.h"
#include "fedstein/data/leaf_rows.h"
#include "fedstein/data/number.h"

namespace fedstein {
namespace {

constexpr int kDeepest = 64;  // nesting inside keys that are skipped

// Receives the parser's events. `place_` is where we are in the layout; in kTop and kUser the last key says what comes.
class LeafHandler {
 public:
  explicit LeafHandler(ByteCursor& cursor) : cursor_(cursor), collector_(cursor) {}

  LeafRows finish() && { return std::move(collector_).finish(); }

  bool key(std::string& text) {
    cursor_.end_token();
    if (skipping_ > 0) return true;
    if (place_ == Place::kUserData) {
      collector_.begin_user(text);
    } else if (place_ == Place::kUser && text != "x" && text != "y") {
      cursor_.fail("found the key " + in_quotes(text) + "; expected 'x' or 'y'");
    }
    key_ = std::move(text);
    return true;
  }

  bool start_object(std::size_t /*size*/) {
    if (skips()) return enter_skipped();
    if (place_ == Place::kStart) return enter(Place::kTop);
    if (place_ == Place::kTop && key_ == "user_data") {
      collector_.begin_user_data();
      return enter(Place::kUserData);
    }
    if (place_ == Place::kUserData) return enter(Place::kUser);
    return unexpected("an object");
  }

  bool end_object() {
    if (leave_skipped()) return true;
    if (place_ == Place::kUser) collector_.end_user();
    return enter(place_ == Place::kUser ? Place::kUserData : place_ == Place::kUserData ? Place::kTop : Place::kEnd);
  }

  bool start_array(std::size_t /*size*/) {
    if (skips()) return enter_skipped();
    if (place_ == Place::kTop && key_ == "users") {
      collector_.begin_users();
      return enter(Place::kUsers);
    }
    if (place_ == Place::kTop && key_ == "num_samples") {
      collector_.begin_counts();
      return enter(Place::kCounts);
    }
    if (place_ == Place::kUser && key_ == "x") {
      collector_.begin_features();
      return enter(Place::kFeatures);
    }
    if (place_ == Place::kUser && key_ == "y") {
      collector_.begin_labels();
      return enter(Place::kLabels);
    }
    if (place_ != Place::kFeatures && place_ != Place::kLabels) return unexpected("an array");
    row_.clear();
    return enter(place_ == Place::kFeatures ? Place::kRow : Place::kLabelRow);
  }

  bool end_array() {
    if (leave_skipped()) return true;
    switch (place_) {
      case Place::kRow:
        collector_.add_row(row_);
        return enter(Place::kFeatures);
      case Place::kLabelRow:
        if (row_.size() != 1) cursor_.fail("y: found " + counted(row_.size(), "label") + " in a row; expected 1");
        collector_.add_label(row_.front());
        return enter(Place::kLabels);
      case Place::kFeatures:
      case Place::kLabels:
        return enter(Place::kUser);
      default:
        return enter(Place::kTop);
    }
  }

  bool string(std::string& text) {
    if (place_ != Place::kUsers) return scalar(in_quotes(text));
    collector_.add_user(text);
    cursor_.end_token();
    return true;
  }
  bool number_integer(std::int64_t value) { return number(static_cast<double>(value), std::to_string(value)); }
  bool number_unsigned(std::uint64_t value) { return number(static_cast<double>(value), std::to_string(value)); }
  bool number_float(double value, const std::string& text) { return number(value, text); }
  bool boolean(bool value) { return scalar(value ? "true" : "false"); }
  bool null() { return scalar("null"); }
  bool binary(nlohmann::json::binary_t& /*value*/) { return scalar("bytes"); }

  bool parse_error(std::size_t position, const std::string& token, const nlohmann::json::exception& error) {
    constexpr int kNumberOutOfRange = 406;
    constexpr std::size_t kShown = 40;
    if (error.id == kNumberOutOfRange) {
      cursor_.fail("found " + in_quotes(token) + "; expected a number in the range of double");
    }
    if (cursor_.asked_past_end()) cursor_.fail("the file ends in the middle of the JSON; expected the rest of it");
    // The parser keeps what it read since the last string or number; the end of that is what broke it.
    const std::string tail = token.size() > kShown ? token.substr(token.size() - kShown) : token;
    fail_byte(cursor_.name(), position, "the JSON breaks at the end of " + in_quotes(tail) + "; expected valid JSON");
  }

 private:
  enum class Place { kStart, kTop, kUsers, kCounts, kUserData, kUser, kFeatures, kRow, kLabels, kLabelRow, kEnd };

  bool enter(Place place) {
    cursor_.end_token();
    place_ = place;
    return true;
  }

  // Whether the value that starts now belongs to a key of the outermost object that does not concern us.
  bool skips() const {
    return skipping_ > 0 || (place_ == Place::kTop && key_ != "users" && key_ != "num_samples" && key_ != "user_data");
  }
  bool enter_skipped() {
    cursor_.end_token();
    if (++skipping_ > kDeepest) cursor_.fail("the JSON is nested deeper than " + std::to_string(kDeepest) + " levels");
    return true;
  }
  bool leave_skipped() {
    cursor_.end_token();
    if (skipping_ == 0) return false;
    --skipping_;
    return true;
  }

  bool number(double value, const std::string& text) {
    if (place_ == Place::kCounts) {
      collector_.add_count(value, text);
    } else if (place_ == Place::kRow || place_ == Place::kLabelRow || place_ == Place::kLabels) {
      std::string problem;
      const Real checked = to_real(value, text, problem);
      if (!problem.empty()) cursor_.fail(problem);
      if (place_ == Place::kLabels) {
        collector_.add_label(checked);
      } else {
        row_.push_back(checked);
      }
    } else {
      return scalar(in_quotes(text));
    }
    cursor_.end_token();
    return true;
  }

  // A value that is neither a number nor a name in its place.
  bool scalar(const std::string& shown) {
    cursor_.end_token();
    return skips() ? true : unexpected(shown);
  }

  [[noreturn]] bool unexpected(const std::string& found) const {
    cursor_.fail("found " + found + "; expected " + expected());
  }

  std::string expected() const {
    switch (place_) {
      case Place::kTop:
        return key_ == "user_data" ? "user_data to be an object of users" : key_ + " to be an array";
      case Place::kUsers:
        return "a user's name";
      case Place::kCounts:
        return "a number of rows";
      case Place::kUserData:
        return "an object with x and y for user " + in_quotes(key_);
      case Place::kUser:
        return key_ + " to be an array";
      case Place::kFeatures:
        return "a row of numbers in x";
      case Place::kRow:
        return "a number in x";
      case Place::kLabels:
      case Place::kLabelRow:
        return "a number in y";
      default:
        return "an object with users, num_samples and user_data";
    }
  }

  ByteCursor& cursor_;
  LeafCollector collector_;
  Place place_ = Place::kStart;
  int skipping_ = 0;
  std::string key_;
  std::vector<Real> row_;
};

LeafRows parse(ByteSource source) {
  ByteCursor cursor(std::move(source));
  LeafHandler handler(cursor);
  nlohmann::json::sax_parse(ByteIterator(cursor), ByteIterator(), &handler);
  return std::move(handler).finish();
}

}  // namespace

LeafRows read_leaf(const std::string& path, std::uint64_t byte_limit) {
  return parse(ByteSource::open(path, byte_limit));
}

LeafRows parse_leaf(std::string_view bytes, const std::string& name, std::uint64_t byte_limit) {
  return parse(ByteSource::over(bytes, name, byte_limit));
}

}  // namespace fedstein
