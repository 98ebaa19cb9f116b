// SPDX-License-Identifier: Apache-2.0
#include "fedstein/table/record_end.h"

namespace fedstein {

// Before a field: `waiting` while there are blanks only.
RecordEnd::State RecordEnd::at_field(State waiting, char c) const {
  if (is_blank(c)) return waiting;
  if (c == '"') return State::kQuoted;
  if (c == separator_) return State::kField;
  return c == '\r' ? State::kReturn : State::kPlain;
}

RecordEnd::State RecordEnd::behind_quotes(char c) const {
  if (c == separator_ || (separator_ == ' ' && c == '\t')) return State::kField;
  if (is_blank(c)) return State::kBehindQuotes;
  return c == '\r' ? State::kReturn : State::kBroken;
}

RecordEnd::State RecordEnd::behind(State state, char c) const {
  switch (state) {
    case State::kLine:
      return c == '#' ? State::kComment : at_field(State::kLine, c);
    case State::kField:
      return at_field(State::kField, c);
    case State::kPlain:
      if (c == '\r') return State::kReturn;
      return c == separator_ || (separator_ == ' ' && c == '\t') ? State::kField : State::kPlain;
    case State::kQuoted:
      return c == '"' ? State::kQuote : State::kQuoted;
    case State::kQuote:
      return c == '"' ? State::kQuoted : behind_quotes(c);
    case State::kBehindQuotes:
      return behind_quotes(c);
    case State::kReturn:
    case State::kBroken:
      return State::kBroken;  // the rest of the line is passed over
    case State::kComment:
      return State::kComment;
  }
  return State::kBroken;
}

bool RecordEnd::is_in(std::string_view bytes) {
  for (const char c : bytes) {
    if (c == '\n' && state_ != State::kQuoted) return true;
    state_ = behind(state_, c);
  }
  return false;
}

}  // namespace fedstein
