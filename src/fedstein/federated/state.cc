// SPDX-License-Identifier: Apache-2.0
#include "fedstein/federated/state.h"

#include <bit>
#include <cstring>
#include <utility>

#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

static_assert(std::endian::native == std::endian::little, "saved state is written as it lies in memory");

constexpr std::string_view kMagic = "FSST";
constexpr std::int64_t kFormatVersion = 1;

}  // namespace

std::uint64_t checksum_of(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3ULL;
  return hash;
}

StateWriter::StateWriter(std::string_view owner) {
  raw(kMagic.data(), kMagic.size());
  integer(kFormatVersion);
  integer(static_cast<std::int64_t>(sizeof(Real)));
  text(owner);
}

void StateWriter::raw(const void* data, std::size_t size) {
  bytes_.append(static_cast<const char*>(data), size);
}
void StateWriter::integer(std::int64_t value) {
  raw(&value, sizeof value);
}
void StateWriter::number(double value) {
  raw(&value, sizeof value);
}

void StateWriter::text(std::string_view value) {
  integer(static_cast<std::int64_t>(value.size()));
  raw(value.data(), value.size());
}

void StateWriter::matrix(const ConstMatrixRef& value) {
  integer(value.rows());
  integer(value.cols());
  for (Index row = 0; row < value.rows(); ++row) {
    raw(value.row(row).data(), static_cast<std::size_t>(value.cols()) * sizeof(Real));
  }
}

void StateWriter::matrices(const std::vector<Matrix>& values) {
  integer(static_cast<std::int64_t>(values.size()));
  for (const Matrix& value : values) matrix(value);
}

std::string StateWriter::finish() && {
  const std::uint64_t checksum = checksum_of(bytes_);
  raw(&checksum, sizeof checksum);
  return std::move(bytes_);
}

StateReader::StateReader(std::string_view bytes, std::string_view owner, std::string what)
    : what_(std::move(what)), rest_(bytes) {
  std::uint64_t checksum = 0;
  if (bytes.size() < kMagic.size() + sizeof checksum || bytes.substr(0, kMagic.size()) != kMagic) {
    throw BadState(what_ + ": not a fedstein state (no magic bytes)");
  }
  std::memcpy(&checksum, bytes.data() + bytes.size() - sizeof checksum, sizeof checksum);
  rest_ = bytes.substr(0, bytes.size() - sizeof checksum);
  if (checksum_of(rest_) != checksum) throw BadState(what_ + ": the checksum is wrong; the bytes are damaged");
  rest_.remove_prefix(kMagic.size());

  if (const std::int64_t version = integer(); version != kFormatVersion) {
    throw BadState(what_ + ": format version " + std::to_string(version) + "; this program reads version " +
                   std::to_string(kFormatVersion));
  }
  if (const std::int64_t width = integer(); width != static_cast<std::int64_t>(sizeof(Real))) {
    throw BadState(what_ + ": numbers of " + std::to_string(width) + " bytes; this program works with " +
                   std::to_string(sizeof(Real)) + " (" + kRealName + ")");
  }
  if (const std::string found = text(); found != owner) {
    throw BadState(what_ + ": belongs to '" + found + "', not to '" + std::string(owner) + "'");
  }
}

void StateReader::raw(void* data, std::size_t size) {
  if (size == 0) return;  // an empty matrix has no address to copy to
  if (size > rest_.size()) throw BadState(what_ + ": ends before its last value");
  std::memcpy(data, rest_.data(), size);
  rest_.remove_prefix(size);
}

std::int64_t StateReader::integer() {
  std::int64_t value = 0;
  raw(&value, sizeof value);
  return value;
}

double StateReader::number() {
  double value = 0;
  raw(&value, sizeof value);
  return value;
}

std::string StateReader::text() {
  const auto length = static_cast<std::uint64_t>(integer());
  if (length > rest_.size()) throw BadState(what_ + ": a text is longer than the bytes there are");
  std::string value(rest_.substr(0, length));
  rest_.remove_prefix(length);
  return value;
}

Matrix StateReader::matrix() {
  const std::int64_t rows = integer();
  const std::int64_t columns = integer();
  const auto available = static_cast<std::int64_t>(rest_.size() / sizeof(Real));
  if (rows < 0 || columns < 0 || (rows > 0 && columns > available / rows)) {
    throw BadState(what_ + ": a matrix of " + std::to_string(rows) + " x " + std::to_string(columns) +
                   " does not fit into the bytes there are");
  }
  // Rows without columns take no bytes: a few could claim more of them than anybody can look at one by one.
  constexpr std::int64_t kMostEmpty = 1 << 20;
  if ((columns == 0 && rows > kMostEmpty) || (rows == 0 && columns > kMostEmpty)) {
    throw BadState(what_ + ": a matrix of " + std::to_string(rows) + " x " + std::to_string(columns) + ", empty");
  }
  Matrix value(rows, columns);
  raw(value.data(), static_cast<std::size_t>(value.size()) * sizeof(Real));
  return value;
}

std::vector<Matrix> StateReader::matrices() {
  const std::int64_t count = integer();
  // A matrix takes at least its two sizes.
  if (count < 0 || static_cast<std::uint64_t>(count) > rest_.size() / (2 * sizeof(std::int64_t))) {
    throw BadState(what_ + ": " + std::to_string(count) + " matrices do not fit into the bytes there are");
  }
  std::vector<Matrix> values;
  for (std::int64_t i = 0; i < count; ++i) values.push_back(matrix());
  return values;
}

void expect_shape(const Matrix& matrix, Index rows, Index columns) {
  if (matrix.rows() != rows || matrix.cols() != columns) {
    throw BadState("saved state: a matrix is " + shape_of(matrix) + "; it must be " + std::to_string(rows) + " x " +
                   std::to_string(columns));
  }
  if (first_non_finite(matrix).row >= 0) throw BadState("saved state: a matrix holds a value that is not finite");
}

void StateReader::finish() const {
  if (!rest_.empty()) throw BadState(what_ + ": " + std::to_string(rest_.size()) + " bytes are left over");
}

}  // namespace fedstein
