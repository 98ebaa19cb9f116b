// SPDX-License-Identifier: Apache-2.0
// Saved state of agents and servers: a versioned binary form with a checksum, restored to the last bit or refused.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fedstein/base/error.h"
#include "fedstein/numeric/matrix.h"

namespace fedstein {

// Saved bytes that cannot be restored: damaged, of another version, precision or owner.
class BadState : public ErrorOf<ErrorKind::kData> {
 public:
  using ErrorOf::ErrorOf;
};

// FNV-1a: against accidents, not against anybody.
std::uint64_t checksum_of(std::string_view bytes);

// Restored numbers are believed no more than received ones: throws BadState unless the matrix is rows x columns and
// finite.
void expect_shape(const Matrix& matrix, Index rows, Index columns);

// Layout (little-endian): magic "FSST", format version, sizeof(Real), owner's name, the values in the order written,
// and a checksum of everything before it. The owner's name ("dsvgd agent") keeps one algorithm's state out of
// another's.
class StateWriter {
 public:
  explicit StateWriter(std::string_view owner);

  void integer(std::int64_t value);
  void number(double value);
  void text(std::string_view value);
  void matrix(const ConstMatrixRef& value);
  void matrices(const std::vector<Matrix>& values);

  // The finished bytes.
  std::string finish() &&;

 private:
  void raw(const void* data, std::size_t size);
  std::string bytes_;
};

// Reads in the order written. Every read throws BadState when the bytes do not hold what is asked for; the sizes in
// them are checked against the bytes there are before anything is allocated.
class StateReader {
 public:
  // what: names the bytes in complaints. The reader reads them where they are, so a temporary is refused.
  StateReader(std::string_view bytes, std::string_view owner, std::string what = "saved state");
  StateReader(std::string&& bytes, std::string_view owner, std::string what = "saved state") = delete;

  std::int64_t integer();
  double number();
  std::string text();
  Matrix matrix();
  std::vector<Matrix> matrices();
  // Whether everything has been read: for values that later versions write behind those of earlier ones.
  bool at_end() const { return rest_.empty(); }
  // Nothing may be left over.
  void finish() const;

 private:
  void raw(void* data, std::size_t size);
  std::string what_;
  std::string_view rest_;
};

}  // namespace fedstein
