// SPDX-License-Identifier: Apache-2.0
#include "fedstein/relay/parcel.h"

#include <cstring>
#include <utility>

namespace fedstein {
namespace {

constexpr const char* kWhat = "relayed message";
constexpr std::int64_t kMostMatrices = 64;  // more than any method's

}  // namespace

std::int64_t Parcel::bytes() const {
  std::size_t total = head.size();
  for (const std::string& array : numbers) total += array.size();
  return static_cast<std::int64_t>(total);
}

void ParcelWriter::belief(const Belief& belief) {
  head_.integer(static_cast<std::int64_t>(belief.size()));
  for (const Matrix& matrix : belief) {
    const auto size = static_cast<std::size_t>(matrix.size()) * sizeof(Real);
    std::string& values = numbers_.emplace_back(size, '\0');
    if (size > 0) std::memcpy(values.data(), matrix.data(), size);
    head_.integer(matrix.rows());
    head_.integer(matrix.cols());
    head_.integer(static_cast<std::int64_t>(checksum_of(values)));
  }
}

Parcel ParcelWriter::finish() && {
  return {std::move(head_).finish(), std::move(numbers_)};
}

ParcelReader::ParcelReader(const Parcel& parcel, std::string_view owner)
    : parcel_(parcel), head_(std::string_view(parcel.head), owner, kWhat) {}

std::int64_t ParcelReader::integer(const char* what, std::int64_t least, std::int64_t most) {
  const std::int64_t value = head_.integer();
  if (value >= least && value <= most) return value;
  throw BadState(std::string(kWhat) + ": " + what + " is " + std::to_string(value) + "; it must be " +
                 std::to_string(least) + " to " + std::to_string(most));
}

bool ParcelReader::flag(const char* what) {
  return integer(what, 0, 1) == 1;
}

std::string ParcelReader::short_text(const char* what) {
  constexpr std::size_t kMostText = 4096;
  std::string text = head_.text();
  if (text.size() <= kMostText) return text;
  throw BadState(std::string(kWhat) + ": " + what + " has " + std::to_string(text.size()) + " bytes; at most " +
                 std::to_string(kMostText) + " are allowed");
}

Belief ParcelReader::belief() {
  Belief out;
  const std::int64_t count = integer("the number of matrices", 0, kMostMatrices);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t rows = head_.integer();
    const std::int64_t columns = head_.integer();
    const std::int64_t checksum = head_.integer();
    if (taken_ == parcel_.numbers.size()) {
      throw BadState(std::string(kWhat) + ": array " + std::to_string(taken_) + " is missing");
    }
    const std::string& values = parcel_.numbers[taken_];
    const auto available = static_cast<std::int64_t>(values.size() / sizeof(Real));
    // Rows without columns take no bytes: a few could claim more of them than anybody can look at one by one.
    const bool fits = rows >= 0 && columns >= 0 && (rows == 0 || (columns > 0 && columns <= available / rows));
    if (!fits || values.size() != static_cast<std::size_t>(rows * columns) * sizeof(Real)) {
      throw BadState(std::string(kWhat) + ": array " + std::to_string(taken_) + " has " +
                     std::to_string(values.size()) + " bytes for a matrix of " + std::to_string(rows) + " x " +
                     std::to_string(columns));
    }
    if (static_cast<std::int64_t>(checksum_of(values)) != checksum) {
      throw BadState(std::string(kWhat) + ": the checksum of array " + std::to_string(taken_) +
                     " is wrong; the bytes are damaged");
    }
    Matrix& matrix = out.emplace_back(rows, columns);
    if (!values.empty()) std::memcpy(matrix.data(), values.data(), values.size());
    ++taken_;
  }
  return out;
}

void ParcelReader::finish() const {
  head_.finish();
  if (taken_ == parcel_.numbers.size()) return;
  throw BadState(std::string(kWhat) + ": " + std::to_string(parcel_.numbers.size()) + " arrays; its head speaks of " +
                 std::to_string(taken_));
}

}  // namespace fedstein
