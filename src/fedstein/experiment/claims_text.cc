// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "fedstein/experiment/claims.h"

namespace fedstein {
namespace {

// A claim's results: with the paper's settings, with fedstein's own, or both.
struct ClaimRow {
  const ClaimResult* paper = nullptr;
  const ClaimResult* own = nullptr;

  const ClaimResult& any() const { return paper != nullptr ? *paper : *own; }
};

std::vector<ClaimRow> rows_of(const std::vector<ClaimResult>& results) {
  std::vector<ClaimRow> rows;
  for (const ClaimResult& result : results) {
    const auto alike = std::find_if(rows.begin(), rows.end(), [&](const ClaimRow& row) {
      const bool taken = result.own ? row.own != nullptr : row.paper != nullptr;
      return !taken && row.any().name == result.name && row.any().experiment == result.experiment;
    });
    ClaimRow& row = alike != rows.end() ? *alike : rows.emplace_back();
    (result.own ? row.own : row.paper) = &result;
  }
  return rows;
}

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text;
}

// As wide as its column; what is bold takes no place.
std::string verdict_text(const ClaimResult* result, bool rich, std::size_t width) {
  const std::string text = padded(result == nullptr ? "not run" : result->holds ? "holds" : "FAILS", width);
  return rich && result != nullptr && !result->holds ? "\x1b[1m" + text + "\x1b[0m" : text;
}

}  // namespace

std::string claims_text(const std::vector<ClaimResult>& results, bool rich) {
  constexpr const char* kPaper = "paper's settings";
  constexpr const char* kOwn = "fedstein's own";
  constexpr std::size_t kName = 5;
  constexpr std::size_t kVerdict = 7;
  constexpr std::size_t kColumn = 18;
  const bool any_own = std::any_of(results.begin(), results.end(), [](const ClaimResult& one) { return one.own; });
  const bool any_paper = std::any_of(results.begin(), results.end(), [](const ClaimResult& one) { return !one.own; });
  const bool both = any_own && any_paper;
  std::string out;
  if (both) {
    out = padded("", kName) + padded(kPaper, kColumn) + padded(kOwn, kColumn) + "claim\n";
  } else if (any_own) {
    out = "fedstein's own settings, c-dsvgd in DSVGD's place:\n";
  }
  for (const ClaimRow& row : rows_of(results)) {
    const ClaimResult& any = row.any();
    out += padded(any.name, kName);
    if (!both) {
      out += verdict_text(&any, rich, kVerdict) + any.text + "\n" + padded("", kName + kVerdict) + any.figures + "\n";
      continue;
    }
    out += verdict_text(row.paper, rich, kColumn) + verdict_text(row.own, rich, kColumn) + any.text + "\n";
    for (const ClaimResult* one : {row.paper, row.own}) {
      if (one == nullptr) continue;
      out += padded("", kName) + padded(one->own ? kOwn : kPaper, kColumn) + one->figures + "\n";
    }
  }
  return out;
}

}  // namespace fedstein
