// SPDX-License-Identifier: Apache-2.0
#include "fedstein/federated/eight_bit_codec.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

constexpr Index kHeader = 3;  // rows, columns, scale
constexpr int kBits = 8;
constexpr std::int64_t kHalf = 127;            // the code of no difference
constexpr std::int64_t kMostCode = 2 * kHalf;  // of +scale; 255 means nothing
constexpr Index kPerWord = std::numeric_limits<Real>::digits / kBits;

Index words_for(Index numbers) {
  return (numbers + kPerWord - 1) / kPerWord;
}

// What a matrix is coded relative to; null: zero.
const Matrix* base_of(const Task& task, std::size_t part, Index rows, Index columns) {
  if (part >= task.belief.size()) return nullptr;
  const Matrix& base = task.belief[part];
  return base.rows() == rows && base.cols() == columns ? &base : nullptr;
}

double base_at(const Matrix* base, Index i) {
  return base != nullptr ? static_cast<double>(base->data()[i]) : 0.0;
}

std::int64_t code_of(double difference, double scale) {
  if (!(scale > 0) || !std::isfinite(difference / scale)) return kHalf;
  const double steps = std::round(difference / scale * static_cast<double>(kHalf));
  return kHalf + static_cast<std::int64_t>(std::clamp(steps, -static_cast<double>(kHalf), static_cast<double>(kHalf)));
}

Matrix coded(const Matrix& values, const Matrix* base) {
  double largest = 0;
  for (Index i = 0; i < values.size(); ++i) {
    const double difference = std::abs(static_cast<double>(values.data()[i]) - base_at(base, i));
    if (!(difference <= largest)) largest = difference;  // also what is no number: the server will refuse it
  }
  const auto scale = static_cast<Real>(largest);
  Matrix out(1, kHeader + words_for(values.size()));
  out(0, 0) = static_cast<Real>(values.rows());
  out(0, 1) = static_cast<Real>(values.cols());
  out(0, 2) = scale;
  for (Index word = 0; word < words_for(values.size()); ++word) {
    std::int64_t packed = 0;
    const Index first = word * kPerWord;
    for (Index i = std::min(first + kPerWord, values.size()) - 1; i >= first; --i) {
      const double difference = static_cast<double>(values.data()[i]) - base_at(base, i);
      packed = (packed << kBits) | code_of(difference, static_cast<double>(scale));
    }
    out(0, kHeader + word) = static_cast<Real>(packed);
  }
  return out;
}

std::string objection_to_matrix(const Matrix& found) {
  if (found.rows() != 1 || found.cols() < kHeader) {
    return "is " + shape_of(found) + ", expected 1 x at least " + std::to_string(kHeader);
  }
  // The sizes are compared as numbers before anything is made of them.
  const Index words = found.cols() - kHeader;
  const auto most = static_cast<double>(words * kPerWord);
  for (const Index at : {0, 1}) {
    const auto size = static_cast<double>(found(0, at));
    const double bound = std::max(most, static_cast<double>(std::numeric_limits<std::int32_t>::max()));
    if (!(size >= 0 && size <= bound) || size != std::floor(size)) return "names a size of " + to_text(size);
  }
  const double numbers = static_cast<double>(found(0, 0)) * static_cast<double>(found(0, 1));
  if (numbers > most || words_for(static_cast<Index>(numbers)) != words) {
    return "has " + std::to_string(words) + " words of codes for " + to_text(numbers) + " numbers";
  }
  const auto scale = static_cast<double>(found(0, 2));
  if (!std::isfinite(scale) || scale < 0) return "has a scale of " + to_text(scale);
  for (Index word = 0; word < words; ++word) {
    const auto value = static_cast<double>(found(0, kHeader + word));
    const double end = std::ldexp(1.0, static_cast<int>(kPerWord) * kBits);
    if (!(value >= 0 && value < end) || value != std::floor(value)) {
      return "holds " + to_text(value) + " where codes are expected";
    }
    auto packed = static_cast<std::int64_t>(value);
    for (Index i = 0; i < kPerWord; ++i, packed >>= kBits) {
      const std::int64_t code = packed & ((1 << kBits) - 1);
      const bool filler = word * kPerWord + i >= static_cast<Index>(numbers);
      if (code > (filler ? 0 : kMostCode)) return "holds the code " + std::to_string(code) + ", which means nothing";
    }
  }
  return {};
}

Matrix decoded(const Matrix& found, const Task& task, std::size_t part) {
  const auto rows = static_cast<Index>(found(0, 0));
  const auto columns = static_cast<Index>(found(0, 1));
  const auto scale = static_cast<double>(found(0, 2));
  const Matrix* base = base_of(task, part, rows, columns);
  Matrix out(rows, columns);
  for (Index i = 0; i < out.size(); ++i) {
    const auto packed = static_cast<std::int64_t>(found(0, kHeader + i / kPerWord));
    const std::int64_t steps = ((packed >> (kBits * (i % kPerWord))) & ((1 << kBits) - 1)) - kHalf;
    // Without steps the number is the task's own, to the bit.
    out.data()[i] = steps == 0 && base != nullptr
                        ? base->data()[i]
                        : static_cast<Real>(base_at(base, i) + scale * static_cast<double>(steps) / kHalf);
  }
  return out;
}

}  // namespace

Update EightBitCodec::encode(const Update& update, const Task& task) const {
  Update out{update.round, update.agent, {}};
  for (std::size_t i = 0; i < update.belief.size(); ++i) {
    const Matrix& values = update.belief[i];
    out.belief.push_back(coded(values, base_of(task, i, values.rows(), values.cols())));
  }
  return out;
}

Update EightBitCodec::decode(const Update& coded, const Task& task) const {
  Update out{coded.round, coded.agent, {}};
  for (std::size_t i = 0; i < coded.belief.size(); ++i) out.belief.push_back(decoded(coded.belief[i], task, i));
  return out;
}

std::string EightBitCodec::objection(const Update& coded, const Task& /*task*/) const {
  for (std::size_t i = 0; i < coded.belief.size(); ++i) {
    const std::string complaint = objection_to_matrix(coded.belief[i]);
    if (!complaint.empty()) return "eight-bit matrix " + std::to_string(i) + " " + complaint;
  }
  return {};
}

}  // namespace fedstein
