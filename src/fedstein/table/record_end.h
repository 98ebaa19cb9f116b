// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace fedstein {

// Looks for the line end that ends a record, or a line without one, in bytes that come piece by piece, each looked at
// once. Without it a record in many pieces would be read from its beginning with every piece. It sees an end wherever
// RecordScanner has no need of further bytes.
class RecordEnd {
 public:
  // A separator of ' ' stands for any run of blanks and tabs.
  explicit RecordEnd(char separator) : separator_(separator) {}

  // The next bytes; true once the end was among them.
  bool is_in(std::string_view bytes);

 private:
  enum class State { kLine, kComment, kField, kPlain, kQuoted, kQuote, kBehindQuotes, kReturn, kBroken };

  bool is_blank(char c) const { return c == ' ' || (c == '\t' && separator_ != '\t'); }
  State behind(State state, char c) const;
  State at_field(State waiting, char c) const;
  State behind_quotes(char c) const;

  char separator_;
  State state_ = State::kLine;
};

}  // namespace fedstein
